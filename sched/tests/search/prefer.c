/* prefer.c - cases with read-write locks whose readers let writers go first. */
#include "case.h"

#include <errno.h>
#include <time.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, got[4];

static void observe_all(void) {
    heddle_observe("n", n);
    for (int i = 0; i < 4; i++) heddle_observe("got", got[i]);
}

static struct timespec soon(void) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 1000;
    return at;
}

WORK(reader) { pthread_rwlock_rdlock(&rw); got[0] = n; pthread_rwlock_unlock(&rw); return NULL; }
WORK(reader2) { pthread_rwlock_rdlock(&rw); got[1] = n; pthread_rwlock_unlock(&rw); return NULL; }
WORK(writer) { pthread_rwlock_wrlock(&rw); n = n * 10 + 1; pthread_rwlock_unlock(&rw); return NULL; }
WORK(writer2) { pthread_rwlock_wrlock(&rw); n = n * 10 + 2; pthread_rwlock_unlock(&rw); return NULL; }
WORK(try_reader) {
    got[2] = pthread_rwlock_tryrdlock(&rw);
    if (got[2] == 0) pthread_rwlock_unlock(&rw);
    return NULL;
}
WORK(try_writer) {
    got[3] = pthread_rwlock_trywrlock(&rw);
    if (got[3] == 0) pthread_rwlock_unlock(&rw);
    return NULL;
}
WORK(reads_again) {
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_rdlock(&rw);
    got[0] = n;
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_unlock(&rw);
    return NULL;
}
WORK(reads_and_locks) {
    pthread_rwlock_rdlock(&rw);
    pthread_mutex_lock(&m);
    got[0] = n;
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&rw);
    return NULL;
}
WORK(locks_and_reads) {
    pthread_mutex_lock(&m);
    pthread_rwlock_rdlock(&rw);
    got[1] = n;
    pthread_rwlock_unlock(&rw);
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(timed_writer) {
    struct timespec at = soon();
    got[2] = pthread_rwlock_timedwrlock(&rw, &at);
    if (got[2] == 0) pthread_rwlock_unlock(&rw);
    return NULL;
}
WORK(timed_reader) {
    struct timespec at = soon();
    got[3] = pthread_rwlock_timedrdlock(&rw, &at);
    if (got[3] == 0) pthread_rwlock_unlock(&rw);
    return NULL;
}

static void prefer_one_each(void) { run2(reader, writer); observe_all(); }
static void prefer_writers(void) { run2(writer, writer2); observe_all(); }
static void prefer_two_readers(void) { run3_here(reader, reader2, writer); observe_all(); }
static void prefer_two_writers(void) { run3_here(writer, writer2, reader); observe_all(); }
static void prefer_again(void) { run2(reads_again, writer); observe_all(); }
static void prefer_again_two(void) { run3_here(reads_again, reads_again, writer); observe_all(); }
static void prefer_try_read(void) { run3_here(reader, try_reader, writer); observe_all(); }
static void prefer_try_write(void) { run3_here(reader, try_writer, writer); observe_all(); }
static void prefer_circle(void) { run3_here(reads_and_locks, locks_and_reads, writer); observe_all(); }
static void prefer_timed(void) { run3_here(reader, reader2, timed_writer); observe_all(); }
static void prefer_timed_again(void) { run2(reads_again, timed_writer); observe_all(); }
static void prefer_timed_read(void) { run3_here(reader, timed_reader, writer); observe_all(); }

CASES(CASE(prefer_one_each), CASE(prefer_writers), CASE(prefer_two_readers),
      CASE(prefer_two_writers), CASE(prefer_again), CASE(prefer_again_two),
      CASE(prefer_try_read), CASE(prefer_try_write), CASE(prefer_circle), CASE(prefer_timed),
      CASE(prefer_timed_again), CASE(prefer_timed_read))
