/* access_range.c - bytes that are accessed together: a struct that is copied, a word that
 * is badly aligned, what a library function touches.
 *
 * Compiled code tells of all of them and then moves them; nobody can come in between. So
 * an access of compiled code is one operation, whatever it touches: if any of it is
 * visible there is one point, and after it all visible pieces are met at once. (A
 * processor may let others see half of a struct. That is not tried, and a race on such
 * an access is not called benign: HD_FLAG_MORE.) A library function moves its bytes
 * here, piece by piece, each visible one in its turn.
 *
 * However much of it is visible, and into however many variables earlier executions
 * divided it: each word of eight bytes is one event, and they come in the same order.
 * A schedule counts events, and is followed in a process that knows nothing yet. */
#include "access_inner.h"

#include "heap.h"

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
        if (hd_unlikely(tiles[i]->flags & HD_VAR_FREED)) hd_access_after_free(hd_var_address(tiles[i]), pc);
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

size_t hd_access_quick(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self || own(address))) return size;
    size_t done = 0;
    while (done < size && hd_rt->left[0] > 0) { /* else it may be at its limit */
        unsigned room = in_word(address + done, size - done);
        hd_rt->left[0]--;
        if (!access_only(self, address + done, room, hd_shadow_cell(address + done), kind, pc) &&
            !access_word(self, address + done, room, kind, pc)) {
            hd_rt->left[0]++; /* not yet */
            break;
        }
        done += room;
    }
    return done;
}

static unsigned reach_of(hd_reach *reach, uintptr_t address, unsigned room, const void *how) {
    size_t size = reach((const char *)address, room, how);
    return size ? (unsigned)size : 1;
}

size_t hd_access_reach(uintptr_t address, size_t most, hd_reach *reach, const void *how, void *pc) {
    struct hd_thread *self = hd_rt->current;
    unsigned room = in_word(address, most);
    if (hd_unlikely(!self || own(address))) return reach((const char *)address, room, how);
    hd_count(pc);
    unsigned size = reach_of(reach, address, room, how);
    if (access_only(self, address, size, hd_shadow_cell(address), HD_READ, pc)) return size;
    if (access_word(self, address, size, HD_READ, pc)) return size;
    struct hd_var *var = hd_var_get(address, size);
    if (hd_likely(!(var->flags & HD_VAR_FREED))) {
        struct hd_place *place;
        hd_var_show(var);
        place = hd_var_place(var);
        self->events--; /* the point counts it */
        hd_point(HD_READ, place, HD_MODE_READ, pc);
        size = reach_of(reach, address, room, how);
        var = hd_var_get(address, size);
        hd_var_show(var);
        if (hd_var_place(var) != place) hd_touch(hd_var_place(var), HD_MODE_READ);
        tell(self, HD_READ, var, pc);
        if (hd_unlikely(var->flags & HD_VAR_FREED)) hd_access_after_free(address, pc);
        remember(self, var, false);
        return size;
    }
    hd_access_any(address, size, HD_READ, pc);
    return size;
}

size_t hd_access_word(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    unsigned room = in_word(address, size);
    if (hd_unlikely(!self || own(address))) return room;
    hd_count(pc);
    /* As hd_access_quick has it, which leaves words to this for other reasons than points. */
    if (access_only(self, address, room, hd_shadow_cell(address), kind, pc)) return room;
    if (access_word(self, address, room, kind, pc)) return room;
    hd_access_any(address, room, kind, pc);
    return room;
}

/* ---- all at once ----------------------------------------------------------------- */

struct pieces {
    enum hd_kind kind;
    void *pc;
    struct hd_var *last; /* not told yet: whether more follow is not known */
    unsigned count;
};

static void tell_last(const struct pieces *self, unsigned more) {
    unsigned flags = more | (self->count > 1 ? HD_FLAG_PART : 0);
    if (self->last && hd_rt->coder) hd_record_access(self->kind, self->last, 0, flags, self->pc);
}

static bool is_touched(const struct hd_place *place) {
    for (uint32_t i = 0; i < hd_rt->touch_count; i++) {
        if (hd_rt->touches[i].place == place) return true;
    }
    return false;
}

static void piece(struct pieces *self, uintptr_t address, unsigned size) {
    struct hd_thread *thread = hd_rt->current;
    bool write = self->kind == HD_WRITE;
    struct hd_var *var = hd_var_get_soft(address, size);
    if (hd_unlikely(var->flags & HD_VAR_FREED)) hd_access_after_free(address, self->pc);
    if (!(var->flags & HD_VAR_VISIBLE)) {
        if (stamped(var, write)) return;
        if (races(thread, var, write)) hd_var_show(var);
    }
    if (var->flags & HD_VAR_VISIBLE) {
        struct hd_place *place = hd_var_place(var);
        if (!is_touched(place)) hd_touch(place, write ? HD_MODE_WRITE : HD_MODE_READ);
    }
    if (write) hd_rt->progress_step = hd_rt->steps;
    if (write) hd_access_wrote(thread, address);
    remember(thread, var, write);
    stamp(var, hd_shadow_cell(address), write);
    tell_last(self, HD_FLAG_MORE);
    self->last = var;
    self->count++;
}

/* The first that is visible, or becomes so now; NULL: the strategy wanted a point. */
static struct hd_var *first_visible(uintptr_t address, size_t size, bool write) {
    const struct hd_thread *self = hd_rt->current;
    for (size_t done = 0; done < size;) {
        unsigned length = tile(address + done, in_word(address + done, size - done));
        struct hd_var *var = hd_var_get_soft(address + done, length);
        if (!(var->flags & HD_VAR_VISIBLE) && races(self, var, write)) hd_var_show(var);
        if (var->flags & HD_VAR_VISIBLE) return var;
        done += length;
    }
    return NULL;
}

static void together(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    struct hd_thread *self = hd_rt->current;
    struct pieces pieces = {.kind = kind, .pc = pc};
    struct hd_var *first = first_visible(address, size, kind == HD_WRITE);
    if (!first) hd_var_show(first = hd_var_get_soft(address, tile(address, in_word(address, size))));
    hd_point(kind, hd_var_place(first), kind == HD_WRITE ? HD_MODE_WRITE : HD_MODE_READ, pc);
    uint64_t words = ((address + size - 1) >> 3) - (address >> 3);
    self->events += words; /* one for each, the point counted the first */
    hd_lend(self);
    for (size_t done = 0; done < size;) {
        unsigned length = tile(address + done, in_word(address + done, size - done));
        piece(&pieces, address + done, length);
        done += length;
    }
    tell_last(&pieces, 0);
}

void hd_access_range(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    size_t done = hd_access_plain(address, size, kind, pc);
    if (done < size) together(address + done, size - done, kind, pc);
}
