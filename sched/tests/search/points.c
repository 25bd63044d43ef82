/* points.c - cases with cancellation points: a request comes before, at, or after. And
 * with a signal that was pending when somebody began to wait. */
#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sem_t sem;
static int ends[2], n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static struct timespec soon(void) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 1000;
    return at;
}

WORK(pends) { sem_wait(&sem); n = 1; return NULL; }
WORK(pends_in_time) { struct timespec at = soon(); n = sem_timedwait(&sem, &at) == 0 ? 1 : 2; return NULL; }
WORK(reads) { char byte; n = (int)read(ends[0], &byte, 1); return NULL; }
WORK(writes) { n = (int)write(ends[1], "b", 1); return NULL; }
WORK(opens) { n = open("/dev/null", O_RDONLY) >= 0; return NULL; }
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
WORK(waits) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    if (!n) pthread_cond_wait(&c, &m);
    n = 2;
    pthread_cleanup_pop(1);
    return NULL;
}
WORK(waits_in_time) {
    struct timespec at = soon();
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    if (!n) n = pthread_cond_timedwait(&c, &m, &at) == 0 ? 2 : 3;
    pthread_cleanup_pop(1);
    return NULL;
}

/* What it had done, and whether it was canceled. */
static void observe_end(pthread_t t) {
    void *result;
    pthread_join(t, &result);
    heddle_observe("canceled", result == PTHREAD_CANCELED);
    heddle_observe("n", n);
    int left = 0;
    sem_getvalue(&sem, &left);
    heddle_observe("left", left);
}
static void canceled(work *function) { pthread_t t = start(function); pthread_cancel(t); observe_end(t); }
static void canceled_pends(void) { sem_init(&sem, 0, 1); canceled(pends); }
static void canceled_pends_empty(void) { sem_init(&sem, 0, 0); canceled(pends); }
static void canceled_in_time(void) { sem_init(&sem, 0, 0); canceled(pends_in_time); }
static void canceled_or_posted(void) {
    sem_init(&sem, 0, 0);
    pthread_t t = start(pends);
    sem_post(&sem);
    pthread_cancel(t);
    observe_end(t);
}
static void canceled_reads(void) { if (pipe(ends) < 0 || write(ends[1], "a", 1) < 0) abort(); canceled(reads); }
static void canceled_writes(void) {
    if (pipe(ends) < 0) abort();
    canceled(writes);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    heddle_observe("there", poll(&wanted, 1, 0));
}
static void canceled_opens(void) { canceled(opens); }
static void canceled_or_signaled(work *function) {
    pthread_t t = start(function);
    pthread_cancel(t);
    pthread_mutex_lock(&m);
    if (!n) n = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    observe_end(t);
}
static void canceled_waits(void) { canceled_or_signaled(waits); }
static void canceled_waits_in_time(void) { canceled_or_signaled(waits_in_time); }

WORK(feeds) { return (void *)(intptr_t)write(ends[1], "a", 1); }
static void handler(int number) { n += number == SIGUSR1; }
static void pending_polls(void) {
    sigset_t blocked, none;
    sigemptyset(&none);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    signal(SIGUSR1, handler);
    if (pipe(ends) < 0) abort();
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    raise(SIGUSR1);
    pthread_t t = start(feeds);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    int found = ppoll(&wanted, 1, NULL, &none);
    heddle_observe("found", found);
    heddle_observe("handled", n);
    pthread_join(t, NULL);
}

CASES(CASE(canceled_pends), CASE(canceled_pends_empty), CASE(canceled_in_time),
      CASE(canceled_or_posted), CASE(canceled_reads), CASE(canceled_writes),
      CASE(canceled_opens), CASE(canceled_waits), CASE(canceled_waits_in_time),
      CASE(pending_polls))
