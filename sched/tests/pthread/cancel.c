/* cancel.c - cancellation; compiled with and without -fexceptions, which takes
 * cleanup handlers two different ways. */
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/socket.h>

static int cleaned[4], cleanups;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static pthread_key_t key;
static int destroyed;

static void clean(void *arg) { cleaned[cleanups++ & 3] = (int)(long)arg; }
static void unlock(void *arg) { pthread_mutex_unlock(arg); }
static void destroy(void *arg) {
    (void)arg;
    destroyed++;
}

static void inner(void) {
    pthread_cleanup_push(clean, (void *)2);
    sleep(100000);
    pthread_cleanup_pop(0);
}
static void *sleeper(void *arg) {
    pthread_setspecific(key, (void *)1);
    pthread_cleanup_push(clean, (void *)1);
    pthread_cleanup_push(clean, (void *)9);
    pthread_cleanup_pop(0);
    inner();
    pthread_cleanup_pop(0);
    return arg;
}
static void *waits_cond(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;) pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    return arg;
}
static void *waits_sem(void *arg) {
    sem_wait(&sem);
    return arg;
}
static void *waits_join(void *arg) {
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}
static void *tests(void *arg) {
    for (;;) {
        pthread_testcancel();
        sched_yield();
    }
    return arg;
}
static void *disabled(void *arg) {
    int old;
    EQ("disable", 0, pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    EQ("was_enabled", PTHREAD_CANCEL_ENABLE, old);
    sem_post(arg);
    sleep(10);
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    EQ("was_disabled", PTHREAD_CANCEL_DISABLE, old);
    pthread_testcancel();
    printf("not ok canceled_at_last\n");
    return NULL;
}
static volatile int spinning;
static void *asynchronous(void *arg) {
    int old;
    EQ("asynchronous", 0, pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old));
    EQ("was_deferred", PTHREAD_CANCEL_DEFERRED, old);
    spinning = 1;
    while (spinning) continue;
    return arg;
}
static void *leaves(void *arg) {
    pthread_cleanup_push(clean, (void *)5);
    pthread_exit(arg);
    pthread_cleanup_pop(0);
    return NULL;
}
static void *pops(void *arg) {
    pthread_cleanup_push(clean, (void *)6);
    pthread_cleanup_pop(1);
    return arg;
}

/* What comes to a point with a request waiting does nothing of what it is for. */
static int pair[2];
static char byte = 'x';
static void *act(void *arg) {
    pthread_cancel(pthread_self());
    switch ((long)arg) {
    case 0: sem_wait(&sem); break;
    case 1: sem_timedwait(&sem, &(struct timespec){0, 0}); break;
    case 2: write(pair[0], &byte, 1); break;
    case 3: read(pair[0], &byte, 1); break;
    case 4: send(pair[0], &byte, 1, 0); break;
    case 5: recv(pair[0], &byte, 1, MSG_DONTWAIT); break;
    case 6: open("/dev/null", O_RDONLY); break;
    case 7: close(pair[0]); break;
    case 8: poll(&(struct pollfd){pair[0], POLLIN, 0}, 1, 0); break;
    case 9: fsync(pair[0]); break;
    case 10: pwrite(pair[0], &byte, 1, 0); break;
    case 11: pread(pair[0], &byte, 1, 0); break;
    case 12: usleep(1); break;
    }
    return NULL;
}
static void points(void) {
    int left = 0, next = open("/dev/null", O_RDONLY);
    close(next);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    write(pair[1], "y", 1);
    sem_post(&sem);
    for (long i = 0; i <= 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "point_%ld_first", i);
        YES(name, finish(start(act, (void *)i)) == PTHREAD_CANCELED);
    }
    sem_getvalue(&sem, &left);
    EQ("permit_is_left", 1, left);
    sem_wait(&sem);
    FAILS("nothing_was_sent", EAGAIN, recv(pair[1], &byte, 1, MSG_DONTWAIT));
    YES("nothing_was_taken", recv(pair[0], &byte, 1, MSG_DONTWAIT) == 1 && byte == 'y');
    int now = open("/dev/null", O_RDONLY);
    EQ("nothing_was_opened", next + 2, now);
    close(now);
    close(pair[0]);
    close(pair[1]);
}

static void canceled(const char *name, void *(*entry)(void *), void *arg, int first) {
    pthread_t t = start(entry, arg);
    if (first) sleep(1);
    pthread_cancel(t);
    YES(name, finish(t) == PTHREAD_CANCELED);
}

int main(void) {
    pthread_key_create(&key, destroy);
    sem_init(&sem, 0, 0);
    pthread_t t = start(sleeper, NULL);
    sleep(1);
    EQ("cancel", 0, pthread_cancel(t));
    YES("canceled", finish(t) == PTHREAD_CANCELED);
    EQ("two_handlers", 2, cleanups);
    YES("inner_first", cleaned[0] == 2 && cleaned[1] == 1);
    EQ("key_destructor", 1, destroyed);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    YES("did_not_sleep_on", now.tv_sec < 1000);

    canceled("cond_wait", waits_cond, NULL, 1);
    canceled("cond_wait_at_any_time", waits_cond, NULL, 0);
    EQ("mutex_came_back", 0, pthread_mutex_trylock(&mutex) || pthread_mutex_unlock(&mutex));
    canceled("sem_wait", waits_sem, NULL, 1);
    canceled("testcancel", tests, NULL, 1);
    pthread_t lazy = start(waits_sem, NULL);
    canceled("join", waits_join, &lazy, 1);
    sem_post(&sem);
    finish(lazy);

    points();

    t = start(disabled, &sem);
    sem_wait(&sem);
    pthread_cancel(t);
    YES("canceled_later", finish(t) == PTHREAD_CANCELED);
    t = start(asynchronous, NULL);
    while (!spinning) sched_yield();
    pthread_cancel(t);
    YES("canceled_anywhere", finish(t) == PTHREAD_CANCELED);

    cleanups = 0;
    EQ("exit_result", 3, (long)finish(start(leaves, (void *)3)));
    YES("exit_cleans", cleanups == 1 && cleaned[0] == 5);
    EQ("pop_result", 4, (long)finish(start(pops, (void *)4)));
    YES("pop_cleans", cleanups == 2 && cleaned[1] == 6);
    EQ("bad_state", EINVAL, pthread_setcancelstate(42, NULL));
    EQ("bad_type", EINVAL, pthread_setcanceltype(42, NULL));
    t = start(pops, NULL);
    sleep(1);
    EQ("cancel_ended", 0, pthread_cancel(t));
    YES("ended_normally", finish(t) == NULL);
    EQ("cancel_gone", ESRCH, pthread_cancel(t));
    return 0;
}
