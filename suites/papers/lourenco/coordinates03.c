/* coordinates03.c - a pair of coordinates and four users (Lourenço et al.:
 * Coordinates'03).
 *
 * From the paper on view consistency: one thread writes both coordinates at once;
 * one reads x; one reads x and y in two transactions and takes them for one point;
 * one reads x, then both, and expects the x that it knows. View consistency
 * objects to the third only: the views of the fourth, {x} and {x, y}, form a
 * chain. Published: 2 anomalies, 7 warnings, 5 of them false.
 *
 * anomalies: 2
 * anomaly: RwR get_x get_y in read_apart
 * anomaly: RwR get_x get_point in read_twice
 * budget: 2000
 * label: harmful
 * expect: atomicity read_apart confirmed harmful
 * expect: atomicity read_twice confirmed harmful
 * expect: high-level-race coord get_x get_y confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: coordinates03_tm.c */
#include "atomic.h"

#include <stdbool.h>

struct point {
    int x, y;
};

LOCK(guard);
static struct point coord;
static bool torn, moved;

void set_point(int x, int y) {
    ATOMIC(guard) {
        coord.x = x;
        coord.y = y;
    }
}

struct point get_point(void) {
    struct point p;
    ATOMIC(guard) {
        p.x = coord.x;
        p.y = coord.y;
    }
    return p;
}

int get_x(void) {
    ATOMIC(guard) { return coord.x; }
    return 0;
}

int get_y(void) {
    ATOMIC(guard) { return coord.y; }
    return 0;
}

void read_apart(void) {
    int x = get_x();
    torn = x != get_y(); /* it moves on the diagonal only */
}

void read_twice(void) {
    int x = get_x();
    moved = x != get_point().x;
}

static void *thread(void *number) {
    switch (*(int *)number) {
    case 0:
        set_point(1, 1);
        break;
    case 1:
        get_x();
        break;
    case 2:
        read_apart();
        break;
    default:
        read_twice();
    }
    return NULL;
}

enum { THREADS = 4 };

static void prepare(void) {
    coord.x = coord.y = 0;
    torn = moved = false;
}

static const char *wrong(void) {
    return torn && moved ? "torn and moved" : torn ? "torn" : moved ? "moved" : NULL;
}

#include "rounds.h"
