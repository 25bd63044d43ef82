/* signals.c - cases with signals between threads. Searches of them are never complete:
 * a handler may run at any instruction; they try it between all operations. */
#include "case.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static volatile int x, seen, saw;
static int count;

static void set_5(int number) { (void)number; x = 5; }
static void look(int number) { (void)number; seen = x + 1; }
static void add(int number) {
    (void)number;
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
}

WORK(store_twice) { x = 1; x = 2; return NULL; }
WORK(store_and_copy) { x = 1; x = 2; saw = seen; return NULL; }
WORK(count_one) { add(0); return NULL; }
WORK(post_and_store) { sem_post(&s); x = 1; x = 2; return NULL; }
WORK(store_blocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    x = 1;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    x = 2;
    x = 3;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return NULL;
}
WORK(kill_process) { kill(getpid(), SIGUSR1); return NULL; }

WORK(pauses) { pause(); return NULL; }

static void tell(void) {
    heddle_observe("x", x);
    heddle_observe("seen", seen);
    heddle_observe("saw", saw);
    heddle_observe("count", count);
}

static void against(work *function, void (*handler)(int)) {
    signal(SIGUSR1, handler);
    pthread_t t = start(function);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    tell();
}
static void kill_stores(void) { against(store_twice, set_5); }
static void kill_looks(void) { against(store_and_copy, look); }
static void kill_pauses(void) { against(pauses, set_5); } /* waits for ever if it came before */
static void kill_in_lock(void) { against(count_one, add); }
static void kill_masked(void) { against(store_blocked, look); }
static void kill_ends(void) { against(store_twice, SIG_DFL); }

static void kill_late(void) { /* it surely runs by then */
    sem_init(&s, 0, 0);
    signal(SIGUSR1, look);
    pthread_t t = start(post_and_store);
    sem_wait(&s);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    tell();
}

static void queue_stores(void) {
    signal(SIGUSR1, set_5);
    pthread_t t = start(store_twice);
    pthread_sigqueue(t, SIGUSR1, (union sigval){.sival_int = 1});
    pthread_join(t, NULL);
    tell();
}

static void kill_detached(void) { /* there or not: glibc knows */
    pthread_t t = start(store_twice);
    pthread_detach(t);
    heddle_observe("rc", pthread_kill(t, 0));
}

/* Whoever does not block it may have it. */
static void process_stores(void) {
    signal(SIGUSR1, look);
    pthread_t t = start(kill_process);
    x = 1;
    x = 2;
    pthread_join(t, NULL);
    tell();
}
static void process_locks(void) {
    signal(SIGUSR1, add);
    pthread_t t = start(kill_process);
    add(0);
    pthread_join(t, NULL);
    tell();
}
static void process_alone(void) {
    signal(SIGUSR1, look);
    pthread_t t = start(store_twice);
    pthread_join(t, NULL);
    kill(getpid(), SIGUSR1);
    tell();
}

CASES(CASE(kill_stores), CASE(kill_looks), CASE(kill_in_lock), CASE(kill_pauses), CASE(kill_masked), CASE(kill_ends),
      CASE(kill_late), CASE(queue_stores), CASE(kill_detached),
      CASE(process_stores), CASE(process_locks), CASE(process_alone))
