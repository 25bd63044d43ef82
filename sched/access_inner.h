/* access_inner.h - what is known of a variable, asked and noted: for access.c and
 * access_range.c, where the rules stand. */
#ifndef HD_ACCESS_INNER_H
#define HD_ACCESS_INNER_H

#include "access.h"

/* Fails: the memory is no more. */
void hd_access_after_free(uintptr_t address, void *pc) __attribute__((noreturn));

/* Is some earlier access through `var` that conflicts with ours unordered? */
static inline bool unordered(const struct hd_thread *self, const struct hd_var *var, bool write) {
    if (!hd_access_before(self, var->wslot, var->wepoch)) return true;
    if (!write) return false;
    if (!(var->flags & HD_VAR_READERS)) return !hd_access_before(self, var->rslot, var->repoch);
    const struct hd_clock *readers = hd_var_more(var)->readers;
    for (uint32_t slot = 0; slot < readers->count; slot++) {
        if (!hd_access_before(self, slot, readers->at[slot])) return true;
    }
    return false;
}

static inline bool races(const struct hd_thread *self, const struct hd_var *var, bool write) {
    if (hd_likely(!(var->flags & HD_VAR_MIXED))) return unordered(self, var, write);
    HD_EACH_IN_WORD(other, hd_var_address(var)) {
        if (other->generation == hd_rt->generation && other->off < var->off + var->size &&
            var->off < other->off + other->size && unordered(self, other, write)) {
            return true;
        }
    }
    return false;
}

static inline void remember_write(const struct hd_thread *self, struct hd_var *var) {
    var->slots = self->slots;
    var->wepoch = self->epoch;
    var->repoch = 0; /* all reads come before this write, or the variable is visible */
    var->flags &= (uint8_t)~HD_VAR_READERS;
}

static inline void remember_read(const struct hd_thread *self, struct hd_var *var) {
    struct hd_var_more *more = hd_var_more(var);
    if (var->rslot == self->slot && var->repoch == self->epoch) return; /* known */
    if (var->flags & HD_VAR_READERS) {
        hd_clock_set(more->readers, self->slot, self->epoch);
    } else if (!hd_access_before(self, var->rslot, var->repoch)) {
        /* two readers, neither before the other */
        more->readers = hd_passing(sizeof *more->readers);
        hd_clock_set(more->readers, var->rslot, var->repoch);
        hd_clock_set(more->readers, self->slot, self->epoch);
        var->flags |= HD_VAR_READERS;
    }
    var->rslot = self->slot; /* with READERS: the last one */
    var->repoch = self->epoch;
}

static inline void tell(struct hd_thread *self, enum hd_kind kind, struct hd_var *var, void *pc) {
    if (!hd_rt->coder) return;
    if (hd_unlikely(hd_rt->config.values)) hd_record_access(kind, var, 0, 0, pc);
    else hd_record_plain_access(self, hd_rt->coder, kind, var, pc);
}

static inline void remember(const struct hd_thread *self, struct hd_var *var, bool write) {
    write ? remember_write(self, var) : remember_read(self, var);
}

static inline bool stamped(const struct hd_var *var, bool write) {
    return hd_said(var->stamp ^ hd_stamp_short(), write);
}

/* It was told, or need not be: what does its like say from now on? */
static inline void stamp(struct hd_var *var, uint64_t *cell, bool write) {
    if ((var->flags & (HD_VAR_VISIBLE | HD_VAR_MIXED)) || hd_rt->config.every_access) return;
    unsigned said = var->stamp ^ hd_stamp_short();
    if (!hd_said(said, write)) {
        said = hd_rt->coder ? hd_said_after(said, write) : hd_said_unrecorded(write);
        var->stamp = hd_stamp_short() | said;
    }
    hd_small_say(hd_var_address(var), var->size, said);
    if (hd_unlikely(var->size & (var->size - 1))) return; /* 3, 5, 6, 7: no code for it */
    *cell = hd_rt->stamp | hd_cell_code(var->off, var->size, said) | (uint64_t)(var - hd_vars);
}

/* The strategy wants a point here, whatever is known of the variable. */
static inline bool wanted(void *pc) {
    return hd_unlikely(hd_rt->strategy->shows != NULL) && hd_rt->strategy->shows(pc);
}

static inline void accessed(struct hd_thread *self, struct hd_var *var, uintptr_t address, uint64_t *cell,
                     enum hd_kind kind, void *pc) {
    bool write = kind == HD_WRITE;
    if (write) hd_rt->progress_step = hd_rt->steps;
    if (write) hd_access_wrote(self, address);
    remember(self, var, write);
    tell(self, kind, var, pc);
    stamp(var, cell, write);
}

/* Nothing special is known of it, and nobody else is concerned: that is all. */
static inline bool accessed_alone(struct hd_thread *self, struct hd_var *var, uintptr_t address,
                           uint64_t *cell, enum hd_kind kind, void *pc) {
    if (var->generation != hd_rt->simple || var->flags || !hd_access_alone(self, var)) return false;
    if (stamped(var, kind == HD_WRITE)) stamp(var, cell, kind == HD_WRITE);
    else accessed(self, var, address, cell, kind, pc);
    return true;
}

#endif
