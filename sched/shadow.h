/* shadow.h - what is known of each piece of memory that was accessed.
 *
 * The shadow has a cell of eight bytes for every four bytes of the program's
 * memory. A cell names a variable that begins in these four bytes, and says who
 * accessed it last and whether more of that says anything new (repeat.h): that is
 * one comparison (access.h).
 *
 * A variable is an (offset, size) that was ever accessed inside a word of eight
 * bytes. Those of a word are linked in a ring, which can be entered at either of
 * its two cells; almost always there are one or two. Variables that overlap in a
 * word are `mixed`: an access is then held against all of them, and none takes
 * the short way.
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
#include "repeat.h"
#include "runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_var_flag {
    HD_VAR_VISIBLE = 1,
    HD_VAR_MIXED = 2,
    HD_VAR_FREED = 4,
    HD_VAR_ATOMIC = 8, /* accessed by an atomic or volatile operation */
    HD_VAR_SOFT = 16,  /* a piece of a range: gives way to the program's own variables */
    HD_VAR_READERS = 32, /* several threads' reads are known: hd_var_more */
    HD_VAR_SECOND = 64, /* the second word of an atomic of 16 bytes: meets at the first's place */
};

/* What the event path needs: half a cache line. */
struct hd_var {
    union {
        struct {
            uint32_t generation;
            uint8_t off, size, flags;
            uint8_t locked;  /* a stream that is locked by hand: libc/stream.c */
        };
        uint64_t head;       /* all of these at once */
    };
    uint32_t trace;          /* id in the trace, with HD_VAR_TRACED; 0: none yet */
    uint32_t stamp;          /* of the last access, and what was said: repeat.h; 0: do not care */
    uint32_t wepoch, repoch; /* last write and read; 0: none */
    union {
        struct {
            uint16_t wslot, rslot;
        };
        uint32_t slots;      /* both */
    };
    uint32_t next;           /* in the word's ring */
};

/* What few variables need: its pages are there when one does. */
struct hd_var_more {
    struct hd_place *place;
    struct hd_clock *readers; /* the last read of each slot */
};

#define hd_vars ((struct hd_var *)HD_AT_VARS)
#define hd_vars_at ((uintptr_t *)HD_AT_VARS_AT) /* their addresses */
#define hd_vars_more ((struct hd_var_more *)HD_AT_VARS_MORE)
#define HD_VARS_MOST (1u << 28)

static inline struct hd_var_more *hd_var_more(const struct hd_var *var) {
    return &hd_vars_more[var - hd_vars];
}

static inline uintptr_t hd_var_address(const struct hd_var *var) { return hd_vars_at[var - hd_vars]; }

#define HD_VAR_TRACED 0x80000000u

/* The head of a variable of this execution of which nothing special is known. */
static inline uint64_t hd_var_head(uint32_t generation, unsigned off, unsigned size) {
    return generation | (uint64_t)(off | size << 8) << 32;
}

/* ---- cells --------------------------------------------------------------------
 *
 * From the top: 29 bits of stamp, one that is not used, two of size, two of the
 * offset in the four bytes; whether another read, whether another write would say
 * nothing new; 28 of the variable's number. */

#define HD_CELL_VAR 28
#define HD_CELL_STAMP 35 /* hd_rt->stamp has its number there, too */

static inline uint64_t hd_cell_code(unsigned off, unsigned size, unsigned said) {
    unsigned log = size == 8 ? 3 : size == 4 ? 2 : size == 2 ? 1 : 0;
    return (uint64_t)(log << 4 | (off & 3) << 2 | (said & (HD_SAID_READ | HD_SAID_WRITE)))
           << HD_CELL_VAR;
}

/* Would this access say nothing new? `cell` less the present stamp. */
static inline bool hd_cell_said(uint64_t cell, unsigned off, unsigned size, bool write) {
    /* What is said of the other kind may be set or not. */
    _Static_assert(HD_SAID_WRITE == 1 && HD_SAID_READ == 2, "the lowest bit is let fall");
    unsigned shift = HD_CELL_VAR + (write ? 0 : 1);
    if (write) cell |= (uint64_t)HD_SAID_READ << HD_CELL_VAR;
    return cell >> shift == hd_cell_code(off, size, HD_SAID_READ | HD_SAID_WRITE) >> shift;
}

/* Several variables of one or two bytes begin in the four bytes of a cell, which
 * names one. Those accessed lately have a cell each besides, in a table by the low
 * bits of their addresses: from the top 29 bits of stamp, 31 of the address, whether
 * it is two bytes; what was said. They are of the present stamp or of no use, so
 * that nothing but the next stamp has to take care of them. */

#define HD_SMALL_SHIFT 16
#define HD_SMALL_BYTES (sizeof(uint64_t) << HD_SMALL_SHIFT)

static inline uint64_t *hd_small_cell(uintptr_t address) {
    return (uint64_t *)hd_near(HD_AT_SMALL) + (address & ((1UL << HD_SMALL_SHIFT) - 1));
}

