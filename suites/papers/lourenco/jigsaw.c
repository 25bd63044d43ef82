/* jigsaw.c - a resource store that is shut down while it is asked (Lourenço et al.:
 * Jigsaw).
 *
 * The example of von Praun and Gross, from the web server Jigsaw: load tests in one
 * transaction whether the store is closed, and finds or makes the entry in another.
 * Shut down in between, the store has an entry again that nobody will ever save.
 * Published: 1 anomaly, 2 warnings, 1 of them false.
 *
 * anomalies: 1
 * anomaly: RwR check_closed lookup_entry in load
 * label: harmful
 * expect: atomicity load confirmed harmful
 * expect: high-level-race store check_closed lookup_entry confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: jigsaw_tm.c */
#include "atomic.h"

#include <stdbool.h>
#include <string.h>

enum { THREADS = 2, ROOM = 4 };

LOCK(guard);
static struct {
    bool closed;
    int count;
    int entries[ROOM]; /* names, as numbers */
} store;

bool check_closed(void) {
    ATOMIC(guard) { return store.closed; }
    return true;
}

int lookup_entry(int name) {
    int i = 0;
    ATOMIC(guard) {
        while (i < store.count && store.entries[i] != name) {
            i++;
        }
        if (i == store.count) {
            store.entries[store.count++] = name;
        }
    }
    return i;
}

int load(int name) { return check_closed() ? -1 : lookup_entry(name); }

void shut_down(void) {
    ATOMIC(guard) {
        store.count = 0;
        store.closed = true;
    }
}

static void *thread(void *number) {
    if (*(int *)number == 0) {
        load(12);
    } else {
        shut_down();
    }
    return NULL;
}

static void prepare(void) {
    store.closed = false;
    store.count = 1;
    store.entries[0] = 11;
}

static const char *wrong(void) {
    return store.closed && store.count != 0 ? "an entry in a closed store" : NULL;
}

#include "rounds.h"
