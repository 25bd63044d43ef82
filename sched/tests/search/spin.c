/* spin.c - cases in which threads wait by looking again and again. */
#include "case.h"

#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int flag, other, turn, word;
static volatile int vflag;
static int pflag, data, n, r[3];
static atomic_flag tas = ATOMIC_FLAG_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void observe_all(void) {
    heddle_observe("n", n);
    for (int i = 0; i < 3; i++) heddle_observe("r", r[i]);
}

WORK(set_atomic) { data = 7; atomic_store(&flag, 1); return NULL; }
WORK(see_atomic) { while (!atomic_load(&flag)) {} r[0] = data; return NULL; }
WORK(see_atomic2) { while (!atomic_load(&flag)) {} r[1] = data; return NULL; }
WORK(see_yield) { while (!atomic_load(&flag)) sched_yield(); r[0] = data; return NULL; }
WORK(set_volatile) { vflag = 1; return NULL; }
WORK(see_volatile) { while (!vflag) {} r[0] = 1; return NULL; }
WORK(set_plain) { pflag = 1; return NULL; }
WORK(see_plain) { while (!pflag) {} r[0] = 1; return NULL; }
WORK(see_plain_yield) { while (!pflag) sched_yield(); r[0] = 1; return NULL; }
static void wait_atomic(void) { run2(see_atomic, set_atomic); observe_all(); }
static void wait_atomic_two(void) { run3_here(see_atomic, see_atomic2, set_atomic); observe_all(); }
static void wait_yield(void) { run2(see_yield, set_atomic); observe_all(); }
static void wait_volatile(void) { run2(see_volatile, set_volatile); observe_all(); }
static void wait_plain(void) { run2(see_plain, set_plain); observe_all(); }
static void wait_plain_yield(void) { run2(see_plain_yield, set_plain); observe_all(); }

WORK(tas_work) { while (atomic_flag_test_and_set(&tas)) {} n = n * 10 + 1; atomic_flag_clear(&tas); return NULL; }
WORK(tas_work2) { while (atomic_flag_test_and_set(&tas)) {} n = n * 10 + 2; atomic_flag_clear(&tas); return NULL; }
WORK(tas_work3) { while (atomic_flag_test_and_set(&tas)) sched_yield(); n = n * 10 + 3; atomic_flag_clear(&tas); return NULL; }
static void tas_lock(void) { run2(tas_work, tas_work2); observe_all(); }
static void tas_lock_three(void) { run3_here(tas_work, tas_work2, tas_work3); observe_all(); }
static void cas_take(void) { int e = 0; while (!atomic_compare_exchange_weak(&word, &e, 1)) e = 0; }
WORK(cas_work) { cas_take(); n = n * 10 + 1; atomic_store(&word, 0); return NULL; }
WORK(cas_work2) { cas_take(); n = n * 10 + 2; atomic_store(&word, 0); return NULL; }
static void cas_lock(void) { run2(cas_work, cas_work2); observe_all(); }
WORK(try_work) { while (pthread_mutex_trylock(&m) != 0) sched_yield(); n = n * 10 + 1; pthread_mutex_unlock(&m); return NULL; }
WORK(lock_work) { pthread_mutex_lock(&m); n = n * 10 + 2; pthread_mutex_unlock(&m); return NULL; }
static void try_lock(void) { run2(try_work, lock_work); observe_all(); }

WORK(see_either) { while (!atomic_load(&flag) && !atomic_load(&other)) {} r[0] = 1; return NULL; }
WORK(see_both) { while (!(atomic_load(&flag) && atomic_load(&other))) {} r[0] = 1; return NULL; }
WORK(set_other) { atomic_store(&other, 1); return NULL; }
static void wait_either(void) { run3_here(see_either, set_other, set_atomic); observe_all(); }
static void wait_both(void) { run3_here(see_both, set_other, set_atomic); observe_all(); }

