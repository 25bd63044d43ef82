/* search.c - small programs whose every schedule can be tried.
 *
 * The complete search must come to the same classes of executions and the same
 * outcomes as trying everything. `search` alone lists the cases. */
#include "check.h"

#include <linux/futex.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t sem;
static _Atomic uint32_t word;
static int order; /* what happened, as digits; every change is under a lock */

static void note(int digit) { order = order * 10 + digit; }
static void locked_note(int digit) {
    pthread_mutex_lock(&mutex);
    note(digit);
    pthread_mutex_unlock(&mutex);
}
static int two(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t a = start(first, (void *)1), b = start(second, (void *)2);
    finish(a);
    finish(b);
    return order;
}

static void *signaled(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    note((int)(long)arg);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static int which_waiter(void) { /* main comes last or there is a deadlock */
    pthread_t a = start(signaled, (void *)1), b = start(signaled, (void *)2);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&cond);
    finish(a);
    finish(b);
    return order;
}
static int broadcast(void) {
    pthread_t a = start(signaled, (void *)1), b = start(signaled, (void *)2);
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    finish(a);
    finish(b);
    return order;
}
static void *timed_wait(void *arg) {
    struct timespec at = {946684801, 0};
    pthread_mutex_lock(&mutex);
    int rc = pthread_cond_timedwait(&cond, &mutex, &at);
    note(rc == 0 ? (int)(long)arg : 9);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *signals(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&cond);
    note((int)(long)arg);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *signals_bare(void *arg) {
    pthread_cond_signal(&cond);
    locked_note((int)(long)arg);
    return NULL;
}
static int timed_signal(void) { return two(timed_wait, signals); }
static int timed_signal_bare(void) { return two(timed_wait, signals_bare); }
static int timed_both(void) { return two(timed_wait, timed_wait); }

static void *naps(void *arg) {
    struct timespec span = {1, 0};
    nanosleep(&span, NULL);
    locked_note((int)(long)arg);
    return NULL;
}
static void *naps_longer(void *arg) {
    struct timespec span = {2, 0};
    nanosleep(&span, NULL);
    locked_note((int)(long)arg);
    return NULL;
}
static void *reads_clock(void *arg) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    locked_note((int)(long)arg + 3 * (int)at.tv_sec);
    return NULL;
}
static int equal_deadlines(void) { return two(naps, naps); }
static int unequal_deadlines(void) { return two(naps_longer, naps); }
static int clock_and_nap(void) { return two(naps, reads_clock); }

