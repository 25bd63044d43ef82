/* c11.c - <threads.h>. */
#include "check.h"

#include <threads.h>

static mtx_t mutex;
static cnd_t cond;
static tss_t tss;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, ran, destroyed;

static int give(void *arg) { return *(int *)arg; }
static int leave(void *arg) {
    thrd_exit(*(int *)arg + 1);
    return 0;
}
static int try(void *arg) { return mtx_trylock(arg); }
static int late(void *arg) {
    struct timespec at = in_seconds(CLOCK_REALTIME, 5);
    return mtx_timedlock(arg, &at);
}
static int wait_ready(void *arg) {
    (void)arg;
    mtx_lock(&mutex);
    while (!ready) cnd_wait(&cond, &mutex);
    mtx_unlock(&mutex);
    return 11;
}
static void destroy(void *value) { destroyed += *(int *)value; }
static int specific(void *arg) {
    tss_set(tss, arg);
    thrd_yield();
    return tss_get(tss) == arg;
}
static void once(void) { ran++; }

static int run(thrd_start_t entry, void *arg) {
    thrd_t t;
    int result = -1;
    EQ("create", thrd_success, thrd_create(&t, entry, arg));
    EQ("join", thrd_success, thrd_join(t, &result));
    return result;
}

int main(void) {
    int five = -5;
    EQ("result", -5, run(give, &five));
    EQ("exit", -4, run(leave, &five));
    EQ("init", thrd_success, mtx_init(&mutex, mtx_plain | mtx_timed));
    EQ("init_bad", thrd_error, mtx_init(&mutex, 1000));
    mtx_init(&mutex, mtx_timed);
    EQ("lock", thrd_success, mtx_lock(&mutex));
    EQ("trylock", thrd_busy, run(try, &mutex));
    EQ("timedlock", thrd_timedout, run(late, &mutex));
    EQ("unlock", thrd_success, mtx_unlock(&mutex));
    mtx_t again;
    EQ("recursive", thrd_success, mtx_init(&again, mtx_recursive));
    EQ("relock", 0, mtx_lock(&again) || mtx_lock(&again) || mtx_unlock(&again) || mtx_unlock(&again));
    mtx_destroy(&again);
    EQ("cnd_init", thrd_success, cnd_init(&cond));
    thrd_t t;
    thrd_create(&t, wait_ready, NULL);
    struct timespec span = {1, 0};
    EQ("sleep", 0, thrd_sleep(&span, NULL));
    mtx_lock(&mutex);
    struct timespec at = in_seconds(CLOCK_REALTIME, 1);
    EQ("cnd_timedwait", thrd_timedout, cnd_timedwait(&cond, &mutex, &at));
    ready = 1;
    EQ("signal", thrd_success, cnd_signal(&cond));
    EQ("broadcast", thrd_success, cnd_broadcast(&cond));
    mtx_unlock(&mutex);
    int result;
    thrd_join(t, &result);
    EQ("woken", 11, result);
    cnd_destroy(&cond);
    EQ("tss_create", thrd_success, tss_create(&tss, destroy));
    EQ("tss", 1, run(specific, &(int){3}));
    EQ("tss_destructor", 3, destroyed);
    tss_delete(tss);
    call_once(&flag, once);
    call_once(&flag, once);
    EQ("call_once", 1, ran);
    YES("current", thrd_equal(thrd_current(), thrd_current()));
    thrd_create(&t, give, &five);
    EQ("detach", thrd_success, thrd_detach(t));
    mtx_destroy(&mutex);
    return 0;
}
