/* under_reporting.c - a counter doubled by its own methods (Lourenço et al.:
 * Under-reporting).
 *
 * From von Praun and Gross: inc adds a number to the counter and returns what it is
 * now, atomically. inc(inc(0)) doubles it, in two transactions; what another thread
 * adds in between is not doubled. View consistency cannot find it: there is one
 * variable only. Published: 1 anomaly, 1 warning.
 *
 * anomalies: 1
 * anomaly: RwW inc inc in double_it
 * label: harmful
 * expect: atomicity double_it confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: under_reporting_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static int counter;

int inc(int by) {
    ATOMIC(guard) {
        counter += by;
        return counter;
    }
    return 0;
}

void double_it(void) {
    int now = inc(0);
    inc(now);
}

static void *thread(void *number) {
    (void)number;
    double_it();
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) { counter = 1; }

static const char *wrong(void) { return counter != 4 ? "not doubled" : NULL; }

#include "rounds.h"