WORK(ping) { for (int i = 0; i < 2; i++) { while (atomic_load(&turn) != 0) {} n = n * 10 + 1; atomic_store(&turn, 1); } return NULL; }
WORK(pong) { for (int i = 0; i < 2; i++) { while (atomic_load(&turn) != 1) {} n = n * 10 + 2; atomic_store(&turn, 0); } return NULL; }
static void ping_pong(void) { run2(ping, pong); observe_all(); }
static void peterson(atomic_int *mine, atomic_int *theirs, int yield_to, int digit) {
    atomic_store(mine, 1);
    atomic_store(&turn, yield_to);
    while (atomic_load(theirs) && atomic_load(&turn) == yield_to) {}
    n = n * 10 + digit;
    atomic_store(mine, 0);
}
WORK(peterson1) { peterson(&flag, &other, 2, 1); return NULL; }
WORK(peterson2) { peterson(&other, &flag, 1, 2); return NULL; }
static void peterson_lock(void) { run2(peterson1, peterson2); observe_all(); }

WORK(bounded) { int i = 0; while (i < 3 && !atomic_load(&flag)) i++; r[0] = i; return NULL; }
static void bounded_wait(void) { run2(bounded, set_atomic); observe_all(); }
static void endless(void) { see_atomic(NULL); }
static void endless_two(void) { run2(see_atomic, see_volatile); }
WORK(wrong_way) { while (atomic_load(&flag) != 2) {} return NULL; }
static void endless_after(void) { run2(wrong_way, set_atomic); }
static void spin_or_block(void) { /* one spins for what another cannot bring: it waits for a lock */
    pthread_mutex_lock(&m);
    pthread_t t = start(lock_work);
    see_atomic(NULL);
    pthread_join(t, NULL);
}
WORK(counting) { while (!atomic_load(&flag)) n++; return NULL; } /* writes on every way round */
static void counts(void) { run2(set_atomic, set_other); counting(NULL); observe_all(); }
static atomic_int sequence;
WORK(seq_write) { atomic_fetch_add(&sequence, 1); atomic_store(&word, 5); atomic_fetch_add(&sequence, 1); return NULL; }
WORK(seq_read) {
    int before;
    do {
        while ((before = atomic_load(&sequence)) & 1) {}
        r[0] = atomic_load(&word);
    } while (atomic_load(&sequence) != before);
    return NULL;
}
static void seqlock(void) { run2(seq_write, seq_read); observe_all(); }
WORK(seq_four) { for (int i = 0; i < 4; i++) atomic_fetch_add(&sequence, 1); return NULL; }
WORK(seq_nested) { /* a circle within one that was met before */
    int before, seen;
    do {
        seen = atomic_load(&word);
        while ((before = atomic_load(&sequence)) & 1) {}
    } while (atomic_load(&sequence) != before);
    r[0] = seen;
    return NULL;
}
static void seqlock_nested(void) { run2(seq_four, seq_nested); observe_all(); }
static sem_t sem;
WORK(try_pend) { while (sem_trywait(&sem) != 0) {} r[1] = 1; return NULL; }
WORK(post) { sem_post(&sem); return NULL; }
static void try_sem(void) { sem_init(&sem, 0, 0); run2(try_pend, post); observe_all(); }

/* One call that reads many places is no circle. */
static long row[5];
static const long sevens[5] = {7, 7, 7, 7, 7};
WORK(fill_row) { for (int i = 0; i < 5; i++) row[i] = 7; return NULL; }
WORK(compare_row) { r[2] = memcmp(row, sevens, sizeof row) == 0; return NULL; }
WORK(await_row) { while (memcmp(row, sevens, 2 * sizeof *row) != 0) {} r[2] = 1; return NULL; }
static void long_compare(void) { run2(compare_row, fill_row); observe_all(); }
static void wait_compare(void) { run2(await_row, fill_row); observe_all(); }

CASES(CASE(wait_atomic), CASE(wait_atomic_two), CASE(wait_yield), CASE(wait_volatile),
      CASE(wait_plain), CASE(wait_plain_yield), CASE(tas_lock), CASE(tas_lock_three),
      CASE(cas_lock), CASE(try_lock), CASE(wait_either), CASE(wait_both), CASE(ping_pong),
      CASE(peterson_lock), CASE(bounded_wait), CASE(endless), CASE(endless_two),
      CASE(endless_after), CASE(spin_or_block), CASE(counts), CASE(seqlock),
      CASE(seqlock_nested), CASE(try_sem), CASE(long_compare), CASE(wait_compare))
