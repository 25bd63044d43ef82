/* spin.c - is a thread's state the same as before? See spin.h. */
#include "spin.h"

#include "class.h"
#include "runtime.h"

#include <unwind.h>

enum { MOST_PLACES = 32, MOST_STACK = 1 << 16 };

struct hd_spin_place {
    struct hd_place *place;
    uint32_t version, news; /* when it was read */
    bool lock;              /* that it took: no change of data without news */
};

struct look {
    const struct hd_thread *thread;
    uint64_t hash; /* 0: the frame was not found */
};

#if defined(__x86_64__)
static const int kept[] = {3, 6, 12, 13, 14, 15}; /* rbx, rbp, r12 to r15 */
#elif defined(__aarch64__)
static const int kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif

/* The frame that called heddle: its registers, and the stack from there up. */
static _Unwind_Reason_Code at_frame(struct _Unwind_Context *context, void *argument) {
    struct look *look = argument;
    const struct hd_thread *self = look->thread;
    if (_Unwind_GetIP(context) != (uintptr_t)self->op.pc) return _URC_NO_REASON;
    uintptr_t sp = _Unwind_GetCFA(context);
    uintptr_t top = (uintptr_t)self->stack_low + self->stack_size;
    if (sp < (uintptr_t)self->stack_low || sp >= top || top - sp > MOST_STACK) {
        return _URC_END_OF_STACK;
    }
    uint64_t hash = hd_mix(sp, self->allocations);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        hash = hd_mix(hash, _Unwind_GetGR(context, kept[i]));
    }
    for (sp = (sp + 7) & ~7UL; sp + 8 <= top; sp += 8) {
        hash = hd_mix(hash, *(const uint64_t *)sp);
    }
    look->hash = hash ? hash : 1;
    return _URC_END_OF_STACK;
}

static uint64_t state_of(const struct hd_thread *self) {
    struct look look = {self, 0};
    hd_rt->quiet_depth++;
    hd_rt->entered = true;
    _Unwind_Backtrace(at_frame, &look);
    hd_rt->quiet_depth--;
    return look.hash;
}

uint64_t hd_spin_state(const struct hd_thread *self) { return state_of(self); }

static _Unwind_Reason_Code no_frame(struct _Unwind_Context *context, void *argument) {
    (void)context;
    (void)argument;
    return _URC_END_OF_STACK;
}

void hd_spin_boot(void) { _Unwind_Backtrace(no_frame, NULL); }

bool hd_spin_again(struct hd_thread *self) {
    struct hd_spin *spin = &self->spin;
    spin->visits++;
    /* A loop that counts never comes back: look at it less and less often, at
     * two turns in a row each time. */
    bool first = (spin->visits & (spin->visits - 1)) == 0;
    bool second = spin->visits > 1 && ((spin->visits - 1) & (spin->visits - 2)) == 0;
    bool waits = spin->logging && spin->count <= MOST_PLACES && spin->count > 0 && spin->balance == 0;
    spin->balance = 0;
    if (!first && !second && !spin->repeating) {
        spin->logging = false;
        return false;
    }
    uint64_t state = state_of(self);
    spin->repeating = waits && state != 0 && state == spin->state;
    spin->state = state;
    if (spin->repeating) return true;
    spin->logging = state != 0;
    spin->count = 0;
    return false;
}

bool hd_spin_yields(struct hd_thread *self) {
    struct hd_spin *spin = &self->spin;
    bool again = spin->yields.pc == self->op.pc && spin->yields.writes == self->writes &&
                 spin->yields.epoch + 1 == self->epoch && !self->looks;
    bool parked = spin->aside;
    spin->aside = false;
    spin->yields.epoch = self->epoch;
    if (!again) {
        spin->yields.pc = self->op.pc;
        spin->yields.writes = self->writes;
        spin->yields.count = 0;
        spin->yields.state = 0;
        if (parked) spin->rounds = 0; /* it was not in vain */
        return false;
    }
    /* As above: at two turns in a row, less and less often. */
    uint32_t count = ++spin->yields.count;
    if ((count & (count - 1)) != 0 && ((count - 1) & (count - 2)) != 0 && !parked) return false;
    uint64_t state = state_of(self);
    spin->aside = state != 0 && state == spin->yields.state;
    spin->yields.state = state;
    if (parked && !spin->aside) spin->rounds = 0;
    if (!spin->aside) return false;
    spin->logging = spin->repeating = false;
    spin->count = 0;
    return true;
}

void hd_spin_log(struct hd_thread *self, struct hd_place *place, bool lock) {
    struct hd_spin *spin = &self->spin;
    if (!spin->places) spin->places = hd_passing(MOST_PLACES * sizeof *spin->places);
    for (uint32_t i = 0; i < spin->count && i < MOST_PLACES; i++) {
        struct hd_spin_place *known = &spin->places[i];
        if (known->place != place) continue;
        *known = (struct hd_spin_place){place, place->version, place->news, known->lock && lock};
        return;
    }
    if (spin->count < MOST_PLACES) {
        spin->places[spin->count++] =
            (struct hd_spin_place){place, place->version, place->news, lock};
    } else {
        spin->count = MOST_PLACES + 1; /* too many to wait for */
    }
}

bool hd_spin_changed(const struct hd_thread *self) {
    const struct hd_spin *spin = &self->spin;
    for (uint32_t i = 0; i < spin->count; i++) {
        const struct hd_spin_place *read = &spin->places[i];
        if (read->lock && !read->place->tried ? read->place->news != read->news
                                              : read->place->version != read->version) {
            return true;
        }
    }
    return false;
}

void hd_spin_read_all(struct hd_thread *self) {
    struct hd_spin *spin = &self->spin;
    uint32_t count = spin->count;
    spin->logging = false;
    for (uint32_t i = 0; i < count; i++) {
        if (spin->places[i].place != self->op.place) hd_touch(spin->places[i].place, HD_MODE_READ);
    }
    spin->logging = true;
    spin->count = 0;
}
