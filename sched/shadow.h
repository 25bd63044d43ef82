/* shadow.h - what is known of each piece of memory that was accessed.
 *
 * Memory is looked at in words of eight bytes. The shadow maps a word to a
 * chain of variables, one for each (offset, size) that was ever accessed in it;
 * almost always there is one, sometimes two neighbours. Finding it is two loads
 * and a compare. Variables that overlap in a word are `mixed`: an access is then
 * held against all of them, and none takes the short way.
 *
 * Identity outlives an execution (a heap block has the same address again), and
 * so does being visible; epochs do not: they belong to `generation`.
 *
 * What being visible means: the variable was accessed by two threads that no
 * visible operation ordered. From then on each access to it is a point. */
#ifndef HD_SHADOW_H
#define HD_SHADOW_H

#include "layout.h"
#include "place.h"
#include "runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_var_flag {
    HD_VAR_VISIBLE = 1,
    HD_VAR_MIXED = 2,
    HD_VAR_FREED = 4,
    HD_VAR_ATOMIC = 8, /* accessed by an atomic or volatile operation */
    HD_VAR_SOFT = 16,  /* a piece of a range: gives way to the program's own variables */
};

struct hd_var {
    uint64_t rstamp, wstamp; /* of the thread that last read, wrote: say no more until it changes */
    uint32_t next;           /* in the word's chain; 0: end */
    uint8_t off, size, flags;
    uint8_t locked;          /* a stream that is locked by hand: libc/stream.c */
    uint32_t generation;
    uint32_t trace;          /* id in the trace + 1 */
    uint32_t wslot, wepoch;  /* last write; wepoch 0: none */
    uint32_t rslot, repoch;  /* last read, if one thread's are enough to know */
    struct hd_clock *readers; /* else the last read of each slot */
    struct hd_place *place;
    uintptr_t address;
} __attribute__((aligned(16)));

#define hd_vars ((struct hd_var *)HD_AT_VARS)

/* The cell for the word that holds this address. */
uint32_t *hd_shadow_map(uintptr_t address);

static inline uint32_t *hd_shadow_cell(uintptr_t address) {
    uint32_t *piece = hd_rt->shadow_top[(address >> 24) & 0x7fffff];
    if (hd_unlikely(!piece)) piece = hd_shadow_map(address);
    return piece + ((address >> 3) & 0x1fffff);
}

/* The variable of exactly these bytes (inside one word), made if need be, and
 * fresh for this execution. */
struct hd_var *hd_var_get(uintptr_t address, unsigned size);
/* The same for a piece of a range (a memset, a copied struct): nothing says yet
 * what variables it consists of. */
struct hd_var *hd_var_get_soft(uintptr_t address, unsigned size);
struct hd_place *hd_var_place(struct hd_var *var);
void hd_var_show(struct hd_var *var); /* it is visible from now on */

/* [address, address+size) was freed, or is about to be used anew. */
void hd_shadow_freed(uintptr_t address, size_t size, bool freed);

#endif