static inline uint64_t hd_small_code(uintptr_t address, unsigned size, unsigned said) {
    return address >> HD_SMALL_SHIFT << 4 | (size - 1) << 3 |
           (said & (HD_SAID_READ | HD_SAID_WRITE));
}

static inline bool hd_small_said(uintptr_t address, unsigned size, bool write) {
    uint64_t cell = *hd_small_cell(address) ^ hd_rt->stamp;
    cell |= write ? HD_SAID_READ : HD_SAID_WRITE; /* may be set or not */
    return cell == hd_small_code(address, size, HD_SAID_READ | HD_SAID_WRITE);
}

static inline void hd_small_say(uintptr_t address, unsigned size, unsigned said) {
    if (size <= 2) *hd_small_cell(address) = hd_rt->stamp | hd_small_code(address, size, said);
}

#define HD_PIECE_SHIFT 23 /* a piece of shadow is for 8 MB of the program's memory */
#define HD_PIECE_CELLS (1UL << (HD_PIECE_SHIFT - 2))
#define HD_TOP_ENTRIES (1UL << (47 - HD_PIECE_SHIFT))
#define HD_TOP_BYTES (HD_TOP_ENTRIES * sizeof(uint64_t *))

/* The piece for this address, made; its cells. */
uint64_t *hd_shadow_map(uintptr_t address);

static inline uint64_t **hd_shadow_entry(uintptr_t address) {
    return (uint64_t **)hd_near(HD_AT_TOP) + ((address >> HD_PIECE_SHIFT) & (HD_TOP_ENTRIES - 1));
}

static inline uint64_t *hd_shadow_piece(uintptr_t address) {
    return *hd_shadow_entry(address);
}

static inline uint64_t *hd_shadow_cell(uintptr_t address) {
    uint64_t *piece = hd_shadow_piece(address);
    if (hd_unlikely(!piece)) piece = hd_shadow_map(address);
    return piece + ((address >> 2) & (HD_PIECE_CELLS - 1));
}

static inline uint32_t hd_cell_var(uint64_t cell) { return cell & (HD_VARS_MOST - 1); }

/* A variable of the word that holds this address; 0: there is none. */
static inline uint32_t hd_word_var(uintptr_t address) {
    const uint64_t *cells = hd_shadow_cell(address & ~7UL);
    uint32_t first = hd_cell_var(cells[0]);
    return first ? first : hd_cell_var(cells[1]);
}

/* Every variable of the word that holds this address. */
#define HD_EACH_IN_WORD(var, at)                                                         \
    for (uint32_t first_ = hd_word_var(at), i_ = first_; i_;                             \
         i_ = hd_vars[i_].next == first_ ? 0 : hd_vars[i_].next)                         \
        for (struct hd_var *var = &hd_vars[i_]; var; var = NULL)

/* Is there no variable in [low, high), for sure? Looks at 2 kB at a time. */
bool hd_shadow_none(uintptr_t low, uintptr_t high);

/* The first word from `at` on, and before `end`, that has variables; or end. */
uintptr_t hd_shadow_seek(uintptr_t at, uintptr_t end);

/* ---- variables ------------------------------------------------------------------ */

/* The variable of exactly these bytes (inside one word), made if need be, and
 * fresh for this execution. */
struct hd_var *hd_var_get(uintptr_t address, unsigned size);
/* The same for a piece of a range (a memset, a copied struct): nothing says yet
 * what variables it consists of. */
struct hd_var *hd_var_get_soft(uintptr_t address, unsigned size);
/* What earlier executions left is forgotten. */
void hd_var_refresh(struct hd_var *var, uintptr_t address);
static inline void hd_var_fresh(struct hd_var *var, uintptr_t address) {
    if (var->generation != hd_rt->generation) hd_var_refresh(var, address);
}
struct hd_place *hd_var_place(struct hd_var *var);
void hd_var_show(struct hd_var *var); /* it is visible from now on */
/* `first` is the first word of an atomic of 16 bytes: the variable of the second. */
struct hd_var *hd_var_second(const struct hd_var *first);

/* [address, address+size) was freed, or is about to be used anew. */
void hd_shadow_freed(uintptr_t address, size_t size, bool freed);

/* ---- stamps ------------------------------------------------------------------- */

/* There are no more: forget all, begin again. */
void hd_stamps_renew(void);

/* From here on, repeating an access says something new. */
static inline void hd_stamp(void) {
    hd_rt->stamp += 1UL << HD_CELL_STAMP;
    if (hd_unlikely(hd_rt->stamp == 0)) hd_stamps_renew();
}

/* As a variable keeps it, with room for what was said: its upper half. */
#define HD_STAMP_HIGH 32
_Static_assert(HD_CELL_STAMP - HD_STAMP_HIGH == HD_SAID_BITS, "room for what was said");
static inline uint32_t hd_stamp_short(void) { return (uint32_t)(hd_rt->stamp >> HD_STAMP_HIGH); }

#endif
