/* double_check.c - computed outside, checked again before it is stored (Lourenço et al.:
 * Double-Check).
 *
 * From the paper on block-local atomicity: a transaction copies the value, a
 * computation works on the copy, a second transaction stores the result if the
 * value is still the one that was copied. Otherwise all is done again. Another
 * thread may well write in between, but then nothing is stored. Published: no
 * anomaly, 1 warning.
 *
 * anomalies: 0
 * label: benign
 * expect: atomicity update confirmed benign
 * native: deterministic
 * tsan: clean
 * twin: double_check_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static int value;

int copy(void) {
    ATOMIC(guard) { return value; }
    return 0;
}

bool commit(int seen, int computed) {
    ATOMIC(guard) {
        if (value != seen) {
            return false;
        }
        value = computed;
    }
    return true;
}

void update(void) {
    int seen;
    do {
        seen = copy();
    } while (!commit(seen, seen * 3 + 1));
}

static void *thread(void *number) {
    (void)number;
    update();
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) { value = 1; }

static const char *wrong(void) { return value != 13 ? "an update was lost" : NULL; }

#include "rounds.h"
