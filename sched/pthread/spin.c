/* spin.c - spin locks: mutexes without types, a tag and nothing else.
 *
 * A thread that spins is modelled as one that waits: spinning on changes
 * nothing until somebody unlocks. */
#include "block.h"

#include <errno.h>
#include <pthread.h>

static struct hd_primitive *spin_of(pthread_spinlock_t *lock, void *pc) {
    return hd_primitive_get((void *)(uintptr_t)lock, HD_SYNC_SPINLOCK, pc);
}

static bool is_free(struct hd_thread *thread, void *argument) {
    (void)thread;
    return ((const struct hd_primitive *)argument)->owner == 0;
}

static void take(struct hd_primitive *self, unsigned flags, void *pc) {
    self->owner = hd_me();
    hd_gate_take(&self->place, true);
    self->where = pc;
    hd_changed(&self->place);
    hd_record_sync(HD_ACQUIRE, self, 0, flags, pc);
}

HD_TAKEN int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    if (shared == PTHREAD_PROCESS_SHARED && hd_booted) {
        hd_note("process-shared spin locks: only the threads of this process are seen");
    }
    if (hd_booted) hd_primitive_new((void *)(uintptr_t)lock, HD_SYNC_SPINLOCK);
    return 0;
}

HD_TAKEN int pthread_spin_destroy(pthread_spinlock_t *lock) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = spin_of(lock, HD_PC());
    hd_step(HD_NONE, &self->place, HD_MODE_WRITE, HD_PC());
    hd_still_there(self, HD_PC());
    if (self->owner && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, HD_PC(), "destroys a spin lock that is held");
    }
    hd_primitive_destroy(self);
    return 0;
}

HD_TAKEN int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = spin_of(lock, HD_PC());
    if (self->owner == hd_me() && hd_inside()) {
        hd_complain(HD_FAIL_DEADLOCK, self, HD_PC(),
                    "locks a spin lock that it holds already, so it waits for itself");
    }
    hd_block(HD_ACQUIRE, &self->place, HD_MODE_WRITE, HD_PC(), is_free, self, HD_NEVER, 0);
    hd_still_there(self, HD_PC());
    take(self, 0, HD_PC());
    return 0;
}

HD_TAKEN int pthread_spin_trylock(pthread_spinlock_t *lock) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = spin_of(lock, HD_PC());
    hd_try(HD_ACQUIRE, &self->place, HD_PC(), is_free, self);
    hd_still_there(self, HD_PC());
    if (self->owner) {
        hd_record_sync(HD_LOOK, self, 0, HD_FLAG_READ, HD_PC());
        return EBUSY;
    }
    take(self, HD_FLAG_TRY, HD_PC());
    return 0;
}

HD_TAKEN int pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = spin_of(lock, HD_PC());
    hd_step(HD_RELEASE, &self->place, HD_MODE_WRITE, HD_PC());
    hd_still_there(self, HD_PC());
    if (self->owner != hd_me() && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, HD_PC(),
                    self->owner ? "unlocks a spin lock that another thread holds"
                                : "unlocks a spin lock that is not locked");
    }
    self->owner = 0;
    hd_gate_give(&self->place);
    self->where = NULL;
    hd_changed(&self->place);
    hd_record_sync(HD_RELEASE, self, 0, 0, HD_PC());
    return 0;
}
