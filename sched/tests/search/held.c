/* held.c - cases in which threads wait for each other while they hold a lock that
 * somebody else wants: who is in the way of whom, if one goes first. */
#include "case.h"

#include <linux/futex.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t one, two;
static atomic_int word;
static int n, got[3];

static void observe_all(void) {
    heddle_observe("n", n);
    for (int i = 0; i < 3; i++) heddle_observe("got", got[i]);
}
static void prepare(void) {
    sem_init(&one, 0, 0);
    sem_init(&two, 0, 0);
}
static void run3(work *a, work *b, work *c) {
    pthread_t thread[] = {start(a), start(b), start(c)};
    for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
}

static void rd(void) { pthread_rwlock_rdlock(&rw); }
static void un(void) { pthread_rwlock_unlock(&rw); }
WORK(writer) { pthread_rwlock_wrlock(&rw); n = 1; un(); return NULL; }
WORK(writer_stays) { pthread_rwlock_wrlock(&rw); n = 1; return NULL; }
WORK(reader) { rd(); got[2] = n; un(); return NULL; }

/* Two readers hand over to each other before they leave. */
WORK(calls) { rd(); got[0] = n; sem_post(&one); sem_wait(&two); un(); return NULL; }
WORK(answers) { rd(); got[1] = n; sem_wait(&one); sem_post(&two); un(); return NULL; }
static void readers_meet(void) { prepare(); run3(calls, answers, writer); observe_all(); }
static void readers_meet_writer_first(void) { prepare(); run3(writer, answers, calls); observe_all(); }
static void readers_meet_here(void) { prepare(); run3_here(writer, answers, calls); observe_all(); }

/* One stays, and lets the other leave. */
WORK(calls_and_stays) { rd(); got[0] = n; sem_post(&one); return NULL; }
WORK(is_called) { rd(); got[1] = n; sem_wait(&one); un(); return NULL; }
static void reader_stays(void) { prepare(); run3(calls_and_stays, is_called, writer); observe_all(); }
static void all_stay(void) { prepare(); run3(calls_and_stays, is_called, writer_stays); observe_all(); }

/* Twice in, once out. */
WORK(reads_twice) { rd(); rd(); got[0] = n; sem_post(&one); un(); sem_wait(&two); un(); return NULL; }
static void reader_twice(void) { prepare(); run3(reads_twice, answers, writer); observe_all(); }

/* A reader leaves one lock only after the other's owner has come. */
WORK(reader_locks) { rd(); got[0] = n; pthread_mutex_lock(&m); un(); pthread_mutex_unlock(&m); return NULL; }
WORK(locker_reads) { pthread_mutex_lock(&m); rd(); got[1] = n; un(); pthread_mutex_unlock(&m); return NULL; }
static void reader_and_locker(void) { prepare(); run3(reader_locks, locker_reads, writer); observe_all(); }

/* Tries for writing fail while others read; who holds it for writing ends the process. */
WORK(tries_stay) { got[0] = pthread_rwlock_tryrdlock(&rw) == 0; return NULL; }
WORK(tries_twice) {
    if (pthread_rwlock_tryrdlock(&rw) == 0) {
        got[1] = n + 1;
        if (pthread_rwlock_trywrlock(&rw) == 0) got[1] += 10;
    }
    return NULL;
}
static void tries_stay_all(void) { prepare(); run3(tries_stay, tries_twice, writer_stays); observe_all(); }
WORK(reads_and_tries) {
    pthread_rwlock_rdlock(&rw);
    got[0] = n;
    un();
    got[1] = pthread_rwlock_tryrdlock(&rw) == 0;
    return NULL;
}
WORK(tries_both) {
    got[2] = pthread_rwlock_tryrdlock(&rw) == 0;
    if (!got[2]) got[2] = 2 * (pthread_rwlock_tryrdlock(&rw) == 0);
    return NULL;
}
static void writer_among_tries(void) { prepare(); run3_here(tries_both, writer_stays, reads_and_tries); observe_all(); }

/* Streams are held by their owner over and over. */
WORK(prints_inside) { flockfile(stdout); flockfile(stdout); n = n * 10 + 1; funlockfile(stdout); funlockfile(stdout); return NULL; }
WORK(prints_after) { sem_post(&one); flockfile(stdout); n = n * 10 + 2; funlockfile(stdout); return NULL; }
static void stream_twice(void) { prepare(); run2(prints_inside, prints_after); observe_all(); }
static void stream_twice_here(void) { prepare(); run2_here(prints_after, prints_inside); observe_all(); }

/* A word to sleep on: who was woken cannot come before who woke it. */
static int sleep_on_word(void) { return (int)syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0); }
static void wake_one(void) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0); }
WORK(sleeps) { got[0] = sleep_on_word() == 0; return NULL; }
WORK(sleeps2) { got[1] = sleep_on_word() == 0; return NULL; }
WORK(wakes_both) { atomic_store(&word, 1); wake_one(); wake_one(); return NULL; }
static void futex_one(void) { run2(sleeps, wakes_both); observe_all(); }
static void futex_two(void) { run3_here(sleeps, sleeps2, wakes_both); observe_all(); }

CASES(CASE(readers_meet), CASE(readers_meet_writer_first), CASE(readers_meet_here),
      CASE(reader_stays), CASE(all_stay), CASE(reader_twice), CASE(reader_and_locker),
      CASE(tries_stay_all), CASE(writer_among_tries), CASE(stream_twice),
      CASE(stream_twice_here), CASE(futex_one), CASE(futex_two))
