/* buffer.c - work items taken from a buffer and put back as results (Lourenço et al.:
 * Buffer).
 *
 * From the paper on block-local atomicity: a worker takes an item in one
 * transaction, computes, and adds the result in another. The item belongs to the
 * worker once it is taken, so it does not matter what happens to the buffer in
 * between: every item is worked on once, whatever the order of the results. What
 * is reported is true, and harmless. Published: no anomaly, 1 warning.
 *
 * anomalies: 0
 * label: benign
 * expect: atomicity work confirmed benign
 * native: deterministic
 * tsan: clean
 * twin: buffer_tm.c */
#include "atomic.h"

#include <stdbool.h>

enum { THREADS = 2, ITEMS = 4 };

LOCK(guard);
static int items[ITEMS], first, count;

int take(void) {
    ATOMIC(guard) {
        count--;
        return items[first++ % ITEMS];
    }
    return 0;
}

void add(int item) {
    ATOMIC(guard) { items[(first + count++) % ITEMS] = item; }
}

void work(void) {
    int item = take();
    add(item * item);
}

static void *thread(void *number) {
    (void)number;
    work();
    return NULL;
}

static void prepare(void) {
    first = count = 0;
    add(3);
    add(4);
}

static const char *wrong(void) {
    return count != 2 || take() + take() != 25 ? "an item was lost" : NULL;
}

#include "rounds.h"
