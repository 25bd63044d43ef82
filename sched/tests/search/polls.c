/* polls.c - cases in which threads look at data under a lock again and again.
 *
 * Each has a twin, NAME_counted, that does the same but counts its rounds and gives
 * up in the end, so that it is never in the same state twice and never parked. What
 * both see must be the same. */
#include "case.h"

#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int visible;
static int flag, n, tried, looked;
static int rounds; /* of those who poll; 0: until they see it */

static void observe_all(void) {
    heddle_observe("n", n);
    heddle_observe("tried", tried);
    heddle_observe("looked", looked);
}

#define POLL(name, lock, look, unlock)                           \
    WORK(name) {                                                 \
        if (rounds) {                                            \
            for (int i = 0, seen = 0; i < rounds && !seen; i++) { \
                lock;                                            \
                seen = look;                                     \
                unlock;                                          \
            }                                                    \
        } else {                                                 \
            for (int seen = 0; !seen;) {                         \
                lock;                                            \
                seen = look;                                     \
                unlock;                                          \
            }                                                    \
        }                                                        \
        return NULL;                                             \
    }
POLL(poll_mutex, pthread_mutex_lock(&m), flag, pthread_mutex_unlock(&m))
POLL(poll_reader, pthread_rwlock_rdlock(&rw), flag, pthread_rwlock_unlock(&rw))
POLL(poll_writer, pthread_rwlock_wrlock(&rw), flag, pthread_rwlock_unlock(&rw))
POLL(poll_atomic, pthread_mutex_lock(&m), atomic_load(&visible), pthread_mutex_unlock(&m))
POLL(poll_nested, (pthread_mutex_lock(&m), pthread_mutex_lock(&inner)), flag,
     (pthread_mutex_unlock(&inner), pthread_mutex_unlock(&m)))
WORK(poll_inside) { /* holds it at the beginning of each round */
    pthread_mutex_lock(&m);
    for (int i = 0; !flag && !(rounds && ++i == rounds);) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

static void set(void) { pthread_mutex_lock(&m); flag = 1; pthread_mutex_unlock(&m); }
WORK(set_it) { set(); return NULL; }
WORK(set_late) { pthread_mutex_lock(&m); n = 1; pthread_mutex_unlock(&m); set(); return NULL; }
WORK(set_after_looks) { /* nothing is written under the lock at first */
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        looked = looked * 2 + n;
        pthread_mutex_unlock(&m);
    }
    set();
    return NULL;
}
WORK(set_after_tries) {
    for (int i = 0; i < 3; i++) {
        int got = pthread_mutex_trylock(&m) == 0;
        if (got) pthread_mutex_unlock(&m);
        tried = tried * 2 + got;
    }
    set();
    return NULL;
}
WORK(set_shared) { pthread_rwlock_wrlock(&rw); flag = 1; pthread_rwlock_unlock(&rw); return NULL; }
WORK(set_shared_after_tries) {
    for (int i = 0; i < 2; i++) {
        int got = pthread_rwlock_trywrlock(&rw) == 0;
        if (got) pthread_rwlock_unlock(&rw);
        tried = tried * 2 + got;
    }
    return set_shared(arg);
}
WORK(set_visible) { atomic_store(&visible, 1); return NULL; }
WORK(set_inner) { pthread_mutex_lock(&inner); flag = 1; pthread_mutex_unlock(&inner); return NULL; }
WORK(set_crossed) { /* the other way round: may wait for each other */
    pthread_mutex_lock(&inner);
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&inner);
    return NULL;
}
WORK(look_once) { pthread_mutex_lock(&m); looked = 1 + flag; pthread_mutex_unlock(&m); return NULL; }

#define TWINS(name, call)                          \
    static void name(void) { call; observe_all(); } \
    static void name##_counted(void) { rounds = 4; name(); }
TWINS(poll_one, run2(poll_mutex, set_it))
TWINS(poll_late, run2(poll_mutex, set_late))
TWINS(poll_looks, run2(poll_mutex, set_after_looks))
TWINS(poll_tries, run2(poll_mutex, set_after_tries))
TWINS(poll_shared, run2(poll_reader, set_shared))
TWINS(poll_alone, run2(poll_writer, set_shared))
TWINS(poll_shared_tries, run2(poll_reader, set_shared_after_tries))
TWINS(poll_visible, run2(poll_atomic, set_visible))
TWINS(poll_two_locks, run2(poll_nested, set_inner))
TWINS(poll_crossed, run2(poll_nested, set_crossed))
TWINS(poll_from_inside, run2(poll_inside, set_late))
TWINS(poll_beside, run3_here(poll_mutex, look_once, set_it))
static void poll_both(void) { run3_here(poll_mutex, poll_mutex, set_it); observe_all(); }
static void poll_never(void) { run2(poll_mutex, look_once); observe_all(); }

#define BOTH(name) CASE(name), CASE(name##_counted)
CASES(BOTH(poll_one), BOTH(poll_late), BOTH(poll_looks), BOTH(poll_tries), BOTH(poll_shared),
      BOTH(poll_alone), BOTH(poll_shared_tries), BOTH(poll_visible), BOTH(poll_two_locks),
      BOTH(poll_crossed), BOTH(poll_from_inside), BOTH(poll_beside), CASE(poll_both),
      CASE(poll_never))
