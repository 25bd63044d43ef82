/* mutex.c - cases with mutexes of all kinds. */
#include "case.h"

#include <errno.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       gate = PTHREAD_MUTEX_INITIALIZER;
static int n, seen[4];

static void locked(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    n = n * 10 + 1;
    pthread_mutex_unlock(mutex);
}

WORK(lock_a) { locked(&a); return NULL; }
WORK(lock_b) { pthread_mutex_lock(&b); seen[0]++; pthread_mutex_unlock(&b); return NULL; }
WORK(lock_a_mark) {
    pthread_mutex_lock(&a);
    n = n * 10 + 2;
    pthread_mutex_unlock(&a);
    return NULL;
}
WORK(lock_a_mark3) {
    pthread_mutex_lock(&a);
    n = n * 10 + 3;
    pthread_mutex_unlock(&a);
    return NULL;
}
static void mutex_two(void) { run2(lock_a, lock_a_mark); heddle_observe("n", n); }
static void mutex_three(void) {
    run3_here(lock_a, lock_a_mark, lock_a_mark3);
    heddle_observe("n", n);
}
static void mutex_apart(void) { run2(lock_a, lock_b); heddle_observe("n", n); }

WORK(twice_a) { locked(&a); locked(&a); return NULL; }
WORK(twice_a_mark) { lock_a_mark(arg); lock_a_mark(arg); return NULL; }
static void mutex_twice(void) { run2_here(twice_a, twice_a_mark); heddle_observe("n", n); }

WORK(a_then_b) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    n = n * 10 + 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}
WORK(b_then_a) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    n = n * 10 + 2;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}
static void mutex_nested(void) { run2_here(a_then_b, a_then_b); heddle_observe("n", n); }
static void mutex_abba(void) { run2_here(a_then_b, b_then_a); heddle_observe("n", n); }
WORK(gated_a_then_b) {
    pthread_mutex_lock(&gate);
    a_then_b(arg);
    pthread_mutex_unlock(&gate);
    return NULL;
}
WORK(gated_b_then_a) {
    pthread_mutex_lock(&gate);
    b_then_a(arg);
    pthread_mutex_unlock(&gate);
    return NULL;
}
static void mutex_gated(void) { run2_here(gated_a_then_b, gated_b_then_a); heddle_observe("n", n); }

WORK(b_one_a) { /* comes to the lock late */
    lock_b(arg);
    locked(&a);
    return NULL;
}
static void mutex_late(void) { run2_here(b_one_a, twice_a_mark); heddle_observe("n", n); }

WORK(try_a) {
    if (pthread_mutex_trylock(&a) == 0) {
        seen[1] = 1;
        pthread_mutex_unlock(&a);
    }
    return NULL;
}
WORK(try_a_two) {
    if (pthread_mutex_trylock(&a) == 0) {
        seen[2] = 1;
        pthread_mutex_unlock(&a);
    }
    return NULL;
}
static void observe_seen(void) {
    heddle_observe("n", n);
    for (int i = 0; i < 4; i++) heddle_observe("seen", seen[i]);
}
static void try_and_lock(void) { run2(try_a, lock_a); observe_seen(); }
static void try_both(void) { run2(try_a, try_a_two); observe_seen(); }
static void try_and_lock_twice(void) { run2_here(try_a, twice_a); observe_seen(); }
static void try_three(void) { run3_here(try_a, try_a_two, lock_a); observe_seen(); }
WORK(try_again) {
    for (int i = 0; i < 3; i++) {
        if (pthread_mutex_trylock(&a) == 0) {
            seen[1] = i + 1;
            pthread_mutex_unlock(&a);
            break;
        }
    }
    return NULL;
}
static void try_retry(void) { run2_here(lock_a, try_again); observe_seen(); }

WORK(keep_a) { pthread_mutex_lock(&a); return NULL; }
static void held_at_end(void) { run2(keep_a, lock_a); heddle_observe("n", n); }

static pthread_mutex_t recursive;
WORK(relock) {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    n = n * 10 + 1;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    return NULL;
}
static void mutex_recursive(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attr);
    run2(relock, relock);
    heddle_observe("n", n);
}

WORK(unlock_a) { pthread_mutex_unlock(&a); return NULL; }
static void mutex_not_mine(void) { run2(lock_a, unlock_a); heddle_observe("n", n); }

static pthread_mutex_t robust;
WORK(die_holding) { pthread_mutex_lock(&robust); return NULL; }
WORK(inherit) {
    int rc = pthread_mutex_lock(&robust);
    seen[0] = rc == EOWNERDEAD;
    if (rc == EOWNERDEAD) pthread_mutex_consistent(&robust);
    pthread_mutex_unlock(&robust);
    return NULL;
}
static void mutex_robust(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attr);
    run2(die_holding, inherit);
    observe_seen();
}

static pthread_spinlock_t spin;
WORK(spin_mark) { pthread_spin_lock(&spin); n = n * 10 + 1; pthread_spin_unlock(&spin); return NULL; }
WORK(spin_mark2) { pthread_spin_lock(&spin); n = n * 10 + 2; pthread_spin_unlock(&spin); return NULL; }
WORK(spin_try) {
    if (pthread_spin_trylock(&spin) == 0) {
        seen[3] = 1;
        pthread_spin_unlock(&spin);
    }
    return NULL;
}
static void spin_two(void) { pthread_spin_init(&spin, 0); run2(spin_mark, spin_mark2); observe_seen(); }
static void spin_tried(void) { pthread_spin_init(&spin, 0); run2(spin_mark, spin_try); observe_seen(); }

static void outer_inner(void) { /* one waits for the other inside of its own lock */
    pthread_mutex_lock(&a);
    pthread_t t = start(b_one_a);
    pthread_mutex_lock(&b);
    n = n * 10 + 5;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, NULL);
    heddle_observe("n", n);
}

CASES(CASE(mutex_two), CASE(mutex_three), CASE(mutex_apart), CASE(mutex_twice),
      CASE(mutex_nested), CASE(mutex_abba), CASE(mutex_gated), CASE(mutex_late),
      CASE(try_and_lock), CASE(try_both), CASE(try_and_lock_twice), CASE(try_three),
      CASE(try_retry), CASE(held_at_end), CASE(mutex_recursive), CASE(mutex_not_mine),
      CASE(mutex_robust), CASE(spin_two), CASE(spin_tried), CASE(outer_inner))
