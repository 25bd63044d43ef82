/* rwlock.c - reader-writer locks.
 *
 * States:  owner 0, count 0    free
 *          owner 0, count n    n read locks (one thread may have several)
 *          owner t             locked for writing by t
 *
 * Readers do not depend on each other: taking and leaving a read lock are reads
 * of the lock's place. Which of those who wait goes first is the schedule's
 * choice, so the preference kinds make no difference but one: a reader may
 * always join readers. */
#include "block.h"
#include "state.h"

#include <errno.h>
#include <string.h>

static struct hd_primitive *rwlock_of(pthread_rwlock_t *lock, void *pc) {
    return hd_primitive_get(lock, HD_SYNC_RWLOCK, pc);
}

static struct hd_reader *reader_of(struct hd_primitive *self, bool make) {
    struct hd_reader *spare = NULL;
    for (struct hd_reader *at = self->more; at; at = at->next) {
        if (at->thread == hd_me()) return at;
        if (at->count == 0) spare = at;
    }
    if (!make) return NULL;
    if (!spare) {
        spare = hd_passing(sizeof *spare);
        spare->next = self->more;
        self->more = spare;
    }
    spare->thread = hd_me();
    return spare;
}

static bool readable(struct hd_thread *thread, void *argument) {
    (void)thread;
    const struct hd_primitive *self = argument;
    return self->owner == 0 && self->count < UINT32_MAX;
}

static bool writable(struct hd_thread *thread, void *argument) {
    (void)thread;
    const struct hd_primitive *self = argument;
    return self->owner == 0 && self->count == 0;
}

static void take(struct hd_primitive *self, bool writing, unsigned flags, void *pc) {
    if (writing) {
        self->owner = hd_me();
        self->where = pc;
    } else {
        struct hd_reader *mine = reader_of(self, true);
        if (mine->count++ == 0) mine->where = pc;
        self->count++;
    }
    hd_gate_take(&self->place, writing);
    hd_changed(&self->place);
    hd_record_sync(HD_ACQUIRE, self, 0, flags | (writing ? 0 : HD_FLAG_READ), pc);
}

static int lock(pthread_rwlock_t *memory, bool writing, clockid_t clock,
                const struct timespec *until, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = rwlock_of(memory, pc);
    if (self->owner == hd_me()) return EDEADLK;
    const struct hd_reader *mine = reader_of(self, false);
    if (writing && mine && mine->count > 0 && !until && hd_inside()) {
        hd_complain(HD_FAIL_DEADLOCK, self, pc,
                    "locks for writing what it holds for reading, so it waits for itself");
    }
    bool (*ready)(struct hd_thread *, void *) = writing ? writable : readable;
    uint64_t deadline = HD_NEVER;
    if (until && hd_deadline(clock, until, &deadline, pc) != 0 && !ready(NULL, self)) return EINVAL;
    if (hd_block(HD_ACQUIRE, &self->place, writing ? HD_MODE_WRITE : HD_MODE_READ, pc, ready,
                 self, deadline, writing ? HD_SHARED : 0) == HD_TIMED_OUT) {
        hd_record_sync(HD_LOOK, self, 0, writing ? 0 : HD_FLAG_READ, pc);
        return ETIMEDOUT;
    }
    hd_still_there(self, pc);
    take(self, writing, until ? HD_FLAG_TRY : 0, pc);
    return 0;
}

static int trylock(pthread_rwlock_t *memory, bool writing, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = rwlock_of(memory, pc);
    /* Failing is an answer that depends on readers, who are only reads: a write. */
    hd_step(HD_ACQUIRE, &self->place, writing ? HD_MODE_WRITE : HD_MODE_READ, pc);
    hd_gate_try(&self->place);
    hd_still_there(self, pc);
    if (!(writing ? writable(NULL, self) : readable(NULL, self))) {
        hd_record_sync(HD_LOOK, self, 0, writing ? 0 : HD_FLAG_READ, pc);
        return EBUSY;
    }
    take(self, writing, HD_FLAG_TRY, pc);
    return 0;
}

static int unlock(pthread_rwlock_t *memory, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = rwlock_of(memory, pc);
    bool writing = self->owner == hd_me();
    hd_step(HD_RELEASE, &self->place, writing ? HD_MODE_WRITE : HD_MODE_READ, pc);
    hd_still_there(self, pc);
    struct hd_reader *mine = writing ? NULL : reader_of(self, false);
    if (!writing && (!mine || mine->count == 0)) {
        if (!hd_inside()) return 0;
        hd_complain(HD_FAIL_MISUSE, self, pc,
                    self->owner || self->count ? "unlocks a lock that only others hold"
                                               : "unlocks a lock that nobody holds");
    }
    if (writing) {
        self->owner = 0;
        self->where = NULL;
    } else {
        mine->count--;
        self->count--;
    }
    hd_gate_give(&self->place);
    hd_changed(&self->place);
    hd_record_sync(HD_RELEASE, self, 0, writing ? 0 : HD_FLAG_READ, pc);
    return 0;
}

HD_TAKEN int pthread_rwlock_init(pthread_rwlock_t *lock_, const pthread_rwlockattr_t *attr) {
    int shared = 0;
    if (attr) pthread_rwlockattr_getpshared(attr, &shared);
    if (shared == PTHREAD_PROCESS_SHARED && hd_booted) {
        hd_note("process-shared read-write locks: only the threads of this process are seen");
    }
    memset((char *)lock_ + 4, 0, sizeof *lock_ - 4);
    if (hd_booted) hd_primitive_new(lock_, HD_SYNC_RWLOCK);
    return 0;
}

HD_TAKEN int pthread_rwlock_destroy(pthread_rwlock_t *lock_) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = rwlock_of(lock_, HD_PC());
    hd_step(HD_NONE, &self->place, HD_MODE_WRITE, HD_PC());
    hd_still_there(self, HD_PC());
    if ((self->owner || self->count) && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, HD_PC(), "destroys a lock that is held");
    }
    hd_primitive_destroy(self);
    return 0;
}

HD_TAKEN int pthread_rwlock_rdlock(pthread_rwlock_t *lock_) {
    return lock(lock_, false, CLOCK_REALTIME, NULL, HD_PC());
}

HD_TAKEN int pthread_rwlock_wrlock(pthread_rwlock_t *lock_) {
    return lock(lock_, true, CLOCK_REALTIME, NULL, HD_PC());
}

HD_TAKEN int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock_, const struct timespec *until) {
    return lock(lock_, false, CLOCK_REALTIME, until, HD_PC());
}

HD_TAKEN int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock_, const struct timespec *until) {
    return lock(lock_, true, CLOCK_REALTIME, until, HD_PC());
}

HD_TAKEN int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock_, clockid_t clock,
                                        const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    return lock(lock_, false, clock, until, HD_PC());
}

HD_TAKEN int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock_, clockid_t clock,
                                        const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    return lock(lock_, true, clock, until, HD_PC());
}

HD_TAKEN int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock_) {
    return trylock(lock_, false, HD_PC());
}

HD_TAKEN int pthread_rwlock_trywrlock(pthread_rwlock_t *lock_) {
    return trylock(lock_, true, HD_PC());
}

HD_TAKEN int pthread_rwlock_unlock(pthread_rwlock_t *lock_) { return unlock(lock_, HD_PC()); }

HD_ALIAS(__pthread_rwlock_init, pthread_rwlock_init);
HD_ALIAS(__pthread_rwlock_destroy, pthread_rwlock_destroy);
HD_ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
HD_ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
HD_ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
HD_ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
HD_ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);
