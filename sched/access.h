/* access.h - the program touches memory. */
#ifndef HD_ACCESS_H
#define HD_ACCESS_H

#include "count.h"
#include "record.h"
#include "runtime.h"
#include "shadow.h"

/* Any bytes, before they are touched, all at once; any length. `kind` is HD_READ or
 * HD_WRITE. One event for each word of eight bytes that it reaches into. */
void hd_access_range(uintptr_t address, size_t size, enum hd_kind kind, void *pc);
/* The same in steps, for those who must touch each visible piece in its turn:
 * as much as goes without a point (0 if the first word is visible) ... */
size_t hd_access_plain(uintptr_t address, size_t size, enum hd_kind kind, void *pc);
/* ... and the part that lies in the first word, with one. Returns its length. */
size_t hd_access_word(uintptr_t address, size_t size, enum hd_kind kind, void *pc);

/* As much as goes without that anybody else could run: what was read so far is still
 * what is there. */
size_t hd_access_quick(uintptr_t address, size_t size, enum hd_kind kind, void *pc);
/* How many of the `room` bytes at `at`, all in one word, does a call look at, as they are? */
typedef size_t hd_reach(const char *at, size_t room, const void *how);
/* A read of the first word whose length depends on what is there: that is looked at when
 * its turn has come. Looked at before, it would be another length in a process that
 * stops elsewhere. Returns its length, at least one. */
size_t hd_access_reach(uintptr_t address, size_t most, hd_reach *reach, const void *how, void *pc);

/* A volatile or atomic operation is about to happen: a point. Returns the
 * variable when it is this thread's turn; of 16 bytes, that of the first word.
 * `kind` is HD_VREAD, HD_VWRITE or HD_VRMW. */
struct hd_var *hd_access_atomic(uintptr_t address, unsigned size, enum hd_kind kind, void *pc);
/* One that reads and writes, in two halves: whether it changes anything shows when its
 * turn has come. It is a write all the same: it orders like one. But who spins with it
 * on a value that stays the same gets nowhere. */
struct hd_var *hd_access_begin(uintptr_t address, unsigned size, void *pc);
void hd_access_settle(bool changes);
/* A compare-exchange is one that only reads when it would fail: that is looked
 * at when its turn has come. */
struct hd_var *hd_access_cas(uintptr_t address, const void *at, const void *expected,
                             unsigned size, void *pc);
/* ... and took place. */
void hd_access_done(struct hd_var *var, enum hd_kind kind, unsigned order, unsigned flags,
                    void *pc);

/* Hidden state of a library: like data, it is visible once two threads have used
 * it unordered, but it is not the program's and no race on it is told. True if it
 * is visible: a point is needed. Else the access is counted and done. */
bool hd_access_hidden(struct hd_var *var, bool write, void *pc);

/* The current thread ends, by the operation under way, and its stack with it: that writes
 * to whatever others got at there. */
void hd_access_stack_ends(void);

/* These bytes are about to be freed: a write to every variable known in them. */
void hd_access_freed(uintptr_t address, size_t size, void *pc);
/* ... and were freed already: freed again. */
void hd_access_freed_again(uintptr_t address, void *pc);

/* One access inside a word, counted already; whatever there is to do. */
void hd_access_any(uintptr_t address, unsigned size, enum hd_kind kind, void *pc);

static inline bool hd_access_before(const struct hd_thread *self, uint32_t slot, uint32_t epoch) {
    return epoch == 0 || slot == self->slot || hd_clock_get(&self->clock, slot) > epoch;
}

/* What it writes into its own stack, a look at the stack will show: spin.h. */
static inline void hd_access_wrote(struct hd_thread *self, uintptr_t address) {
    if (address - (uintptr_t)self->stack_low >= self->stack_size) self->writes++;
}

/* The same of a variable of which nothing special is known. */
void hd_access_other(uintptr_t address, enum hd_kind kind, void *pc, uint64_t *cell,
                     struct hd_var *var);

/* ---- the event path --------------------------------------------------------------
 *
 * Instructions count here: an access that repeats the last one (hd_access_again)
 * takes about 25, one that says something new (hd_access_new) some 50 more. */

/* What the two need not look at: a limit is reached, heddle itself runs, memory that
 * was never accessed, bad alignment. */
