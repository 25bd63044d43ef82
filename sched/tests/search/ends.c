/* ends.c - cases that would not end by themselves, or only by a timer. */
#include "case.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;
static volatile int stop;
static int ready, turns;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

/* Both count, so that neither ever comes back to the same state. */
WORK(count_on) { for (int i = 0; !atomic_load(&flag); i++) turns = i; return NULL; }
static void counting(void) {
    pthread_t t = start(count_on);
    for (int i = 1; i > 0 && atomic_load(&flag) != 2; i++) atomic_load(&flag);
    pthread_join(t, NULL);
}

/* Nothing that anybody could see. */
static void computing(void) {
    pthread_t t = start(count_on);
    for (unsigned long i = 0; i < 1UL << 62; i++) __asm__ volatile("");
    pthread_join(t, NULL);
}

/* Fails for nobody who is ever given a turn. It counts: else it would be parked. */
WORK(get_ready) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        ready = i == 2;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}
static void polling(void) {
    pthread_t t = start(get_ready);
    for (unsigned i = 0, seen = 0; !seen; i++) {
        pthread_mutex_lock(&m);
        seen = (unsigned)ready;
        pthread_mutex_unlock(&m);
        __asm__ volatile("" : : "r"(i));
    }
    pthread_join(t, NULL);
}

/* Nobody else, and no way out: really a livelock. */
static void alone(void) {
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&m);
        seen = ready;
        pthread_mutex_unlock(&m);
    }
}

/* Who steps aside in vain reads what no race is known of: nobody writes it, somebody does
 * who has nothing to do with it, or what it waits for does come. */
WORK(step_aside) { while (turns != 2) sched_yield(); return NULL; }
WORK(count_flag) { atomic_fetch_add(&flag, 1); return NULL; }
static void aside(void) {
    pthread_t t[3] = {start(step_aside), start(count_flag), start(count_flag)};
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
}
WORK(give_turns) {
    for (int i = 0; i < 40; i++) sched_yield();
    turns = 2;
    return NULL;
}
static void aside_for_once(void) {
    pthread_t t[2] = {start(step_aside), start(give_turns)};
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
/* It counts, in memory and in a register: it comes to its end. */
static void aside_often(void) {
    pthread_t t = start(count_flag);
    for (turns = 0; turns < 30; turns++) sched_yield();
    for (int i = 0; i < 30; i++) sched_yield();
    pthread_join(t, NULL);
}

static void rang(int number) { stop = number; }
static void alarmed(void) {
    signal(SIGALRM, rang);
    alarm(1);
    while (!stop) pause();
}

WORK(wait_for_alarm) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigwait(&set, &number);
    return NULL;
}
static void waited(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t t = start(wait_for_alarm);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 1000}}, NULL);
    pthread_join(t, NULL);
}

/* An alarm that would only kill it: that it stands still is a failure all the same. */
static void guarded(void) {
    alarm(60);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
}

/* Work for three in the first one's queue: who has none polls everybody's. */
static struct {
    pthread_mutex_t lock;
    int items;
} queues[3];
static int left_over;
static void *steal(void *arg) {
    for (size_t i = (size_t)arg; __atomic_load_n(&left_over, __ATOMIC_SEQ_CST) > 0; i = (i + 1) % 3) {
        if (pthread_mutex_trylock(&queues[i].lock)) continue;
        if (queues[i].items > 0) {
            queues[i].items--;
            __atomic_sub_fetch(&left_over, 1, __ATOMIC_SEQ_CST);
        }
        pthread_mutex_unlock(&queues[i].lock);
    }
    return NULL;
}
static void stealing(void) {
    pthread_t t[3];
    left_over = queues[0].items = 3;
    for (size_t i = 0; i < 3; i++) pthread_create(&t[i], NULL, steal, (void *)i);
    for (size_t i = 0; i < 3; i++) pthread_join(t[i], NULL);
}

/* Nobody waits for it; it would come all the same. */
static void ticking(void) {
    signal(SIGALRM, rang);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 1000}, {0, 1000}}, NULL);
    usleep(5000);
    heddle_observe("stop", stop);
}
static void handled_later(void) {
    alarm(1);
    signal(SIGALRM, rang);
    usleep(5000);
    heddle_observe("stop", stop);
}
static void disarmed(void) {
    signal(SIGALRM, rang);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    heddle_observe("stop", stop);
}

/* The child sees what the other thread has done so far. */
WORK(write_turns) { turns = 1; return NULL; }
static void look_in_child(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) _exit(turns);
    waitpid(child, &status, 0);
    heddle_observe("child", WEXITSTATUS(status));
}
static void forking(void) {
    pthread_t t = start(write_turns);
    look_in_child();
    pthread_join(t, NULL);
}
static void forking_alone(void) {
    pthread_join(start(write_turns), NULL);
    look_in_child();
}

CASES(CASE(counting), CASE(computing), CASE(polling), CASE(alone), CASE(aside), CASE(aside_for_once),
      CASE(aside_often), CASE(alarmed), CASE(waited), CASE(guarded), CASE(stealing), CASE(ticking),
      CASE(handled_later), CASE(disarmed), CASE(forking), CASE(forking_alone))
