/* access.c - an access that may say something new.
 *
 * Three questions in turn: is the memory alive; is the variable visible (then
 * this is a point); if not, was it last accessed by somebody with whom no
 * visible operation orders us (then it becomes visible here and now). Epochs are
 * those of FastTrack (Flanagan & Freund 2009), with this difference: the order
 * is that of all dependent visible operations, which is what decides whether a
 * switch at this access could matter. */
#include "access.h"

#include "access_inner.h"

#include "heap.h"
#include "module.h"
#include "record.h"

#include <stdio.h>

void hd_access_after_free(uintptr_t address, void *pc) {
    char what[300];
    if (hd_rt->current && hd_rt->current->freeing) hd_heap_freed_twice(address, pc);
    const struct hd_thread *owner = hd_stack_owner(address);
    if (owner) {
        hd_failure(HD_FAIL_MISUSE, pc, "use of the stack of thread %s, which has ended",
                   hd_thread_name(owner, what, sizeof what));
    }
    hd_describe_address(address, what, sizeof what);
    hd_failure(HD_FAIL_MISUSE, pc, "use after free of %s", what);
}

/* What the free of this block wrote: some variable in it, if not the one at hand. */
static struct hd_var *freed_with(uintptr_t address) {
    const struct hd_block *block = hd_heap_owns(address) ? hd_heap_block(address) : NULL;
    if (!block) return NULL;
    uintptr_t start = (uintptr_t)(block + 1), end = start + block->size;
    for (uintptr_t at = hd_shadow_seek(start, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        HD_EACH_IN_WORD(var, at) {
            if (var->generation == hd_rt->generation && var->wepoch) return var;
        }
    }
    return NULL;
}

/* The free is a write: another order of the two may be possible, so who comes after
 * it stands at a point like any other before that is a failure; and what it came
 * after explains the failure, so it is told. */
static void meet_free(struct hd_var *var, uintptr_t address, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    bool write = kind != HD_READ && kind != HD_VREAD;
    struct hd_var *freed = var && var->wepoch ? var : freed_with(address);
    if (freed) var = freed;
    if (!self || !var) return;
    if (!(var->flags & HD_VAR_VISIBLE) && races(self, var, write)) hd_var_show(var);
    self->events--; /* the point counts it */
    if (var->flags & HD_VAR_VISIBLE) {
        hd_point(write ? HD_WRITE : HD_READ, hd_var_place(var),
                 write ? HD_MODE_WRITE : HD_MODE_READ, pc);
    } else { /* its thread's own free; but it ends what others do */
        hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    }
    if (hd_rt->coder && self->freeing) hd_record_access(HD_WRITE, var, 0, HD_FLAG_FREES, pc);
    else tell(self, write ? HD_WRITE : HD_READ, var, pc);
}

void hd_access_freed_again(uintptr_t address, void *pc) {
    if (!hd_rt->current) return;
    hd_rt->current->events++;
    hd_rt->current->freeing = true;
    meet_free(NULL, address, HD_WRITE, pc);
}

static inline bool in_stacks(uintptr_t address) {
    return address - HD_AT_STACKS < HD_HOMES * HD_STACK_STRIDE;
}

/* It may be another thread's, and that one may have ended. */
static void meet_stack(const struct hd_thread *self, struct hd_var *var, uintptr_t address) {
    const struct hd_thread *owner = hd_stack_owner(address);
    if (!owner || !self || owner == self) return;
    hd_stack_meet(owner);
    if (owner->state != HD_THREAD_FINISHED) return;
    if (hd_clock_get(&self->clock, owner->slot) < owner->epoch) hd_var_show(var); /* or before it */
    var->flags |= HD_VAR_FREED;
}

void hd_access_stack_ends(void) {
    struct hd_thread *self = hd_rt->current;
    if (hd_likely(!hd_stack_met(self))) return;
    uintptr_t low = (uintptr_t)self->stack_low, end = low + self->stack_size;
    for (uintptr_t at = hd_shadow_seek(low, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        HD_EACH_IN_WORD(var, at) {
            if (var->generation != hd_rt->generation) continue;
            if (!(var->flags & HD_VAR_VISIBLE) && races(self, var, true)) hd_var_show(var);
            if (var->flags & HD_VAR_VISIBLE) hd_touch(hd_var_place(var), HD_MODE_WRITE);
        }
    }
    hd_shadow_freed(low, self->stack_size, true);
}

void hd_access_any(uintptr_t address, unsigned size, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    bool write = kind == HD_WRITE;
    if (hd_unlikely((address & 7) + size > 8)) { /* badly aligned: two words */
        self->events--;
        hd_access_range(address, size, kind, pc);
        return;
    }
    struct hd_var *var = hd_var_get(address, size);
    if (hd_unlikely(in_stacks(address))) meet_stack(self, var, address);
    if (accessed_alone(self, var, address, hd_shadow_cell(address), kind, pc)) return;
    if (hd_unlikely(var->flags & HD_VAR_FREED)) {
        meet_free(var, address, kind, pc);
        hd_access_after_free(address, pc);
    }
    if (!stamped(var, write)) { /* else it shares its cell with another */
        if (!(var->flags & HD_VAR_VISIBLE) && (races(self, var, write) || wanted(pc))) {
            hd_var_show(var);
        }
        if (var->flags & HD_VAR_VISIBLE) {
            self->events--; /* the point counts it */
            hd_point(kind, hd_var_place(var), write ? HD_MODE_WRITE : HD_MODE_READ, pc);
            if (hd_unlikely(var->flags & HD_VAR_FREED)) {
                tell(self, kind, var, pc);
                hd_access_after_free(address, pc);
            }
        }
        if (write) hd_rt->progress_step = hd_rt->steps;
        if (write) hd_access_wrote(self, address);
        remember(self, var, write);
        tell(self, kind, var, pc);
    }
    stamp(var, hd_shadow_cell(address), write);
}

void hd_access_other(uintptr_t address, enum hd_kind kind, void *pc, uint64_t *cell,
                     struct hd_var *var) {
    bool alone = hd_likely(!in_stacks(address));
    if (alone && accessed_alone(hd_rt->current, var, address, cell, kind, pc)) return;
    hd_access_any(address, var->size, kind, pc);
}

void hd_access_late(uintptr_t address, unsigned size, enum hd_kind kind, void *pc) {
    unsigned lane = hd_lane(address);
    if (!hd_rt->current) {
        hd_rt->left[lane] = 0;
        return;
    }
    if (hd_rt->left[lane] < 0) hd_count_late(lane, pc);
    hd_access_any(address, size, kind, pc);
}

/* Of the variables that were accessed in this execution in that word. */
static unsigned known_in_word(uintptr_t at, struct hd_var *list[], unsigned most) {
    unsigned count = 0;
    HD_EACH_IN_WORD(var, at) {
        if (var->generation != hd_rt->generation || (var->flags & HD_VAR_FREED)) continue;
        if (count < most) list[count++] = var;
    }
    return count;
}

#define IN_WORD 64

/* One event for all of a word, since how many there are depends on what earlier
 * executions did (access_range.c). */
static void free_word(uintptr_t at, struct hd_var *list[], unsigned count, void *pc) {
    struct hd_thread *self = hd_rt->current;
    struct hd_place *place = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct hd_var *var = list[i];
        if (!(var->flags & HD_VAR_VISIBLE) && (races(self, var, true) || wanted(pc))) hd_var_show(var);
        if (!place && (var->flags & HD_VAR_VISIBLE)) place = hd_var_place(var);
    }
    if (place) {
        self->events--; /* the point counts it */
        hd_point(HD_WRITE, place, HD_MODE_WRITE, pc);
        for (unsigned i = 0; i < count; i++) {
            if (!(list[i]->flags & HD_VAR_FREED)) continue;
            if (hd_rt->coder) hd_record_access(HD_WRITE, list[i], 0, HD_FLAG_FREES, pc);
            hd_access_after_free(hd_var_address(list[i]), pc);
        }
        count = known_in_word(at, list, IN_WORD); /* others may have come to it meanwhile */
    }
    hd_rt->progress_step = hd_rt->steps;
    for (unsigned i = 0; i < count; i++) {
        struct hd_var *var = list[i];
        uintptr_t address = hd_var_address(var);
        if (place && (var->flags & HD_VAR_VISIBLE) && hd_var_place(var) != place) {
            hd_touch(hd_var_place(var), HD_MODE_WRITE);
        }
        hd_access_wrote(self, address);
        remember(self, var, true);
        if (hd_rt->coder) hd_record_access(HD_WRITE, var, 0, HD_FLAG_FREES, pc);
        stamp(var, hd_shadow_cell(address), true);
    }
}

void hd_access_freed(uintptr_t address, size_t size, void *pc) {
    struct hd_thread *self = hd_rt->current;
    uintptr_t end = address + size;
    bool any = false;
    self->freeing = true;
    for (uintptr_t at = hd_shadow_seek(address, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        struct hd_var *list[IN_WORD];
        unsigned count = known_in_word(at, list, IN_WORD);
        if (!count) continue;
        any = true;
        hd_count(pc);
        if (count == 1 && stamped(list[0], true)) continue; /* it wrote it last, and said so */
        free_word(at, list, count, pc);
    }
    /* Nobody has touched it yet; somebody may still. */
    if (!any && size) {
        hd_count(pc);
        hd_access_any(address, size < 8 ? (unsigned)size : 8, HD_WRITE, pc);
    }
    self->freeing = false;
}

/* ---- atomics ------------------------------------------------------------------- */

bool hd_access_hidden(struct hd_var *var, bool write, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(var->flags & HD_VAR_FREED)) hd_access_after_free(hd_var_address(var), pc);
    if (!(var->flags & HD_VAR_VISIBLE)) {
        if (!races(self, var, write)) {
            hd_collect(self); /* exact: libc/files.c may take it back */
            if (hd_unlikely(++self->events > self->limit)) hd_limit(self, pc);
            hd_lend(self);
            remember(self, var, write);
            return false;
        }
        hd_var_show(var);
    }
    return true;
}

static struct hd_var *atomic_var(uintptr_t address, unsigned size) {
    struct hd_var *var = hd_var_get(address, size > 8 ? 8 : size);
    var->flags |= HD_VAR_ATOMIC;
    if (hd_unlikely(in_stacks(address))) meet_stack(hd_rt->current, var, address);
    if (!(var->flags & HD_VAR_VISIBLE)) hd_var_show(var);
    if (size > 8) hd_var_second(var);
    return var;
}

static void atomic_after_free(struct hd_var *var, uintptr_t address, void *pc) {
    if (hd_rt->current) hd_rt->current->events++;
    meet_free(var, address, HD_WRITE, pc);
    hd_access_after_free(address, pc);
}

struct hd_var *hd_access_atomic(uintptr_t address, unsigned size, enum hd_kind kind, void *pc) {
    struct hd_var *var = atomic_var(address, size);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) atomic_after_free(var, address, pc);
    if (!hd_rt->current) return var;
    hd_point(kind, hd_var_place(var), kind == HD_VREAD ? HD_MODE_READ : HD_MODE_WRITE, pc);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) hd_access_after_free(address, pc);
    return var;
}

