/* guard.c - C++ function-local statics.
 *
 * The compiler tests the guard's first byte and calls these only while it is
 * 0. libstdc++'s own versions would block the whole process if a constructor
 * switches to another thread that comes to the same static. The tag is in the
 * guard's upper half. Storing the first byte is an atomic release that the
 * compiled test's atomic load meets. */
#include "block.h"

#include "../access.h"

#include <stdint.h>

extern int __cxa_guard_acquire(uint64_t *guard);
extern void __cxa_guard_release(uint64_t *guard);
extern void __cxa_guard_abort(uint64_t *guard);

static struct hd_primitive *guard_of(uint64_t *guard, void *pc) {
    return hd_primitive_get((uint32_t *)(void *)guard + 1, HD_SYNC_ONCE, pc);
}

static uint8_t *done(uint64_t *guard) { return (uint8_t *)guard; }

/* As for pthread_once: done, it is only looked at. */
static bool nobody_at_it(struct hd_thread *thread, void *argument) {
    const struct hd_primitive *self = argument;
    const uint8_t *first = (const uint8_t *)(self->tag - 1);
    thread->op.mode = *first ? HD_MODE_READ : HD_MODE_WRITE;
    return self->owner == 0;
}

HD_TAKEN int __cxa_guard_acquire(uint64_t *guard) {
    if (*done(guard)) return 0;
    if (!hd_booted) return 1;
    struct hd_primitive *self = guard_of(guard, HD_PC());
    if (self->owner == hd_me() && hd_inside()) {
        hd_complain(HD_FAIL_DEADLOCK, self, HD_PC(),
                    "comes to a static variable again while initialising it");
    }
    hd_block(HD_ONCE, &self->place, HD_MODE_WRITE, HD_PC(), nobody_at_it, self, HD_NEVER, 0);
    if (*done(guard)) {
        hd_record_sync(HD_ONCE, self, 0, HD_FLAG_TRY, HD_PC());
        return 0;
    }
    self->owner = hd_me();
    self->where = HD_PC();
    hd_changed(&self->place);
    return 1;
}

HD_TAKEN void __cxa_guard_release(uint64_t *guard) {
    if (!hd_inside()) {
        *done(guard) = 1;
        if (hd_booted) guard_of(guard, HD_PC())->owner = 0;
        return;
    }
    struct hd_primitive *self = guard_of(guard, HD_PC());
    struct hd_var *var = hd_access_atomic((uintptr_t)done(guard), 1, HD_VWRITE, HD_PC());
    *done(guard) = 1;
    if (var) hd_access_done(var, HD_VWRITE, HD_RELEASE_ORDER, 0, HD_PC());
    /* Whoever waits is let go by an operation on what it waits for. */
    hd_step(HD_ONCE, &self->place, HD_MODE_WRITE, HD_PC());
    hd_record_sync(HD_ONCE, self, 0, 0, HD_PC());
    self->owner = 0;
    hd_changed(&self->place);
}

HD_TAKEN void __cxa_guard_abort(uint64_t *guard) {
    if (!hd_booted) return;
    struct hd_primitive *self = guard_of(guard, HD_PC());
    hd_step(HD_ONCE, &self->place, HD_MODE_WRITE, HD_PC());
    self->owner = 0;
    hd_changed(&self->place);
}
