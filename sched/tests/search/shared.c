/* shared.c - cases with read-write locks, semaphores, barriers, once. */
#include "case.h"

#include <errno.h>
#include <semaphore.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem, other;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n, got[4];

static void observe_all(void) {
    heddle_observe("n", n);
    for (int i = 0; i < 4; i++) heddle_observe("got", got[i]);
}

/* ---- read-write locks ---- */

WORK(reader) { pthread_rwlock_rdlock(&rw); got[0] = n; pthread_rwlock_unlock(&rw); return NULL; }
WORK(reader2) { pthread_rwlock_rdlock(&rw); got[1] = n; pthread_rwlock_unlock(&rw); return NULL; }
WORK(writer) { pthread_rwlock_wrlock(&rw); n = n * 10 + 1; pthread_rwlock_unlock(&rw); return NULL; }
WORK(writer2) { pthread_rwlock_wrlock(&rw); n = n * 10 + 2; pthread_rwlock_unlock(&rw); return NULL; }
WORK(try_reader) {
    if (pthread_rwlock_tryrdlock(&rw) == 0) {
        got[2] = n + 100;
        pthread_rwlock_unlock(&rw);
    }
    return NULL;
}
WORK(try_writer) {
    if (pthread_rwlock_trywrlock(&rw) == 0) {
        n = n * 10 + 3;
        pthread_rwlock_unlock(&rw);
    }
    return NULL;
}
WORK(reader_twice) { reader(arg); reader2(arg); return NULL; }
static void rw_readers(void) { run2(reader, reader2); observe_all(); }
static void rw_writers(void) { run2(writer, writer2); observe_all(); }
static void rw_one_each(void) { run2(reader, writer); observe_all(); }
static void rw_two_readers(void) { run3_here(reader, reader2, writer); observe_all(); }
static void rw_two_writers(void) { run3_here(writer, writer2, reader); observe_all(); }
static void rw_reads_twice(void) { run2(reader_twice, writer); observe_all(); }
static void rw_try_read(void) { run2(try_reader, writer); observe_all(); }
static void rw_try_write(void) { run2(reader, try_writer); observe_all(); }
static void rw_tries(void) { run3_here(reader, try_writer, try_reader); observe_all(); }
WORK(reader_upgrade) { /* may wait for itself: another reader or not */
    pthread_rwlock_rdlock(&rw);
    got[0] = pthread_rwlock_trywrlock(&rw) == 0;
    pthread_rwlock_unlock(&rw);
    return NULL;
}
static void rw_upgrade(void) { run2(reader_upgrade, reader2); observe_all(); }

/* ---- semaphores ---- */

WORK(post) { n = 1; sem_post(&sem); return NULL; }
WORK(pend) { sem_wait(&sem); got[0] = 1 + n; return NULL; }
WORK(pend2) { sem_wait(&sem); got[1] = 1; return NULL; }
WORK(post_twice) { sem_post(&sem); sem_post(&sem); return NULL; }
WORK(try_pend) { got[2] = sem_trywait(&sem) == 0; return NULL; }
WORK(in_and_out) { sem_wait(&sem); n = n * 10 + 1; sem_post(&sem); return NULL; }
WORK(in_and_out2) { sem_wait(&sem); n = n * 10 + 2; sem_post(&sem); return NULL; }
static void sem_hand_over(void) { sem_init(&sem, 0, 0); run2(post, pend); observe_all(); }
static void sem_one_of_two(void) { sem_init(&sem, 0, 0); run3_here(pend, pend2, post); observe_all(); }
static void sem_both(void) { sem_init(&sem, 0, 0); run3_here(pend, pend2, post_twice); observe_all(); }
static void sem_try(void) { sem_init(&sem, 0, 0); run2(try_pend, post); observe_all(); }
static void sem_try_and_wait(void) { sem_init(&sem, 0, 1); run3_here(try_pend, pend2, post); observe_all(); }
static void sem_lock(void) { sem_init(&sem, 0, 1); run2(in_and_out, in_and_out2); observe_all(); }
static void sem_two_inside(void) { sem_init(&sem, 0, 2); run3_here(in_and_out, in_and_out2, in_and_out); observe_all(); }
WORK(ping) { sem_post(&sem); sem_wait(&other); n = n * 10 + 1; return NULL; }
WORK(pong) { sem_wait(&sem); n = n * 10 + 2; sem_post(&other); return NULL; }
static void sem_ping_pong(void) { sem_init(&sem, 0, 0); sem_init(&other, 0, 0); run2(ping, pong); observe_all(); }
WORK(ask_value) { sem_getvalue(&sem, &got[3]); return NULL; }
static void sem_value(void) { sem_init(&sem, 0, 0); run2(post_twice, ask_value); observe_all(); }
WORK(other_then_sem) { sem_post(&other); sem_wait(&sem); got[0] = 1; return NULL; }
static void sem_late(void) { sem_init(&sem, 0, 1); sem_init(&other, 0, 0); run3_here(other_then_sem, in_and_out, ask_value); observe_all(); }

