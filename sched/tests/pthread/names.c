/* names.c - second names of functions, and those of calls let through. */
#include "check.h"

#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

/* Old objects and libraries use these. */
extern int mutex_init(pthread_mutex_t *, const void *) __asm__("__pthread_mutex_init");
extern int mutex_lock(pthread_mutex_t *) __asm__("__pthread_mutex_lock");
extern int mutex_trylock(pthread_mutex_t *) __asm__("__pthread_mutex_trylock");
extern int mutex_unlock(pthread_mutex_t *) __asm__("__pthread_mutex_unlock");
extern int mutex_destroy(pthread_mutex_t *) __asm__("__pthread_mutex_destroy");
extern int rw_init(pthread_rwlock_t *, const void *) __asm__("__pthread_rwlock_init");
extern int rw_rdlock(pthread_rwlock_t *) __asm__("__pthread_rwlock_rdlock");
extern int rw_wrlock(pthread_rwlock_t *) __asm__("__pthread_rwlock_wrlock");
extern int rw_tryrdlock(pthread_rwlock_t *) __asm__("__pthread_rwlock_tryrdlock");
extern int rw_trywrlock(pthread_rwlock_t *) __asm__("__pthread_rwlock_trywrlock");
extern int rw_unlock(pthread_rwlock_t *) __asm__("__pthread_rwlock_unlock");
extern int rw_destroy(pthread_rwlock_t *) __asm__("__pthread_rwlock_destroy");
extern int once_(pthread_once_t *, void (*)(void)) __asm__("__pthread_once");
extern int gettime_(clockid_t, struct timespec *) __asm__("__clock_gettime");
extern int timeofday_(struct timeval *, void *) __asm__("__gettimeofday");
extern int nanosleep_(const struct timespec *, struct timespec *) __asm__("__nanosleep");
extern int yield_(void) __asm__("__sched_yield");
extern int old_yield(void) __asm__("pthread_yield");
extern pid_t fork_(void) __asm__("__fork");
extern pid_t vfork_(void) __asm__("__vfork");

static int ran;
static void run(void) { ran++; }
static int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
static int cleaned;
static void clean(void *arg) { cleaned += (int)(long)arg; }
static void *deferred(void *arg) {
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_cleanup_push_defer_np(clean, (void *)1);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    cleaned += type == PTHREAD_CANCEL_DEFERRED ? 10 : 0;
    pthread_cleanup_pop_restore_np(1);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    cleaned += type == PTHREAD_CANCEL_ASYNCHRONOUS ? 100 : 0;
    return arg;
}

static void aliases(void) {
    pthread_mutex_t mutex;
    pthread_rwlock_t lock;
    pthread_once_t control = PTHREAD_ONCE_INIT;
    struct timespec at, span = {1, 0};
    struct timeval tv;
    EQ("mutex", 0, mutex_init(&mutex, NULL) | mutex_lock(&mutex));
    EQ("mutex_trylock", EBUSY, mutex_trylock(&mutex));
    EQ("mutex_end", 0, mutex_unlock(&mutex) | mutex_destroy(&mutex));
    EQ("rwlock", 0, rw_init(&lock, NULL) | rw_rdlock(&lock));
    EQ("rwlock_try", EBUSY, rw_trywrlock(&lock));
    EQ("rwlock_end", 0, rw_tryrdlock(&lock) | rw_unlock(&lock) | rw_unlock(&lock) |
                            rw_wrlock(&lock) | rw_unlock(&lock) | rw_destroy(&lock));
    once_(&control, run);
    once_(&control, run);
    EQ("once", 1, ran);
    EQ("clocks", 0, gettime_(CLOCK_MONOTONIC, &at) | timeofday_(&tv, NULL) | nanosleep_(&span, NULL));
    EQ("yields", 0, yield_() | old_yield());
    pid_t child = fork_();
    if (child == 0) _exit(3);
    EQ("fork", 3, status_of(child));
    child = vfork_();
    if (child == 0) _exit(4);
    EQ("vfork", 4, status_of(child));
    finish(start(deferred, NULL));
    EQ("deferred_cleanup", 111, cleaned);
}

