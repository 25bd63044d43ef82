/* access.c - an access that may say something new.
 *
 * Three questions in turn: is the memory alive; is the variable visible (then
 * this is a point); if not, was it last accessed by somebody with whom no
 * visible operation orders us (then it becomes visible here and now). Epochs are
 * those of FastTrack (Flanagan & Freund 2009), with this difference: the order
 * is that of all dependent visible operations, which is what decides whether a
 * switch at this access could matter. */
#include "access.h"

#include "heap.h"
#include "module.h"
#include "record.h"

#include <stdio.h>

static void used_after_free(uintptr_t address, void *pc) {
    char what[300];
    if (hd_rt->current && hd_rt->current->freeing) hd_heap_freed_twice(address, pc);
    hd_describe_address(address, what, sizeof what);
    hd_failure(HD_FAIL_MISUSE, pc, "use after free of %s", what);
}

/* Is some earlier access through `var` that conflicts with ours unordered? */
static bool unordered(const struct hd_thread *self, const struct hd_var *var, bool write) {
    if (!hd_access_before(self, var->wslot, var->wepoch)) return true;
    if (!write) return false;
    if (!(var->flags & HD_VAR_READERS)) return !hd_access_before(self, var->rslot, var->repoch);
    const struct hd_clock *readers = hd_var_more(var)->readers;
    for (uint32_t slot = 0; slot < readers->count; slot++) {
        if (!hd_access_before(self, slot, readers->at[slot])) return true;
    }
    return false;
}

