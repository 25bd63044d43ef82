/* thread.c - creating, joining, detaching, keys, once, names, attributes. */
#include "check.h"

#include <sys/single_threaded.h>

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

static void *give(void *arg) { return arg; }
static void *leave(void *arg) {
    pthread_exit(arg);
    return NULL;
}
static void *nap(void *arg) {
    sleep(10);
    return arg;
}
static pthread_t first;
static void *join_first(void *arg) {
    (void)arg;
    return (void *)(long)pthread_join(first, NULL);
}

static void joining(void) {
    EQ("result", 7, (long)finish(start(give, (void *)7)));
    EQ("exit_result", 8, (long)finish(start(leave, (void *)8)));
    EQ("join_self", EDEADLK, pthread_join(pthread_self(), NULL));
    pthread_t t = start(nap, (void *)9);
    void *result;
    EQ("tryjoin_busy", EBUSY, pthread_tryjoin_np(t, &result));
    struct timespec at = in_seconds(CLOCK_REALTIME, 1);
    EQ("timedjoin_out", ETIMEDOUT, pthread_timedjoin_np(t, &result, &at));
    at = in_seconds(CLOCK_MONOTONIC, 1);
    EQ("clockjoin_out", ETIMEDOUT, pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, &at));
    EQ("clockjoin_clock", EINVAL, pthread_clockjoin_np(t, &result, CLOCK_TAI, &at));
    at.tv_nsec = -1;
    EQ("timedjoin_bad", EINVAL, pthread_timedjoin_np(t, &result, &at));
    sleep(20);
    EQ("tryjoin", 0, pthread_tryjoin_np(t, &result));
    EQ("tryjoin_result", 9, (long)result);
    t = start(nap, NULL);
    at = in_seconds(CLOCK_REALTIME, 60);
    EQ("timedjoin", 0, pthread_timedjoin_np(t, NULL, &at));
    t = start(give, NULL);
    EQ("detach", 0, pthread_detach(t));
    first = pthread_self();
    t = start(join_first, NULL);
    int rc = pthread_join(t, &result); /* each waits for the other: one is told so */
    if (rc == 0) EQ("mutual_join", EDEADLK, (long)result);
    else EQ("mutual_join", EDEADLK, rc);
}

static char mine[65536];
static void *where(void *arg) {
    pthread_attr_t attr;
    void *low;
    size_t size;
    char here;
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &low, &size);
    *(size_t *)arg = size;
    int inside = &here >= (char *)low && &here < (char *)low + size;
    return (void *)(long)(inside && (&here < mine || &here >= mine + sizeof mine) ? 1
                          : inside                                             ? 2
                                                                               : 0);
}

static void attributes(void) {
    pthread_attr_t attr;
    pthread_t t;
    size_t size = 0;
    void *result;
    EQ("own_stack", 1, (long)finish(start(where, &size)));
    YES("default_size", size >= 64 * 1024);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 3 << 20);
    pthread_create(&t, &attr, where, &size);
    pthread_join(t, &result);
    YES("asked_size", size >= 3u << 20 && (long)result == 1);
    pthread_attr_setstack(&attr, mine, sizeof mine);
    pthread_create(&t, &attr, where, &size);
    pthread_join(t, &result);
    EQ("given_stack", 2, (long)result);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    EQ("create_detached", 0, pthread_create(&t, &attr, give, NULL));
    struct sched_param param = {.sched_priority = 5};
    int policy;
    EQ("setschedparam", 0, pthread_setschedparam(pthread_self(), SCHED_RR, &param));
    EQ("setschedprio", 0, pthread_setschedprio(pthread_self(), 6));
    EQ("getschedparam", 0, pthread_getschedparam(pthread_self(), &policy, &param));
    YES("policy_kept", policy == SCHED_RR && param.sched_priority == 6);
    EQ("bad_policy", EINVAL, pthread_setschedparam(pthread_self(), 99, &param));
    EQ("bad_priority", EINVAL, pthread_setschedprio(pthread_self(), 1000));
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    EQ("setaffinity", 0, pthread_setaffinity_np(pthread_self(), sizeof set, &set));
    EQ("getaffinity", 0, pthread_getaffinity_np(pthread_self(), sizeof set, &set));
    EQ("setconcurrency", 0, pthread_setconcurrency(4));
    char name[32] = "";
    EQ("setname", 0, pthread_setname_np(pthread_self(), "fifteen letters"));
    EQ("getname", 0, pthread_getname_np(pthread_self(), name, sizeof name));
    EQ("name", 0, strcmp(name, "fifteen letters"));
    EQ("name_too_long", ERANGE, pthread_setname_np(pthread_self(), "sixteen letters!"));
    EQ("name_no_room", ERANGE, pthread_getname_np(pthread_self(), name, 8));
    clockid_t clock;
    struct timespec now;
    EQ("cpuclock", 0, pthread_getcpuclockid(pthread_self(), &clock) || clock_gettime(clock, &now));
    YES("self_equal", pthread_equal(pthread_self(), pthread_self()));
    EQ("yield", 0, sched_yield());
    EQ("gettid_main", getpid(), gettid());
}

static pthread_key_t key, other;
static int destroyed, rounds;
static void destroy(void *value) { destroyed += (int)(long)value; }
static void stubborn(void *value) {
    rounds++;
    pthread_setspecific(other, value);
}
static void *use_keys(void *arg) {
    YES("unset_is_null", pthread_getspecific(key) == NULL);
    pthread_setspecific(key, arg);
    pthread_setspecific(other, (void *)1);
    sched_yield();
    return pthread_getspecific(key);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ran;
static void slow(void) {
    sleep(1);
    ran++;
}
static void *call_slow(void *arg) {
    (void)arg;
    pthread_once(&once, slow);
    return (void *)(long)ran;
}

static void keys(void) {
    EQ("key_create", 0, pthread_key_create(&key, destroy));
    EQ("key_create_2", 0, pthread_key_create(&other, stubborn));
    pthread_setspecific(key, (void *)100);
    pthread_t a = start(use_keys, (void *)1), b = start(use_keys, (void *)2);
    EQ("own_value", 1, (long)finish(a));
    EQ("own_value_2", 2, (long)finish(b));
    EQ("destructors", 3, destroyed);
    EQ("destructor_rounds", 2 * PTHREAD_DESTRUCTOR_ITERATIONS, rounds);
    EQ("main_keeps_its_own", 100, (long)pthread_getspecific(key));
    EQ("key_delete", 0, pthread_key_delete(key));
    EQ("set_deleted", EINVAL, pthread_setspecific(key, (void *)1));
    EQ("key_delete_again", EINVAL, pthread_key_delete(key));
    a = start(call_slow, NULL);
    b = start(call_slow, NULL);
    EQ("once_waits", 1, (long)finish(a));
    EQ("once_waits_2", 1, (long)finish(b));
    EQ("once_again", 0, pthread_once(&once, slow));
    EQ("once_only", 1, ran);
}

/* libstdc++ leaves out what it takes for needless as long as this is set. */
static void *several(void *arg) { return (void *)(long)(__libc_single_threaded == (long)arg); }

int main(void) {
    YES("alone", __libc_single_threaded);
    EQ("not_alone", 1, (long)finish(start(several, (void *)0)));
    joining();
    attributes();
    keys();
    return 0;
}
