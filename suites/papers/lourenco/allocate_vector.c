/* allocate_vector.c - a free block found, then marked (Lourenço et al.: Allocate Vector).
 *
 * After the program of that name in IBM's repository: a thread looks for a free
 * block in one transaction and marks it as allocated in another, so two threads can
 * get the same one; the second one to free it frees a block that is free. Marking
 * and freeing are two transactions as well, and rightly so. Published: 1 anomaly,
 * 2 warnings, 1 of them false.
 *
 * anomalies: 1
 * anomaly: RwW find_free mark_allocated in allocate
 * label: harmful
 * expect: atomicity allocate confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: allocate_vector_tm.c */
#include "atomic.h"

#include <stdbool.h>

enum { THREADS = 2, BLOCKS = 2 };

LOCK(guard);
static bool allocated[BLOCKS];
static bool twice[THREADS];

int find_free(void) {
    int i = 0;
    ATOMIC(guard) {
        while (i < BLOCKS && allocated[i]) {
            i++;
        }
    }
    return i;
}

bool mark_allocated(int block) {
    bool was_free = false;
    ATOMIC(guard) {
        was_free = !allocated[block];
        allocated[block] = true;
    }
    return was_free;
}

bool free_block(int block) {
    ATOMIC(guard) {
        if (!allocated[block]) {
            return false;
        }
        allocated[block] = false;
    }
    return true;
}

int allocate(bool *was_free) {
    int block = find_free();
    *was_free = mark_allocated(block);
    return block;
}

static void *thread(void *number) {
    int me = *(int *)number;
    bool was_free;
    int block = allocate(&was_free);
    twice[me] = !free_block(block) || !was_free;
    return NULL;
}

static void prepare(void) {
    for (int i = 0; i < BLOCKS; i++) {
        allocated[i] = false;
    }
}

static const char *wrong(void) {
    return twice[0] || twice[1] ? "a block with two owners" : NULL;
}

#include "rounds.h"