static int differs(const void *a, const void *b, unsigned size) {
    const unsigned char *x = a, *y = b;
    while (size--) {
        if (*x++ != *y++) return 1;
    }
    return 0;
}

struct hd_var *hd_access_begin(uintptr_t address, unsigned size, void *pc) {
    struct hd_var *var = atomic_var(address, size);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) atomic_after_free(var, address, pc);
    if (!hd_rt->current) return var;
    hd_point_begin(HD_VRMW, hd_var_place(var), HD_MODE_WRITE, pc);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) hd_access_after_free(address, pc);
    return var;
}

void hd_access_settle(bool changes) {
    if (!hd_rt->current) return;
    hd_rt->current->op.same = !changes;
    hd_point_settle(HD_MODE_WRITE);
}

struct hd_var *hd_access_cas(uintptr_t address, const void *at, const void *expected,
                             unsigned size, void *pc) {
    struct hd_var *var = hd_access_begin(address, size, pc);
    bool fails = differs(at, expected, size);
    if (hd_rt->current) hd_point_settle(fails ? HD_MODE_READ : HD_MODE_WRITE);
    return var;
}

void hd_access_done(struct hd_var *var, enum hd_kind kind, unsigned order, unsigned flags,
                    void *pc) {
    if (!hd_rt->current) return;
    remember(hd_rt->current, var, kind != HD_VREAD);
    if (kind != HD_VREAD) hd_rt->progress_step = hd_rt->steps;
    if (hd_rt->recording) hd_record_access(kind, var, order, flags, pc);
}
