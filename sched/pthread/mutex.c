/* mutex.c - mutexes of all types.
 *
 * In the program's memory: the tag in the first four bytes, the kind where
 * glibc's static initialisers put it. States of the object:
 *
 *     owner 0                    free
 *     owner t, count n           held by t, n times over (n > 1: recursive)
 *     DEAD, owner 0              robust, its owner ended holding it
 *     DEAD, owner t              t took it over; must make it consistent
 *     LOST                       unlocked without being made consistent */
#include "block.h"
#include "state.h"

#include <errno.h>
#include <string.h>

enum { KNOWN = 1, ROBUST = 2, DEAD = 4, LOST = 8, PROTECT = 16 };
enum { KIND_TYPE = 3, KIND_ROBUST = 16, KIND_PROTECT = 64 }; /* glibc's __kind */

struct hd_primitive *hd_mutex_of(pthread_mutex_t *mutex, void *pc) {
    struct hd_primitive *self = hd_primitive_get(mutex, HD_SYNC_MUTEX, pc);
    if (hd_unlikely(!(self->flags & KNOWN))) {
        int kind = mutex->__data.__kind;
        self->type = kind & KIND_TYPE;
        self->flags = KNOWN | (kind & KIND_ROBUST ? ROBUST : 0);
    }
    return self;
}

/* ---- what happens to the object, no points --------------------------------- */

bool hd_mutex_free(const struct hd_primitive *mutex) {
    return mutex->owner == 0 || (mutex->flags & LOST);
}

static bool is_free(struct hd_thread *thread, void *argument) {
    (void)thread;
    return hd_mutex_free(argument);
}

static void remember_robust(struct hd_primitive *self) {
    if (!(self->flags & ROBUST) || !hd_rt->current) return;
    struct hd_pthread *mine = hd_pthread_of(hd_rt->current);
    self->more = mine->robust;
    mine->robust = self;
}

static void forget_robust(struct hd_primitive *self) {
    if (!(self->flags & ROBUST) || !hd_rt->current) return;
    struct hd_pthread *mine = hd_pthread_of(hd_rt->current);
    for (struct hd_primitive *at = mine->robust, *before = NULL; at; before = at, at = at->more) {
        if (at != self) continue;
        if (before) before->more = self->more;
        else mine->robust = self->more;
        return;
    }
}

int hd_mutex_take(struct hd_primitive *self, void *pc) {
    if (self->flags & LOST) return ENOTRECOVERABLE;
    if (self->owner == hd_me()) { /* waiting gave back one level only */
        self->count++;
        return 0;
    }
    self->owner = hd_me();
    self->count = 1;
    hd_gate_take(&self->place, true);
    self->where = pc;
    remember_robust(self);
    hd_changed(&self->place);
    return self->flags & DEAD ? EOWNERDEAD : 0;
}

void hd_mutex_let_go(struct hd_primitive *self, void *pc) {
    (void)pc;
    if (--self->count > 0) return;
    self->owner = 0;
    hd_gate_give(&self->place);
    self->where = NULL;
    if (self->flags & DEAD) self->flags |= LOST;
    forget_robust(self);
    hd_changed(&self->place);
}

void hd_mutex_owner_died(struct hd_primitive *self, void *pc) {
    hd_step(HD_RELEASE, &self->place, HD_MODE_WRITE, pc);
    self->flags |= DEAD;
    self->owner = self->count = 0;
    hd_gate_give(&self->place);
    self->where = NULL;
    hd_changed(&self->place);
    hd_record_sync(HD_RELEASE, self, 0, 0, pc);
}

/* ---- lock and unlock -------------------------------------------------------- */

/* The calling thread has it already. -1: go on and wait for it (and time out). */
static int relock(struct hd_primitive *self, bool timed, void *pc) {
    if (self->type == PTHREAD_MUTEX_RECURSIVE) {
        if (self->count == UINT32_MAX) return EAGAIN;
        self->count++;
        return 0;
    }
    if (self->type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (timed || !hd_inside()) return -1;
    hd_complain(HD_FAIL_DEADLOCK, self, pc,
                  "locks a mutex that it holds already; it is not a recursive one, so the "
                  "thread waits for itself");
}

int hd_mutex_lock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until,
                  void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = hd_mutex_of(mutex, pc);
    if (self->owner == hd_me()) {
        int rc = relock(self, until != NULL, pc);
        if (rc >= 0) return rc;
    }
    uint64_t deadline = HD_NEVER;
    if (until && hd_deadline(clock, until, &deadline, pc) != 0 && !hd_mutex_free(self)) {
        return EINVAL; /* a bad time is an error only for those who have to wait */
    }
    if (hd_block(HD_ACQUIRE, &self->place, HD_MODE_WRITE, pc, is_free, self, deadline, 0) ==
        HD_TIMED_OUT) {
        hd_record_sync(HD_LOOK, self, 0, HD_FLAG_READ, pc);
        return ETIMEDOUT;
    }
    hd_still_there(self, pc);
    int rc = hd_mutex_take(self, pc);
    if (rc != ENOTRECOVERABLE) hd_record_sync(HD_ACQUIRE, self, 0, until ? HD_FLAG_TRY : 0, pc);
    return rc;
}

