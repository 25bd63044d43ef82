/* account.c - deposits by reading and writing the balance (Lourenço et al.: Account).
 *
 * The example of von Praun and Gross: the methods of an account are atomic, each
 * by itself; a deposit is two of them. Two deposits may both start from the same
 * balance. Published: 1 anomaly, 1 warning.
 *
 * anomalies: 1
 * anomaly: RwW get_balance set_balance in deposit
 * label: harmful
 * expect: atomicity deposit confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: account_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static struct { long balance; } account;

long get_balance(void) {
    ATOMIC(guard) { return account.balance; }
    return 0;
}

void set_balance(long to) {
    ATOMIC(guard) { account.balance = to; }
}

void deposit(long amount) { set_balance(get_balance() + amount); }

static void *thread(void *number) {
    deposit(*(int *)number == 0 ? 20 : 50);
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) { account.balance = 100; }

static const char *wrong(void) {
    return account.balance != 170 ? "a deposit was lost" : NULL;
}

#include "rounds.h"
