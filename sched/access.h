/* access.h - the program touches memory. */
#ifndef HD_ACCESS_H
#define HD_ACCESS_H

#include "runtime.h"
#include "shadow.h"

/* Any bytes, before they are touched; any length. `kind` is HD_READ or HD_WRITE.
 * One event for each word of eight bytes that it reaches into. */
void hd_access_range(uintptr_t address, size_t size, enum hd_kind kind, void *pc);
/* The same in steps, for those who must touch each visible piece in its turn:
 * as much as goes without a point (0 if the first word is visible) ... */
size_t hd_access_plain(uintptr_t address, size_t size, enum hd_kind kind, void *pc);
/* ... and the part that lies in the first word, with one. Returns its length. */
size_t hd_access_word(uintptr_t address, size_t size, enum hd_kind kind, void *pc);

/* A volatile or atomic operation is about to happen: a point. Returns the
 * variable when it is this thread's turn. `kind` is HD_VREAD, HD_VWRITE or
 * HD_VRMW. */
struct hd_var *hd_access_atomic(uintptr_t address, unsigned size, enum hd_kind kind, void *pc);
/* One that reads and may write, in two halves: whether it changes anything shows
 * when its turn has come. */
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

/* These bytes are about to be freed: a write to every variable known in them. */
void hd_access_freed(uintptr_t address, size_t size, void *pc);

void hd_access_slow(uintptr_t address, unsigned size, enum hd_kind kind, void *pc);

/* The event path. Inside one word; 1, 2, 4 or 8 bytes, aligned. */
static inline __attribute__((always_inline)) void hd_access(uintptr_t address, unsigned size,
                                                            enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self)) return; /* heddle itself runs, or no execution does */
    if (hd_unlikely(++self->events > self->limit)) hd_limit(self, pc);
    const struct hd_var *var = &hd_vars[*hd_shadow_cell(address)];
    if (hd_likely(var->off == (address & 7) && var->size == size &&
                  (kind == HD_READ ? var->rstamp : var->wstamp) == self->stamp)) {
        return;
    }
    hd_access_slow(address, size, kind, pc);
}

#endif
