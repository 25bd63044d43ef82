/* mutex.c - every mutex function, right and wrong ways that POSIX defines. */
#include "check.h"

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust;

static void *try_plain(void *arg) { return (void *)(long)pthread_mutex_trylock(arg); }
static void *try_unlock(void *arg) { return (void *)(long)pthread_mutex_unlock(arg); }
static void *timed(void *arg) {
    struct timespec at = in_seconds(CLOCK_REALTIME, 3600);
    return (void *)(long)pthread_mutex_timedlock(arg, &at);
}
static void *clocked(void *arg) {
    struct timespec at = in_seconds(CLOCK_MONOTONIC, 3600);
    return (void *)(long)pthread_mutex_clocklock(arg, CLOCK_MONOTONIC, &at);
}
static void *bad_time(void *arg) {
    struct timespec at = {1, 1000000000};
    return (void *)(long)pthread_mutex_timedlock(arg, &at);
}
static void *past(void *arg) {
    struct timespec at = {1, 0};
    return (void *)(long)pthread_mutex_timedlock(arg, &at);
}
static void *die_holding(void *arg) {
    pthread_mutex_lock(arg);
    return NULL;
}
static int in_another(void *(*entry)(void *), void *arg) {
    return (int)(long)finish(start(entry, arg));
}

static void types(void) {
    EQ("plain_lock", 0, pthread_mutex_lock(&plain));
    EQ("trylock_of_own", EBUSY, pthread_mutex_trylock(&plain));
    EQ("trylock_held", EBUSY, in_another(try_plain, &plain));
    EQ("timedlock_times_out", ETIMEDOUT, in_another(timed, &plain));
    EQ("clocklock_times_out", ETIMEDOUT, in_another(clocked, &plain));
    EQ("timedlock_bad_time", EINVAL, in_another(bad_time, &plain));
    EQ("timedlock_past", ETIMEDOUT, in_another(past, &plain));
    EQ("plain_unlock", 0, pthread_mutex_unlock(&plain));
    struct timespec bad = {0, -1};
    EQ("free_lock_ignores_a_bad_time", 0, pthread_mutex_timedlock(&plain, &bad));
    pthread_mutex_unlock(&plain);
    EQ("clocklock_other_clock", EINVAL,
       pthread_mutex_clocklock(&plain, CLOCK_PROCESS_CPUTIME_ID, &bad));
    EQ("trylock_free", 0, pthread_mutex_trylock(&plain));
    pthread_mutex_unlock(&plain);

    EQ("recursive_1", 0, pthread_mutex_lock(&recursive));
    EQ("recursive_2", 0, pthread_mutex_lock(&recursive));
    EQ("recursive_try", 0, pthread_mutex_trylock(&recursive));
    EQ("recursive_other_unlock", EPERM, in_another(try_unlock, &recursive));
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    EQ("recursive_still_held", EBUSY, in_another(try_plain, &recursive));
    EQ("recursive_last", 0, pthread_mutex_unlock(&recursive));
    EQ("recursive_too_often", EPERM, pthread_mutex_unlock(&recursive));

    EQ("check_lock", 0, pthread_mutex_lock(&checking));
    EQ("check_relock", EDEADLK, pthread_mutex_lock(&checking));
    EQ("check_try_own", EBUSY, pthread_mutex_trylock(&checking));
    EQ("check_other_unlock", EPERM, in_another(try_unlock, &checking));
    EQ("check_unlock", 0, pthread_mutex_unlock(&checking));
    EQ("check_unlock_free", EPERM, pthread_mutex_unlock(&checking));
    EQ("adaptive", 0, pthread_mutex_lock(&adaptive) | pthread_mutex_unlock(&adaptive));
    struct timespec at = in_seconds(CLOCK_REALTIME, 5);
    pthread_mutex_lock(&plain);
    EQ("own_timedlock_times_out", ETIMEDOUT, pthread_mutex_timedlock(&plain, &at));
    pthread_mutex_unlock(&plain);
}

static void robustness(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    EQ("init_robust", 0, pthread_mutex_init(&robust, &attr));
    finish(start(die_holding, &robust));
    EQ("owner_died", EOWNERDEAD, pthread_mutex_lock(&robust));
    EQ("consistent", 0, pthread_mutex_consistent(&robust));
    EQ("consistent_again", EINVAL, pthread_mutex_consistent(&robust));
    EQ("unlock_recovered", 0, pthread_mutex_unlock(&robust));
    EQ("lock_recovered", 0, pthread_mutex_lock(&robust));
    pthread_mutex_unlock(&robust);
    EQ("robust_unlock_free", EPERM, pthread_mutex_unlock(&robust));
    finish(start(die_holding, &robust));
    EQ("try_owner_died", EOWNERDEAD, pthread_mutex_trylock(&robust));
    pthread_mutex_unlock(&robust);
    EQ("not_recoverable", ENOTRECOVERABLE, pthread_mutex_lock(&robust));
    EQ("try_not_recoverable", ENOTRECOVERABLE, pthread_mutex_trylock(&robust));
    EQ("destroy_lost", 0, pthread_mutex_destroy(&robust));
    EQ("consistent_of_plain", EINVAL, pthread_mutex_consistent(&plain));
}

static void ceilings(void) {
    pthread_mutexattr_t attr;
    pthread_mutex_t mutex;
    int old = -1;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    EQ("init_protect", 0, pthread_mutex_init(&mutex, &attr));
    EQ("set_ceiling", 0, pthread_mutex_setprioceiling(&mutex, 7, &old));
    EQ("get_ceiling", 0, pthread_mutex_getprioceiling(&mutex, &old));
    EQ("ceiling", 7, old);
    EQ("bad_ceiling", EINVAL, pthread_mutex_setprioceiling(&mutex, 1000, &old));
    EQ("no_ceiling", EINVAL, pthread_mutex_getprioceiling(&plain, &old));
    pthread_mutex_destroy(&mutex);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
    EQ("init_inherit", 0, pthread_mutex_init(&mutex, &attr));
    EQ("lock_inherit", 0, pthread_mutex_lock(&mutex) | pthread_mutex_unlock(&mutex));
    EQ("destroy", 0, pthread_mutex_destroy(&mutex));
    EQ("init_again", 0, pthread_mutex_init(&mutex, NULL));
    EQ("lock_again", 0, pthread_mutex_lock(&mutex) | pthread_mutex_unlock(&mutex));
    pthread_mutex_destroy(&mutex);
}

int main(void) {
    types();
    robustness();
    ceilings();
    return 0;
}