static bool races(const struct hd_thread *self, const struct hd_var *var, bool write) {
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

static void remember_read(const struct hd_thread *self, struct hd_var *var) {
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

static bool stamped(const struct hd_var *var, bool write) {
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
static bool wanted(void *pc) {
    return hd_unlikely(hd_rt->strategy->shows != NULL) && hd_rt->strategy->shows(pc);
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
    tell(self, write ? HD_WRITE : HD_READ, var, pc);
}

void hd_access_freed_again(uintptr_t address, void *pc) {
    if (!hd_rt->current) return;
    hd_rt->current->events++;
    meet_free(NULL, address, HD_WRITE, pc);
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
static bool accessed_alone(struct hd_thread *self, struct hd_var *var, uintptr_t address,
                           uint64_t *cell, enum hd_kind kind, void *pc) {
    if (var->generation != hd_rt->simple || var->flags || !hd_access_alone(self, var)) return false;
    if (stamped(var, kind == HD_WRITE)) stamp(var, cell, kind == HD_WRITE);
    else accessed(self, var, address, cell, kind, pc);
    return true;
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
    if (accessed_alone(self, var, address, hd_shadow_cell(address), kind, pc)) return;
    if (hd_unlikely(var->flags & HD_VAR_FREED)) {
        meet_free(var, address, kind, pc);
        used_after_free(address, pc);
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
                used_after_free(address, pc);
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
    if (accessed_alone(hd_rt->current, var, address, cell, kind, pc)) return;
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

void hd_access_freed(uintptr_t address, size_t size, void *pc) {
    struct hd_thread *self = hd_rt->current;
    uintptr_t end = address + size;
    bool any = false;
    self->freeing = true;
    for (uintptr_t at = hd_shadow_seek(address, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        HD_EACH_IN_WORD(var, at) {
            if (var->generation != hd_rt->generation || (var->flags & HD_VAR_FREED)) continue;
            hd_count(pc);
            uintptr_t there = hd_var_address(var);
            if (!accessed_alone(self, var, there, hd_shadow_cell(there), HD_WRITE, pc)) {
                hd_access_any(there, var->size, HD_WRITE, pc);
            }
            any = true;
        }
    }
    /* Nobody has touched it yet; somebody may still. */
    if (!any && size) hd_access_word(address, size, HD_WRITE, pc);
    self->freeing = false;
}

/* ---- ranges ------------------------------------------------------------------ */

/* A range has no variables of its own: in each word it is the sum of those that
 * the program was seen to have there, and of what lies between them. */
static unsigned tile(uintptr_t address, unsigned room) {
    unsigned off = address & 7, length = room;
    HD_EACH_IN_WORD(var, address) {
        unsigned end = var->off + var->size;
        if (var->off == off) {
            if (var->size < length) length = var->size;
        } else if (var->off > off) {
            if (var->off - off < length) length = var->off - off;
        } else if (end > off && end - off < length) {
            length = end - off;
        }
    }
    return length;
}

/* Access `room` bytes inside one word, unless a point is needed; false if so. */
static bool access_word(struct hd_thread *self, uintptr_t address, unsigned room,
                        enum hd_kind kind, void *pc) {
    bool write = kind == HD_WRITE;
    struct hd_var *tiles[8];
    unsigned count = 0;
    if (wanted(pc)) return false;
    for (unsigned done = 0; done < room; done += tiles[count++]->size) {
        unsigned length = tile(address + done, room - done);
        tiles[count] = hd_var_get_soft(address + done, length);
    }
    for (unsigned i = 0; i < count; i++) {
        if (hd_unlikely(tiles[i]->flags & HD_VAR_FREED)) used_after_free(hd_var_address(tiles[i]), pc);
        if (tiles[i]->flags & HD_VAR_VISIBLE) return false;
        if (!stamped(tiles[i], write) && races(self, tiles[i], write)) return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (stamped(tiles[i], write)) continue;
        uint64_t *cell = hd_shadow_cell(hd_var_address(tiles[i]));
        accessed(self, tiles[i], address, cell, kind, pc);
    }
    return true;
}

/* The same for most words: these bytes are the only variable there. False: it is not
 * as simple as that. */
static bool access_only(struct hd_thread *self, uintptr_t address, unsigned room, uint64_t *cell,
                        enum hd_kind kind, void *pc) {
    uint32_t number = hd_cell_var(*cell);
    struct hd_var *var = &hd_vars[number];
    bool write = kind == HD_WRITE;
    if (var->off != (address & 7) || var->size != room) return false;
    if (stamped(var, write)) return true;
    if (var->next != number || !hd_rt->simple) return false;
    hd_var_fresh(var, address);
    if (var->flags & (HD_VAR_VISIBLE | HD_VAR_FREED)) return false;
    if (unordered(self, var, write)) return false;
    accessed(self, var, address, cell, kind, pc);
    return true;
}

static bool own(uintptr_t address) { /* heddle's: not the program's business */
    return address - HD_AT_RUNTIME < HD_AT_HEAP - HD_AT_RUNTIME;
}

static unsigned in_word(uintptr_t address, size_t size) {
    unsigned room = 8 - (address & 7);
    return size < room ? (unsigned)size : room;
}

size_t hd_access_plain(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self || own(address))) return size;
    size_t done = 0;
    while (done < size) {
        unsigned room = in_word(address + done, size - done);
        hd_count(pc);
        if (!access_only(self, address + done, room, hd_shadow_cell(address + done), kind, pc) &&
            !access_word(self, address + done, room, kind, pc)) {
            self->events--; /* not yet */
            break;
        }
        done += room;
    }
    return done;
}

size_t hd_access_word(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    unsigned room = in_word(address, size);
    if (hd_unlikely(!self || own(address))) return room;
    hd_count(pc);
    hd_access_any(address, room, kind, pc);
    return room;
}

void hd_access_range(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    for (size_t done = 0; done < size;) {
        done += hd_access_plain(address + done, size - done, kind, pc);
        if (done < size) done += hd_access_word(address + done, size - done, kind, pc);
    }
}

/* ---- atomics ------------------------------------------------------------------- */

bool hd_access_hidden(struct hd_var *var, bool write, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(var->flags & HD_VAR_FREED)) used_after_free(hd_var_address(var), pc);
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
    if (!(var->flags & HD_VAR_VISIBLE)) hd_var_show(var);
    if (size > 8) hd_var_second(var);
    return var;
}

static void atomic_after_free(struct hd_var *var, uintptr_t address, void *pc) {
    if (hd_rt->current) hd_rt->current->events++;
    meet_free(var, address, HD_WRITE, pc);
    used_after_free(address, pc);
}

struct hd_var *hd_access_atomic(uintptr_t address, unsigned size, enum hd_kind kind, void *pc) {
    struct hd_var *var = atomic_var(address, size);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) atomic_after_free(var, address, pc);
    if (!hd_rt->current) return var;
    hd_point(kind, hd_var_place(var), kind == HD_VREAD ? HD_MODE_READ : HD_MODE_WRITE, pc);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) used_after_free(address, pc);
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
    if (hd_unlikely(var->flags & HD_VAR_FREED)) used_after_free(address, pc);
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