static void *tries(void *arg) {
    if (pthread_spin_trylock(&spin) == 0) {
        note((int)(long)arg);
        pthread_spin_unlock(&spin);
    }
    return NULL;
}
static void *spins(void *arg) {
    pthread_spin_lock(&spin);
    note((int)(long)arg);
    pthread_spin_unlock(&spin);
    return NULL;
}
static int trylock(void) {
    pthread_spin_init(&spin, 0);
    return two(tries, spins);
}
static int trylock_both(void) {
    pthread_spin_init(&spin, 0);
    return two(tries, tries);
}
static void *keeps_trying(void *arg) {
    while (pthread_spin_trylock(&spin) != 0) continue;
    note((int)(long)arg);
    pthread_spin_unlock(&spin);
    return NULL;
}
static int trylock_again(void) {
    pthread_spin_init(&spin, 0);
    return two(keeps_trying, spins);
}
static void *timed_lock(void *arg) {
    struct timespec at = {946684801, 0};
    if (pthread_mutex_timedlock(&mutex, &at) == 0) {
        note((int)(long)arg);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static int timedlock(void) { return two(timed_lock, timed_lock); }

static void *reads(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&rwlock);
    int seen = order;
    pthread_rwlock_unlock(&rwlock);
    return (void *)(long)seen;
}
static void *writes(void *arg) {
    pthread_rwlock_wrlock(&rwlock);
    note((int)(long)arg);
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}
static void *try_writes(void *arg) {
    if (pthread_rwlock_trywrlock(&rwlock) == 0) {
        note((int)(long)arg);
        pthread_rwlock_unlock(&rwlock);
    }
    return NULL;
}
static int readers(void) { return two(reads, reads); }
static int reader_writer(void) {
    pthread_t a = start(reads, NULL), b = start(writes, (void *)3);
    int seen = (int)(long)finish(a);
    finish(b);
    return seen;
}
static int reader_try(void) { return two(reads, try_writes); }

static void *downs(void *arg) {
    sem_wait(&sem);
    locked_note((int)(long)arg);
    return NULL;
}
static void *try_downs(void *arg) {
    if (sem_trywait(&sem) == 0) locked_note((int)(long)arg);
    return NULL;
}
static void *ups(void *arg) {
    (void)arg;
    sem_post(&sem);
    return NULL;
}
static int one_permit(void) {
    sem_init(&sem, 0, 1);
    pthread_t t = start(ups, NULL);
    two(downs, downs);
    finish(t);
    return order;
}
static int try_permit(void) {
    sem_init(&sem, 0, 0);
    return two(ups, try_downs);
}
static int destroyed_too_early(void) {
    sem_init(&sem, 0, 1);
    pthread_t t = start(downs, (void *)1);
    sem_destroy(&sem);
    finish(t);
    return order;
}

static void *meets(void *arg) {
    pthread_barrier_wait(&barrier);
    locked_note((int)(long)arg);
    return NULL;
}
static void *meets_only(void *arg) {
    (void)arg;
    return (void *)(long)pthread_barrier_wait(&barrier);
}
static int barrier_exact(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    return two(meets_only, meets_only);
}
static int barrier_noted(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    return two(meets, meets);
}
static int barrier_surplus(void) { /* one of three is left alone, and never comes back */
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t a = start(meets_only, NULL), b = start(meets_only, NULL);
    start(meets_only, NULL);
    finish(a);
    finish(b);
    return 0;
}

static int barrier_generations(void) { /* new threads meet at the same barrier */
    pthread_barrier_init(&barrier, NULL, 2);
    two(meets_only, meets_only);
    return two(meets_only, meets_only);
}

static void initialise(void) { note(5); }
static void *initialises(void *arg) {
    (void)arg;
    pthread_once(&once, initialise);
    return NULL;
}
static int once_both(void) { return two(initialises, initialises); }

static void *futex_waits(void *arg) {
    while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    locked_note((int)(long)arg);
    return NULL;
}
static void *futex_wakes(void *arg) {
    (void)arg;
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}
static void *futex_waits_once(void *arg) {
    locked_note(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0
                    ? (int)(long)arg
                    : 9);
    return NULL;
}
static int futex(void) { return two(futex_waits, futex_wakes); }
static int futex_once(void) { return two(futex_waits_once, futex_wakes); }

static void *sleeps(void *arg) {
    (void)arg;
    sleep(1);
    locked_note(4);
    return NULL;
}
static void *testing(void *arg) {
    (void)arg;
    locked_note(1);
    pthread_testcancel();
    locked_note(2);
    return NULL;
}
static int cancel_sleep(void) {
    pthread_t t = start(sleeps, NULL);
    pthread_cancel(t);
    return (finish(t) == PTHREAD_CANCELED) * 100 + order;
}
static int cancel_test(void) {
    pthread_t t = start(testing, NULL);
    pthread_cancel(t);
    return (finish(t) == PTHREAD_CANCELED) * 100 + order;
}
static int cancel_cond(void) {
    pthread_t t = start(timed_wait, (void *)1);
    pthread_cancel(t);
    return (finish(t) == PTHREAD_CANCELED) * 100 + order;
}
static int join_timed(void) {
    struct timespec at = {946684801, 0};
    pthread_t t = start(sleeps, NULL);
    int rc = pthread_timedjoin_np(t, NULL, &at);
    if (rc != 0) finish(t);
    return rc == 0;
}
static int join_try(void) {
    pthread_t t = start(ups, NULL);
    int rc = pthread_tryjoin_np(t, NULL);
    if (rc != 0) finish(t);
    return rc == 0;
}
static pthread_mutex_t robust;
static void *dies(void *arg) {
    pthread_mutex_lock(arg);
    return NULL;
}
static int owner_dies(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attr);
    pthread_t t = start(dies, &robust);
    int rc = pthread_mutex_lock(&robust);
    if (rc != 0) pthread_mutex_consistent(&robust);
    pthread_mutex_unlock(&robust);
    finish(t);
    return rc == EOWNERDEAD;
}

#define CASE(name) {#name, name}
static const struct {
    const char *name;
    int (*run)(void);
} cases[] = {
    CASE(which_waiter), CASE(broadcast), CASE(timed_signal), CASE(timed_signal_bare),
    CASE(timed_both), CASE(equal_deadlines), CASE(unequal_deadlines), CASE(clock_and_nap),
    CASE(trylock), CASE(trylock_both), CASE(trylock_again), CASE(timedlock), CASE(readers), CASE(reader_writer),
    CASE(reader_try), CASE(one_permit), CASE(try_permit), CASE(destroyed_too_early),
    CASE(barrier_exact), CASE(barrier_noted), CASE(barrier_surplus), CASE(barrier_generations), CASE(once_both),
    CASE(futex), CASE(futex_once), CASE(cancel_sleep), CASE(cancel_test), CASE(cancel_cond),
    CASE(join_timed), CASE(join_try), CASE(owner_dies),
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2) printf("%s\n", cases[i].name);
        else if (strcmp(argv[1], cases[i].name) == 0) return cases[i].run() & 0xff;
    }
    return 0;
}
