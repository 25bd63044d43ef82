/* coordinates04.c - swapped at once, reset one by one (Lourenço et al.: Coordinates'04).
 *
 * From the paper on block-local atomicity: swap exchanges x and y in one
 * transaction, reset sets each to zero in its own. A swap in between takes the old
 * y to x, which is not reset again. Published: 1 anomaly, 2 warnings, 1 of them
 * false.
 *
 * anomalies: 1
 * anomaly: WrW reset_x reset_y in reset
 * label: harmful
 * expect: atomicity reset confirmed harmful
 * expect: high-level-race coord reset_x reset_y confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: coordinates04_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static struct { int x, y; } coord;

void swap(void) {
    ATOMIC(guard) {
        int old = coord.x;
        coord.x = coord.y;
        coord.y = old;
    }
}

void reset_x(void) {
    ATOMIC(guard) { coord.x = 0; }
}

void reset_y(void) {
    ATOMIC(guard) { coord.y = 0; }
}

void reset(void) {
    reset_x();
    reset_y();
}

static void *thread(void *number) {
    if (*(int *)number == 0) {
        swap();
    } else {
        reset();
    }
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) {
    coord.x = 3;
    coord.y = 4;
}

static const char *wrong(void) {
    return coord.x != 0 || coord.y != 0 ? "not reset" : NULL;
}

#include "rounds.h"
