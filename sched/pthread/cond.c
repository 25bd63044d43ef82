/* cond.c - condition variables.
 *
 * A wait is two visible operations. HD_WAIT lets go of the mutex and joins the
 * waiters, in one step. HD_WAKE comes back with the mutex: it can be done when
 * the thread has been signaled and the mutex is free, so a woken thread that
 * only finds the mutex taken again costs no step. It stands before the mutex,
 * and a signal tells the mutex that something has changed. A wait that ends
 * otherwise is three: leaving comes in between.
 *
 * In the program's memory: the tag, and the clock of timed waits behind it. */
#include "block.h"
#include "state.h"

#include <errno.h>
#include <string.h>

/* primitive->more: the waiters, oldest first; primitive->count: how many. */

static struct hd_primitive *cond_of(pthread_cond_t *cond, void *pc) {
    return hd_primitive_get(cond, HD_SYNC_COND, pc);
}

static uint32_t *clock_of(pthread_cond_t *cond) { return (uint32_t *)(void *)cond + 1; }

static void enqueue(struct hd_primitive *self, struct hd_waiting *waiting) {
    struct hd_waiting **at = (struct hd_waiting **)&self->more;
    while (*at) at = &(*at)->next;
    waiting->next = NULL;
    *at = waiting;
    self->count++;
}

static void dequeue(struct hd_primitive *self, struct hd_waiting *waiting) {
    struct hd_waiting **at = (struct hd_waiting **)&self->more;
    while (*at && *at != waiting) at = &(*at)->next;
    if (!*at) return;
    *at = waiting->next;
    self->count--;
}

static bool has_or_may(const struct hd_primitive *mutex, const struct hd_thread *thread) {
    return hd_mutex_free(mutex) || mutex->owner == thread->id + 1u; /* a recursive one */
}

static bool woken(struct hd_thread *thread, void *argument) {
    const struct hd_waiting *waiting = argument;
    return waiting->signaled && has_or_may(waiting->mutex, thread);
}

static bool back(struct hd_thread *thread, void *argument) {
    return has_or_may(((const struct hd_waiting *)argument)->mutex, thread);
}