/* ---- barriers ---- */

WORK(meet) { got[0] = pthread_barrier_wait(&barrier) != 0; return NULL; }
WORK(meet2) { got[1] = pthread_barrier_wait(&barrier) != 0; return NULL; }
WORK(meet3) { got[2] = pthread_barrier_wait(&barrier) != 0; return NULL; }
WORK(meet_twice) { meet(arg); n++; meet(arg); return NULL; }
WORK(meet2_twice) { meet2(arg); meet2(arg); return NULL; }
static void barrier_two(void) { pthread_barrier_init(&barrier, NULL, 2); run2(meet, meet2); observe_all(); }
static void barrier_three(void) { pthread_barrier_init(&barrier, NULL, 3); run3_here(meet, meet2, meet3); observe_all(); }
static void barrier_again(void) { pthread_barrier_init(&barrier, NULL, 2); run2(meet_twice, meet2_twice); observe_all(); }
static void barrier_one_too_many(void) { pthread_barrier_init(&barrier, NULL, 2); run3_here(meet, meet2, meet3); observe_all(); }
static void barrier_one_missing(void) { pthread_barrier_init(&barrier, NULL, 3); run2(meet, meet2); observe_all(); }

/* ---- once ---- */

static void initialise(void) { n = n * 10 + 1; }
WORK(use_once) { pthread_once(&once, initialise); got[0] = n; return NULL; }
WORK(use_once2) { pthread_once(&once, initialise); got[1] = n; return NULL; }
WORK(use_once_twice) { use_once(arg); use_once2(arg); return NULL; }
static void once_two(void) { run2(use_once, use_once2); observe_all(); }
static void once_three(void) { run3_here(use_once, use_once2, use_once); observe_all(); }
static void once_again(void) { run2(use_once_twice, use_once); observe_all(); }
static int left;
static void initialise_slowly(void) { sem_post(&sem); sem_wait(&sem); left = 1; }
WORK(use_slow) { pthread_once(&once, initialise_slowly); got[2] = left; return NULL; }
WORK(use_slow2) { pthread_once(&once, initialise_slowly); got[3] = left; return NULL; }
static void once_slow(void) { sem_init(&sem, 0, 0); run2(use_slow, use_slow2); observe_all(); }

CASES(CASE(rw_readers), CASE(rw_writers), CASE(rw_one_each), CASE(rw_two_readers),
      CASE(rw_two_writers), CASE(rw_reads_twice), CASE(rw_try_read), CASE(rw_try_write),
      CASE(rw_tries), CASE(rw_upgrade), CASE(sem_hand_over), CASE(sem_one_of_two),
      CASE(sem_both), CASE(sem_try), CASE(sem_try_and_wait), CASE(sem_lock),
      CASE(sem_two_inside), CASE(sem_ping_pong), CASE(sem_value), CASE(sem_late),
      CASE(barrier_two), CASE(barrier_three), CASE(barrier_again), CASE(barrier_one_too_many),
      CASE(barrier_one_missing), CASE(once_two), CASE(once_three), CASE(once_again),
      CASE(once_slow))