static void let_through(void) {
    struct epoll_event event;
    int epoll = epoll_create1(0), ends[2];
    EQ("epoll_wait", 0, epoll_wait(epoll, &event, 1, 0));
    if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1) printf("not ok pipe\n");
    struct pollfd in = {ends[0], POLLIN, 0};
    struct timespec none = {0, 0};
    EQ("ppoll", 1, ppoll(&in, 1, &none, NULL));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    EQ("pselect", 1, pselect(ends[0] + 1, &set, NULL, NULL, &none, NULL));
    EQ("select", 1, select(ends[0] + 1, &set, NULL, NULL, NULL));
    FILE *file = tmpfile();
    EQ("flock", 0, flock(fileno(file), LOCK_EX));
    EQ("lockf", 0, lockf(fileno(file), F_LOCK, 0));
    char buffer[8];
    struct sembuf operation = {0, 0, 0};
    siginfo_t info;
    FAILS("msgrcv", EINVAL, msgrcv(-1, buffer, 1, 0, 0));
    FAILS("semop", EINVAL, semop(-1, &operation, 1));
    FAILS("waitid", ECHILD, waitid(P_ALL, 0, &info, WEXITED));
    FAILS("wait", ECHILD, wait(NULL));
    FAILS("mq_receive", EBADF, mq_receive((mqd_t)-1, buffer, 1, NULL));
    FAILS("accept", ENOTSOCK, accept(ends[0], NULL, NULL));
    FAILS("accept4", ENOTSOCK, accept4(ends[0], NULL, NULL, 0));
    FAILS("connect", ENOTSOCK, connect(ends[0], (struct sockaddr *)buffer, sizeof buffer));
    FAILS("recvfrom", ENOTSOCK, recvfrom(ends[0], buffer, 1, 0, NULL, NULL));
    struct msghdr message = {0};
    FAILS("recvmsg", ENOTSOCK, recvmsg(ends[0], &message, 0));
}

static int ends_[2], heard[3];
static void *polls(void *arg) {
    struct pollfd in = {ends_[0], POLLIN, 0};
    heard[0] = poll(&in, 1, -1);
    return arg;
}
static void *selects(void *arg) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends_[0], &set);
    heard[1] = select(ends_[0] + 1, &set, NULL, NULL, NULL);
    return arg;
}
static void *epolls(void *arg) {
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends_[0], &event);
    heard[2] = epoll_wait(epoll, &event, 1, -1);
    return arg;
}
static void between_threads(void) { /* one writes what the others wait for */
    if (pipe(ends_) != 0) return;
    pthread_t t[3] = {start(polls, NULL), start(selects, NULL), start(epolls, NULL)};
    sched_yield();
    if (write(ends_[1], "x", 1) != 1) return;
    for (int i = 0; i < 3; i++) finish(t[i]);
    EQ("heard_by_poll", 1, heard[0]);
    EQ("heard_by_select", 1, heard[1]);
    EQ("heard_by_epoll", 1, heard[2]);
    struct timespec span = {5, 0};
    EQ("ppoll_sleeps", 0, ppoll(NULL, 0, &span, NULL));
    EQ("pselect_sleeps", 0, pselect(0, NULL, NULL, NULL, &span, NULL));
}

static void accepted(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    EQ("sched_setaffinity", 0, sched_setaffinity(0, sizeof set, &set));
    YES("sched_getcpu", sched_getcpu() >= 0);
    clockid_t clock;
    EQ("clock_getcpuclockid", 0, clock_getcpuclockid(0, &clock));
    EQ("clock_getcpuclockid_other", ESRCH, clock_getcpuclockid(1, &clock));
    timer_t timer;
    struct itimerspec value = {{0, 0}, {1, 0}}, left;
    EQ("timer", 0, timer_create(CLOCK_REALTIME, NULL, &timer) |
                       timer_settime(timer, 0, &value, &left) | timer_gettime(timer, &left) |
                       timer_getoverrun(timer) | timer_delete(timer));
    EQ("ualarm", 0, ualarm(1, 0));
}

int main(void) {
    aliases();
    let_through();
    between_threads();
    accepted();
    return 0;
}
