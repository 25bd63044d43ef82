/* rwlock.c - reader-writer locks.
 *
 * States:  owner 0, count 0    free
 *          owner 0, count n    n read locks (one thread may have several)
 *          owner t             locked for writing by t
 *
 * Readers do not depend on each other: taking and leaving a read lock are reads
 * of the lock's place. Which of those who wait goes first is the schedule's
 * choice, so for most kinds preference makes no difference: a reader may always
 * join readers. With PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP he may not while
 * a writer waits, even if he is one of them. There, a writer who finds that he
 * has to wait says so (`waiting`), by an operation of its own. */
#include "block.h"
#include "state.h"

#include <errno.h>
#include <string.h>

enum { KNOWN = 1 };

static struct hd_primitive *rwlock_of(pthread_rwlock_t *lock, void *pc) {
    struct hd_primitive *self = hd_primitive_get(lock, HD_SYNC_RWLOCK, pc);
    if (hd_unlikely(!(self->flags & KNOWN))) {
        self->flags = KNOWN;
        self->type = (uint8_t)lock->__data.__flags;
    }
    return self;
}

static bool prefers_writers(const struct hd_primitive *self) {
    return self->type == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
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
    return self->owner == 0 && self->count < UINT32_MAX && self->waiting == 0;
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

/* It is his turn at once, or not. */
static bool free_for(struct hd_primitive *self, bool writing) {
    return writing ? writable(NULL, self) && self->waiting == 0 : readable(NULL, self);
}

/* From here on readers let him go first, or not any more. */
static void wait_for_turn(struct hd_primitive *self, bool begin) {
    self->waiting += begin ? 1 : -1u;
    hd_gate_wait(&self->place, begin ? 1 : -1);
    hd_changed(&self->place);
}

/* False: the time was up. */
static bool stand(struct hd_primitive *self, bool writing, uint64_t deadline, void *pc) {
    enum hd_mode mode = writing ? HD_MODE_WRITE : HD_MODE_READ;
    unsigned flags = writing ? HD_SHARED : 0;
    bool says = writing && prefers_writers(self) && hd_inside();
    if (says) {
        hd_step(HD_ACQUIRE, &self->place, mode, pc);
        hd_gate_try(&self->place);
        hd_still_there(self, pc);
        if (free_for(self, true)) return true;
        if (deadline != HD_NEVER) hd_touch(hd_pseudo(HD_KEY_TIME), HD_MODE_READ);
        wait_for_turn(self, true);
        flags = HD_ARMED;
    }
    enum hd_wake how = hd_block(HD_ACQUIRE, &self->place, mode, pc, writing ? writable : readable,
                                self, deadline, flags);
    if (says) wait_for_turn(self, false);
    return how != HD_TIMED_OUT;
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
    uint64_t deadline = HD_NEVER;
    if (until && hd_deadline(clock, until, &deadline, pc) != 0 && !free_for(self, writing)) {
        return EINVAL;
    }
    if (!stand(self, writing, deadline, pc)) {
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
    if (!free_for(self, writing)) {
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
    int shared = 0, kind = PTHREAD_RWLOCK_DEFAULT_NP;
    if (attr) {
        pthread_rwlockattr_getpshared(attr, &shared);
        pthread_rwlockattr_getkind_np(attr, &kind);
    }
    if (shared == PTHREAD_PROCESS_SHARED && hd_booted) {
        hd_note("process-shared read-write locks: only the threads of this process are seen");
    }
    memset((char *)lock_ + 4, 0, sizeof *lock_ - 4);
    lock_->__data.__flags = (unsigned)kind;
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
