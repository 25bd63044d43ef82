/* place.h - something threads meet at.
 *
 * A lock, a condition, an atomic variable, a stream: whatever visible
 * operations happen to. A place carries the clocks that order operations on it
 * and the threads that stand before a blocking operation on it.
 *
 * Its key is its name: the address of the thing, or a small number for what
 * has no address (HD_KEY_...). Addresses do not depend on the schedule (see
 * layout.h), so keys of equivalent executions are equal.
 *
 * Dependence: two operations on the same place depend on each other unless both
 * are reads. */
#ifndef HD_PLACE_H
#define HD_PLACE_H

#include "clock.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_mode {
    HD_MODE_NONE,  /* depends on nothing: a yield */
    HD_MODE_READ,
    HD_MODE_WRITE,
};

/* Keys of places without an address. */
enum hd_hidden { HD_KEY_NONE, HD_KEY_TIME, HD_KEY_RANDOM, HD_KEY_ENVIRON, HD_KEY_LOCALE,
              HD_KEY_FILES, HD_KEY_PROCESS, HD_KEY_TRANSACTION, HD_KEY_OBSERVED,
              HD_KEY_STDIN, HD_KEY_STDOUT, HD_KEY_STDERR, HD_KEY_HSEARCH, HD_KEY_PSEUDO_END };

/* In the key of a place where the variables of a word meet that overlap: one of them
 * that does not has a place of its own, and may begin at the same address. */
#define HD_KEY_WORD (1UL << 63)

/* hd_place.gate of what has none, and of a lock: who has it (-1: one alone, else how many
 * share it), and how many wait for it whom readers let go first. */
#define HD_NO_GATE INT32_MIN
enum { HD_GATE_WAITER = 1 << 20 };
static inline int32_t hd_gate_waiters(int32_t gate) { return (gate + 1) / HD_GATE_WAITER; }
static inline int32_t hd_gate_holders(int32_t gate) {
    return gate - hd_gate_waiters(gate) * HD_GATE_WAITER;
}

struct hd_thread;

struct hd_place {
    uint64_t key;
    struct hd_clock wrote;     /* of the last write, ... */
    uint32_t writer, when;     /* ... which was that thread's operation: slot and epoch */
    struct hd_clock touched;   /* of the reads since */
    uint64_t write_hash;       /* class.h: of the last write */
    uint64_t read_hashes;      /* and of the reads since, added up */
    struct hd_thread *pending; /* threads before a blocking operation here, by next_pending */
    uint32_t version;          /* how often it was written */
    uint32_t news;             /* a lock's: how often one who wrote something gave it back */
    bool tried;                /* a lock: somebody looked whether it was free, ... */
    bool tried_alone;          /* ... by an operation that readers depend on */
    uint32_t last_touch;       /* the search's: its latest record of an operation here */
    int32_t gate;              /* who may pass: who has a lock, a semaphore's permits */
    uint32_t trace;            /* id in the trace's table + 1; 0: not defined yet */
};

#endif