int hd_mutex_trylock(pthread_mutex_t *mutex, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = hd_mutex_of(mutex, pc);
    if (self->owner == hd_me()) {
        return self->type == PTHREAD_MUTEX_RECURSIVE ? relock(self, true, pc) : EBUSY;
    }
    hd_try(HD_ACQUIRE, &self->place, pc, is_free, self);
    hd_still_there(self, pc);
    if (!hd_mutex_free(self)) {
        hd_record_sync(HD_LOOK, self, 0, HD_FLAG_READ, pc);
        return EBUSY;
    }
    int rc = hd_mutex_take(self, pc);
    if (rc != ENOTRECOVERABLE) hd_record_sync(HD_ACQUIRE, self, 0, HD_FLAG_TRY, pc);
    return rc;
}

/* Unlock by one who does not hold it. */
static int not_mine(struct hd_primitive *self, void *pc) {
    if (self->type == PTHREAD_MUTEX_RECURSIVE || self->type == PTHREAD_MUTEX_ERRORCHECK ||
        (self->flags & ROBUST)) {
        return EPERM;
    }
    if (!hd_inside()) return 0;
    hd_complain(HD_FAIL_MISUSE, self, pc,
                  self->owner ? "unlocks a mutex that another thread holds"
                              : "unlocks a mutex that is not locked");
}

int hd_mutex_unlock(pthread_mutex_t *mutex, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = hd_mutex_of(mutex, pc);
    if (self->owner == hd_me() && self->count > 1) {
        self->count--;
        return 0;
    }
    bool mine = self->owner == hd_me(); /* nobody else can change that */
    hd_step(mine ? HD_RELEASE : HD_NONE, &self->place, mine ? HD_MODE_WRITE : HD_MODE_READ, pc);
    hd_still_there(self, pc);
    if (!mine) return not_mine(self, pc);
    hd_mutex_let_go(self, pc);
    hd_record_sync(HD_RELEASE, self, 0, 0, pc);
    return 0;
}

/* ---- birth and end ---------------------------------------------------------- */

int hd_mutex_make(void *mutex, int kind) {
    pthread_mutex_t *memory = mutex;
    memset((char *)memory + 4, 0, sizeof *memory - 4); /* the tag of a former one stays */
    memory->__data.__kind = kind;
    if (hd_booted) hd_primitive_new(memory, HD_SYNC_MUTEX);
    return 0;
}

int hd_mutex_destroy(pthread_mutex_t *mutex, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = hd_mutex_of(mutex, pc);
    hd_step(HD_NONE, &self->place, HD_MODE_WRITE, pc);
    hd_still_there(self, pc);
    if (self->owner && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, pc, "destroys a mutex that is locked");
    }
    hd_primitive_destroy(self);
    return 0;
}

HD_TAKEN int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    int type = PTHREAD_MUTEX_DEFAULT, robust = 0, protocol = 0, shared = 0;
    if (attr) {
        pthread_mutexattr_gettype(attr, &type);
        pthread_mutexattr_getrobust(attr, &robust);
        pthread_mutexattr_getprotocol(attr, &protocol);
        pthread_mutexattr_getpshared(attr, &shared);
    }
    if (shared == PTHREAD_PROCESS_SHARED && hd_booted) {
        hd_note("process-shared mutexes: only the threads of this process are seen");
    }
    return hd_mutex_make(mutex, (type & KIND_TYPE) |
                                    (robust == PTHREAD_MUTEX_ROBUST ? KIND_ROBUST : 0) |
                                    (protocol == PTHREAD_PRIO_PROTECT ? KIND_PROTECT : 0));
}

HD_TAKEN int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return hd_mutex_destroy(mutex, HD_PC());
}

HD_TAKEN int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return hd_mutex_lock(mutex, CLOCK_REALTIME, NULL, HD_PC());
}

HD_TAKEN int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return hd_mutex_trylock(mutex, HD_PC());
}

HD_TAKEN int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    return hd_mutex_lock(mutex, CLOCK_REALTIME, until, HD_PC());
}

HD_TAKEN int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    return hd_mutex_lock(mutex, clock, until, HD_PC());
}

HD_TAKEN int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    return hd_mutex_unlock(mutex, HD_PC());
}

HD_TAKEN int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = hd_mutex_of(mutex, HD_PC());
    if (!(self->flags & DEAD) || (self->flags & LOST) || self->owner != hd_me()) return EINVAL;
    self->flags &= (uint8_t)~DEAD;
    return 0;
}

/* Priorities mean nothing under a scheduler that tries every order; the ceiling
 * is kept, in the padding behind the kind. */
static int *ceiling_of(pthread_mutex_t *mutex) {
    return mutex->__data.__kind & KIND_PROTECT ? (int *)&mutex->__data.__count : NULL;
}

HD_TAKEN int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *out) {
    const int *ceiling = ceiling_of((pthread_mutex_t *)(uintptr_t)mutex);
    if (!ceiling) return EINVAL;
    *out = *ceiling;
    return 0;
}

HD_TAKEN int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int value, int *old) {
    int *ceiling = ceiling_of(mutex);
    if (!ceiling || value < 1 || value > 99) return EINVAL;
    int rc = hd_mutex_lock(mutex, CLOCK_REALTIME, NULL, HD_PC());
    if (rc != 0) return rc;
    *old = *ceiling;
    *ceiling = value;
    return hd_mutex_unlock(mutex, HD_PC());
}

HD_ALIAS(__pthread_mutex_init, pthread_mutex_init);
HD_ALIAS(__pthread_mutex_destroy, pthread_mutex_destroy);
HD_ALIAS(__pthread_mutex_lock, pthread_mutex_lock);
HD_ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);
HD_ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);
