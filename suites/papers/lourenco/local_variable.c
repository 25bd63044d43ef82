/* local_variable.c - a shared value changed in a local copy (Lourenço et al.: Local
 * Variable).
 *
 * From the paper on view consistency, as the example that it cannot find: there is
 * one variable only. A thread copies it in one transaction, adds to the copy, and
 * writes the copy back in another: what others added meanwhile is lost. Published:
 * 1 anomaly, 1 warning.
 *
 * anomalies: 1
 * anomaly: RwW get_value set_value in add_one
 * label: harmful
 * expect: atomicity add_one confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: local_variable_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static int value;

int get_value(void) {
    ATOMIC(guard) { return value; }
    return 0;
}

void set_value(int to) {
    ATOMIC(guard) { value = to; }
}

void add_one(void) {
    int local = get_value();
    local++;
    set_value(local);
}

static void *thread(void *number) {
    (void)number;
    add_one();
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) { value = 0; }

static const char *wrong(void) {
    return value != THREADS ? "an addition was lost" : NULL;
}

#include "rounds.h"