/* 0, or an error that leaves everything as it is. */
static int may_wait(struct hd_primitive *self, struct hd_primitive *mutex, void *pc) {
    if (mutex->owner != hd_me()) {
        if (mutex->type == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
        hd_complain(HD_FAIL_MISUSE, mutex, pc,
                    "waits on a condition variable with a mutex that it does not hold");
    }
    const struct hd_waiting *other = self->more;
    if (other && other->mutex != mutex) {
        hd_complain(HD_FAIL_MISUSE, mutex, pc,
                    "waits on a condition variable on which others wait with another mutex");
    }
    return 0;
}

/* It waits for no condition any more, only for the mutex. */
static void leave(struct hd_waiting *waiting) {
    dequeue(waiting->condition, waiting);
    waiting->condition = NULL;
}

/* How the wait ended; the thread has the mutex's turn. Who is signaled comes back in
 * one operation with the mutex. Who is not, because his time is up or he is to end,
 * leaves by one and waits for the mutex by another: in between others can see that he
 * left, and how late it is, and have the mutex. */
static enum hd_wake wake(struct hd_waiting *waiting, uint64_t deadline, void *pc) {
    struct hd_primitive *self = waiting->condition, *mutex = waiting->mutex;
    /* Who may go on by himself leaves the waiters: signals depend on that. */
    bool alone = deadline != HD_NEVER;
    if (alone) hd_also(&self->place);
    enum hd_wake how = hd_block(HD_WAKE, &mutex->place, HD_MODE_WRITE, pc, woken, waiting,
                                deadline, HD_CANCELABLE | HD_ARMED);
    if (!alone) hd_touch(&self->place, waiting->signaled ? HD_MODE_READ : HD_MODE_WRITE);
    if (how == HD_READY) return how;
    if (!waiting->signaled) leave(waiting);
    else how = HD_READY; /* a signal that was taken is never lost to a timeout */
    hd_block(HD_WAKE, &mutex->place, HD_MODE_WRITE, pc, back, waiting, HD_NEVER, 0);
    return how;
}

const struct hd_primitive *hd_waited_condition(const struct hd_thread *thread) {
    const struct hd_pthread *layer = thread->pthread;
    if (thread->op.kind != HD_WAKE || !layer || layer->waiting.signaled) return NULL;
    return layer->waiting.condition;
}

/* Let go of the mutex, wait, have it again: how it ended. */
static enum hd_wake wait(struct hd_primitive *self, struct hd_primitive *mutex, uint64_t deadline,
                         bool for_nothing, void *pc) {
    struct hd_waiting *waiting = &hd_pthread_of(hd_rt->current)->waiting;
    *waiting = (struct hd_waiting){.thread = hd_rt->current, .condition = self, .mutex = mutex};
    if (!for_nothing) enqueue(self, waiting);
    hd_mutex_let_go(mutex, pc);
    hd_record_wait(HD_WAIT, self, mutex, pc);
    if (!for_nothing) return wake(waiting, deadline, pc);
    waiting->condition = NULL;
    hd_block(HD_WAKE, &mutex->place, HD_MODE_WRITE, pc, back, waiting, HD_NEVER, 0);
    hd_woke_for_nothing();
    return HD_READY;
}

int hd_cond_wait(pthread_cond_t *cond, pthread_mutex_t *locked, clockid_t clock,
                 const struct timespec *until, void *pc) {
    if (!hd_inside()) return 0;
    uint64_t deadline = HD_NEVER;
    if (until && hd_deadline(clock, until, &deadline, pc) != 0) return EINVAL;
    struct hd_primitive *self = cond_of(cond, pc), *mutex = hd_mutex_of(locked, pc);
    uint64_t writes = hd_rt->current->writes;
    hd_also(&mutex->place);
    hd_step(HD_WAIT, &self->place, HD_MODE_WRITE, pc);
    if (until) hd_touch(hd_pseudo(HD_KEY_TIME), HD_MODE_READ);
    hd_still_there(self, pc);
    int rc = may_wait(self, mutex, pc);
    if (rc != 0) return rc;
    bool for_nothing = hd_rt->config.spurious && hd_wakes_for_nothing(self, mutex, writes, pc);
    enum hd_wake how = wait(self, mutex, deadline, for_nothing, pc);
    rc = hd_mutex_take(mutex, pc);
    if (rc != ENOTRECOVERABLE) hd_record_wait(HD_WAKE, self, mutex, pc);
    if (how == HD_CANCELED) hd_cancel_now();
    if (rc != 0) return rc; /* EOWNERDEAD, ENOTRECOVERABLE */
    return how == HD_TIMED_OUT ? ETIMEDOUT : 0;
}

static void rouse(struct hd_primitive *self, struct hd_waiting *waiting) {
    dequeue(self, waiting);
    waiting->signaled = true;
    hd_changed_for(waiting->thread);
}

int hd_cond_signal(pthread_cond_t *cond, bool all, void *pc) {
    if (!hd_inside()) return 0;
    struct hd_primitive *self = cond_of(cond, pc);
    enum hd_kind kind = all ? HD_NOTIFYALL : HD_NOTIFY;
    hd_step(kind, &self->place, HD_MODE_WRITE, pc);
    hd_still_there(self, pc);
    hd_record_sync(kind, self, 0, 0, pc);
    while (all && self->more) rouse(self, self->more);
    if (self->count > 0) {
        struct hd_waiting *lucky = self->more;
        int nth = self->count > 1 ? hd_choose((int)self->count) : 0;
        while (nth-- > 0) lucky = lucky->next;
        rouse(self, lucky);
    }
    return 0;
}

int hd_cond_destroy(pthread_cond_t *cond, void *pc) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = cond_of(cond, pc);
    hd_step(HD_NONE, &self->place, HD_MODE_WRITE, pc);
    hd_still_there(self, pc);
    if (self->count > 0 && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, pc,
                    "destroys a condition variable on which threads wait");
    }
    hd_primitive_destroy(self);
    return 0;
}

HD_TAKEN int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
    clockid_t clock = CLOCK_REALTIME;
    int shared = 0;
    if (attr) {
        pthread_condattr_getclock(attr, &clock);
        pthread_condattr_getpshared(attr, &shared);
    }
    if (shared == PTHREAD_PROCESS_SHARED && hd_booted) {
        hd_note("process-shared condition variables: only the threads of this process are seen");
    }
    memset((char *)cond + 4, 0, sizeof *cond - 4);
    *clock_of(cond) = (uint32_t)clock;
    if (hd_booted) hd_primitive_new(cond, HD_SYNC_COND);
    return 0;
}

HD_TAKEN int pthread_cond_destroy(pthread_cond_t *cond) {
    return hd_cond_destroy(cond, HD_PC());
}

HD_TAKEN int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    return hd_cond_wait(cond, mutex, CLOCK_REALTIME, NULL, HD_PC());
}

HD_TAKEN int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                    const struct timespec *until) {
    clockid_t clock = *clock_of(cond) == CLOCK_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return hd_cond_wait(cond, mutex, clock, until, HD_PC());
}

HD_TAKEN int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                    clockid_t clock, const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    return hd_cond_wait(cond, mutex, clock, until, HD_PC());
}

HD_TAKEN int pthread_cond_signal(pthread_cond_t *cond) {
    return hd_cond_signal(cond, false, HD_PC());
}

HD_TAKEN int pthread_cond_broadcast(pthread_cond_t *cond) {
    return hd_cond_signal(cond, true, HD_PC());
}