void hd_access_late(uintptr_t address, unsigned size, enum hd_kind kind, void *pc);

/* A repetition? Else *new is the cell, or NULL for hd_access_late. */
static inline __attribute__((always_inline)) bool hd_access_again(uintptr_t address,
                                                                  unsigned size,
                                                                  enum hd_kind kind,
                                                                  uint64_t **new) {
    *new = NULL;
    struct hd_runtime *rt = (struct hd_runtime *)hd_rt_base();
    if (hd_unlikely(--rt->left[hd_lane(address)] < 0)) return false;
    if (hd_unlikely(address & (size - 1))) return false;
    if (size <= 2 && hd_likely(hd_small_said(address, size, kind == HD_WRITE))) return true;
    uint64_t *piece = hd_shadow_piece(address);
    if (hd_unlikely(!piece)) return false;
    *new = piece + ((address >> 2) & (HD_PIECE_CELLS - 1));
    if (size <= 2) return false;
    return hd_likely(hd_cell_said(**new ^ rt->stamp, 0, size, kind == HD_WRITE));
}

/* Of a variable of which nothing special is known: are the last read and the last write
 * this thread's, or before what it does now? */
static inline bool hd_access_alone(const struct hd_thread *self, const struct hd_var *var) {
    return hd_likely(var->slots == self->slots) ||
           (hd_access_before(self, var->wslot, var->wepoch) &&
            hd_access_before(self, var->rslot, var->repoch));
}

/* It was the last to read it: whoever wrote it before that came before that. */
static inline bool hd_access_read_last(const struct hd_thread *self, const struct hd_var *var) {
    return var->rslot == self->slot && var->repoch;
}

/* The variable of these bytes, which its cell or its word's ring leads to soon; or
 * another one. A cell has room for the number of one, and there may be four of two
 * bytes in a word. */
static inline uint32_t hd_access_number(uint32_t number, unsigned size, uint64_t head) {
    if (size > 2) return number;
    for (unsigned hops = 0; hops < 3 && hd_vars[number].head != head; hops++) {
        number = hd_vars[number].next;
    }
    return number;
}

/* Most often nobody else is concerned: there is nothing to do but to remember it and
 * to tell. */
static inline __attribute__((always_inline)) void hd_access_new(uintptr_t address, unsigned size,
                                                                enum hd_kind kind, void *pc,
                                                                uint64_t *cell) {
    if (hd_unlikely(!cell)) {
        hd_access_late(address, size, kind, pc);
        return;
    }
    struct hd_runtime *rt = hd_rt;
    __asm__("" : "+r"(rt)); /* in a register, once */
    struct hd_thread *self = rt->current;
    bool write = kind == HD_WRITE;
    unsigned off = size == 8 ? 0 : address & 7;
    uint64_t head = hd_var_head(rt->simple, off, size), now = rt->stamp;
    uint32_t number = hd_access_number(hd_cell_var(*cell), size, head);
    struct hd_var *var = &hd_vars[number];
    if (hd_unlikely(var->head != head)) {
        hd_access_any(address, size, kind, pc);
        return;
    }
    if (hd_unlikely(var->slots != self->slots) && (write || !hd_access_read_last(self, var))) {
        hd_access_other(address, kind, pc, cell, var);
        return;
    }
    unsigned said = var->stamp ^ (uint32_t)(now >> HD_STAMP_HIGH);
    struct hd_coder *coder = rt->coder;
    if (hd_likely(said >= HD_SAID_NONE)) {
        said = coder ? hd_said_first(write) : hd_said_unrecorded(write);
    } else if (hd_said(said, write)) { /* it shares its cell with another */
        *cell = now | hd_cell_code(off, size, said) | number;
        hd_small_say(address, size, said);
        return;
    } else {
        said = coder ? hd_said_after(said, write) : hd_said_unrecorded(write);
    }
    *cell = now | hd_cell_code(off, size, said) | number;
    hd_small_say(address, size, said);
    var->stamp = (uint32_t)(now >> HD_STAMP_HIGH) | said;
    if (write) {
        rt->progress_step = rt->steps;
        hd_access_wrote(self, address);
        var->wepoch = self->epoch;
        var->repoch = 0;
    } else {
        var->repoch = self->epoch;
    }
    if (coder) hd_record_plain_access(self, coder, kind, var, pc);
}

#endif
