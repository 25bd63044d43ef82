/* any_order.c - what must hold whenever a request meets a thread. */
#include "check.h"

#include <limits.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int handled, cleaned;
static sem_t sem;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ran;

/* ---- canceled anywhere: the mutex comes back, handlers run once ---- */

static void clean(void *arg) {
    (void)arg;
    cleaned++;
    pthread_mutex_unlock(&mutex);
}
static void *waits(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_cleanup_push(clean, NULL);
        pthread_cond_wait(&cond, &mutex);
        pthread_cleanup_pop(0);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}
static void canceling(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) t[i] = start(waits, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++) pthread_cancel(t[i]);
    for (int i = 0; i < 3; i++) YES("canceled", finish(t[i]) == PTHREAD_CANCELED);
    EQ("cleaned", 3, cleaned);
    EQ("mutex_is_free", 0, pthread_mutex_trylock(&mutex) || pthread_mutex_unlock(&mutex));
}

/* ---- signaled anywhere: every handler runs, every wait goes on ---- */

static void handler(int number) {
    (void)number;
    handled++;
}
static void *loops(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        sched_yield();
        pthread_mutex_unlock(&mutex);
        while (sem_wait(&sem) != 0) continue;
    }
    return arg;
}
static void signaling(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_t t[2] = {start(loops, NULL), start(loops, NULL)};
    for (int i = 0; i < 3; i++) {
        pthread_kill(t[0], SIGUSR1);
        pthread_kill(t[1], SIGUSR1);
        sem_post(&sem);
        sem_post(&sem);
    }
    finish(t[0]);
    finish(t[1]);
    /* Equal signals that wait for the same thread are one. */
    YES("handled", handled >= 2 && handled <= 6);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    int before = handled;
    raise(SIGUSR1);
    EQ("blocked", before, handled);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    EQ("unblocked", before + 1, handled);
}

/* ---- a lock made of a futex ---- */

static _Atomic uint32_t word;
static int inside, entered;
static void *enters(void *arg) {
    for (int i = 0; i < 3; i++) {
        uint32_t old = 0;
        if (!atomic_compare_exchange_strong(&word, &old, 1)) {
            while (atomic_exchange(&word, 2) != 0) {
                syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
            }
        }
        if (++inside != 1) printf("not ok alone\n");
        entered++;
        sched_yield();
        inside--;
        if (atomic_exchange(&word, 0) == 2) {
            syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        }
    }
    return arg;
}

/* ---- time and ends ---- */

static void *naps(void *arg) {
    struct timespec span = {(long)arg, 0};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL);
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (void *)(at.tv_sec >= (long)arg);
}
static void initialise(void) {
    sleep(1);
    ran++;
}
static void *initialises(void *arg) {
    (void)arg;
    pthread_once(&once, initialise);
    return (void *)(long)ran;
}
static void *dies_holding(void *arg) {
    pthread_mutex_lock(arg);
    return NULL;
}

int main(void) {
    sem_init(&sem, 0, 0);
    canceling();
    signaling();
    pthread_t t[3];
    for (int i = 0; i < 3; i++) t[i] = start(enters, NULL);
    for (int i = 0; i < 3; i++) finish(t[i]);
    EQ("entered", 9, entered);
    for (long i = 0; i < 3; i++) t[i] = start(naps, (void *)(30 - 10 * i));
    for (int i = 0; i < 3; i++) YES("slept_enough", finish(t[i]));
    for (int i = 0; i < 3; i++) t[i] = start(initialises, NULL);
    for (int i = 0; i < 3; i++) EQ("initialised_once", 1, (long)finish(t[i]));
    pthread_mutexattr_t attr;
    pthread_mutex_t robust;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attr);
    t[0] = start(dies_holding, &robust);
    int rc = pthread_mutex_lock(&robust); /* before or after the other's life */
    if (rc == EOWNERDEAD) pthread_mutex_consistent(&robust);
    pthread_mutex_unlock(&robust);
    finish(t[0]);
    YES("one_of_two", rc == 0 || rc == EOWNERDEAD);
    return 0;
}
