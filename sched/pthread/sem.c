/* sem.c - POSIX semaphores without a name.
 *
 * In the program's memory: the tag, and behind it the count itself, so that a
 * semaphore that a constructor prepared before the first execution is as it was
 * in every one of them. */
#include "sem.h"

#include "../libc/hold.h"

#include <errno.h>
#include <limits.h>

enum { KNOWN = 1 };

static uint32_t *count_of(const struct hd_primitive *self) { return self->tag + 1; }

static struct hd_primitive *sem_of(sem_t *sem, void *pc) {
    uint32_t *memory = (uint32_t *)(void *)sem;
    if (hd_unlikely(memory[0] == 0)) {
        hd_note("a semaphore is used that sem_init has not prepared");
    }
    struct hd_primitive *self = hd_primitive_get(memory, HD_SYNC_SEM, pc);
    if (hd_unlikely(!(self->flags & KNOWN))) { /* a constructor prepared it */
        self->flags = KNOWN;
        self->initial = memory[1];
        self->place.gate = (int32_t)memory[1];
    }
    return self;
}

static void change(struct hd_primitive *self, int by) {
    *count_of(self) += (uint32_t)by;
    self->place.gate = (int32_t)*count_of(self);
}

static bool positive(struct hd_thread *thread, void *argument) {
    (void)thread;
    const struct hd_primitive *self = argument;
    return self->destroyed || *count_of(self) > 0;
}

void hd_sem_make(sem_t *sem, unsigned value) {
    uint32_t *memory = (uint32_t *)(void *)sem;
    if (hd_booted) hd_primitive_new(memory, HD_SYNC_SEM); /* first: it looks for a former one */
    memory[1] = value;
}

static int fail(int error) {
    errno = error;
    return -1;
}

static int down(sem_t *sem, clockid_t clock, const struct timespec *until, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = sem_of(sem, pc);
    uint64_t deadline = HD_NEVER;
    if (until && hd_deadline(clock, until, &deadline, pc) != 0 && !positive(NULL, self)) {
        return fail(EINVAL);
    }
    switch (hd_block(HD_PEND, &self->place, HD_MODE_WRITE, pc, positive, self, deadline,
                     HD_CANCELABLE | HD_INTERRUPTIBLE)) {
    case HD_TIMED_OUT: hd_record_sync(HD_LOOK, self, 0, HD_FLAG_READ, pc); return fail(ETIMEDOUT);
    case HD_INTERRUPTED: return fail(EINTR);
    case HD_CANCELED: hd_cancel_now();
    case HD_READY: break;
    }
    hd_still_there(self, pc);
    if (*count_of(self) > 0) change(self, -1);
    hd_changed(&self->place);
    hd_record_sync(HD_PEND, self, 0, until ? HD_FLAG_TRY : 0, pc);
    return 0;
}

HD_TAKEN int sem_init(sem_t *sem, int shared, unsigned value) {
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    if (shared && hd_booted) {
        hd_note("process-shared semaphores: only the threads of this process are seen");
    }
    hd_sem_make(sem, value);
    return 0;
}

HD_TAKEN int sem_destroy(sem_t *sem) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = sem_of(sem, HD_PC());
    hd_step(HD_NONE, &self->place, HD_MODE_WRITE, HD_PC());
    hd_still_there(self, HD_PC());
    if (self->place.pending && *count_of(self) == 0 && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, HD_PC(),
                    "destroys a semaphore for which threads wait");
    }
    self->place.gate = INT32_MAX; /* who comes now is told so */
    hd_primitive_destroy(self);
    return 0;
}

HD_TAKEN int sem_wait(sem_t *sem) { return down(sem, CLOCK_REALTIME, NULL, HD_PC()); }

HD_TAKEN int sem_timedwait(sem_t *sem, const struct timespec *until) {
    return down(sem, CLOCK_REALTIME, until, HD_PC());
}

HD_TAKEN int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return fail(EINVAL);
    return down(sem, clock, until, HD_PC());
}

HD_TAKEN int sem_trywait(sem_t *sem) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = sem_of(sem, HD_PC());
    hd_try(HD_PEND, &self->place, HD_PC(), positive, self);
    hd_still_there(self, HD_PC());
    if (*count_of(self) == 0) {
        hd_record_sync(HD_LOOK, self, 0, HD_FLAG_READ, HD_PC());
        return fail(EAGAIN);
    }
    change(self, -1);
    hd_changed(&self->place);
    hd_record_sync(HD_PEND, self, 0, HD_FLAG_TRY, HD_PC());
    return 0;
}

HD_TAKEN int sem_post(sem_t *sem) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = sem_of(sem, HD_PC());
    hd_step(HD_POST, &self->place, HD_MODE_WRITE, HD_PC());
    hd_still_there(self, HD_PC());
    if (*count_of(self) >= SEM_VALUE_MAX) return fail(EOVERFLOW);
    change(self, 1);
    hd_changed(&self->place);
    hd_record_sync(HD_POST, self, 0, 0, HD_PC());
    return 0;
}

HD_TAKEN int sem_getvalue(sem_t *sem, int *value) {
    if (!hd_booted) return fail(EINVAL);
    struct hd_primitive *self = sem_of(sem, HD_PC());
    hd_step(HD_NONE, &self->place, HD_MODE_READ, HD_PC());
    hd_still_there(self, HD_PC());
    int count = (int)*count_of(self);
    hd_record_sync(HD_LOOK, self, 0, HD_FLAG_READ, HD_PC());
    hd_give(value, &count, sizeof count, HD_PC());
    return 0;
}
