/* rwlock.c - every reader-writer lock and spin lock function. */
#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t prefer = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_spinlock_t spin;

enum { RD, WR, TRYRD, TRYWR, TIMEDRD, TIMEDWR, CLOCKRD, CLOCKWR, BADTIME, TRYSPIN };

static void *call(void *arg) {
    struct timespec real = in_seconds(CLOCK_REALTIME, 10), mono = in_seconds(CLOCK_MONOTONIC, 10);
    struct timespec bad = {0, 1000000000};
    int rc = -1;
    switch ((long)arg) {
    case RD: rc = pthread_rwlock_rdlock(&lock); break;
    case WR: rc = pthread_rwlock_wrlock(&lock); break;
    case TRYRD: rc = pthread_rwlock_tryrdlock(&lock); break;
    case TRYWR: rc = pthread_rwlock_trywrlock(&lock); break;
    case TIMEDRD: rc = pthread_rwlock_timedrdlock(&lock, &real); break;
    case TIMEDWR: rc = pthread_rwlock_timedwrlock(&lock, &real); break;
    case CLOCKRD: rc = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &mono); break;
    case CLOCKWR: rc = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &mono); break;
    case BADTIME: rc = pthread_rwlock_timedwrlock(&lock, &bad); break;
    case TRYSPIN: return (void *)(long)pthread_spin_trylock(&spin);
    }
    if (rc == 0) pthread_rwlock_unlock(&lock);
    return (void *)(long)rc;
}
static int other(long what) { return (int)(long)finish(start(call, (void *)what)); }

int main(void) {
    EQ("rdlock", 0, pthread_rwlock_rdlock(&lock));
    EQ("rdlock_again", 0, pthread_rwlock_rdlock(&lock));
    EQ("readers_share", 0, other(RD));
    EQ("tryrd_shares", 0, other(TRYRD));
    EQ("timedrd_shares", 0, other(TIMEDRD));
    EQ("clockrd_shares", 0, other(CLOCKRD));
    EQ("trywr_busy", EBUSY, other(TRYWR));
    EQ("own_trywr_busy", EBUSY, pthread_rwlock_trywrlock(&lock));
    EQ("timedwr_out", ETIMEDOUT, other(TIMEDWR));
    EQ("clockwr_out", ETIMEDOUT, other(CLOCKWR));
    EQ("bad_time", EINVAL, other(BADTIME));
    pthread_rwlock_unlock(&lock);
    EQ("still_read", EBUSY, other(TRYWR));
    EQ("unlock", 0, pthread_rwlock_unlock(&lock));

    EQ("wrlock", 0, pthread_rwlock_wrlock(&lock));
    EQ("own_rd_deadlk", EDEADLK, pthread_rwlock_rdlock(&lock));
    EQ("own_wr_deadlk", EDEADLK, pthread_rwlock_wrlock(&lock));
    EQ("own_tryrd", EBUSY, pthread_rwlock_tryrdlock(&lock));
    EQ("tryrd_busy", EBUSY, other(TRYRD));
    EQ("timedrd_out", ETIMEDOUT, other(TIMEDRD));
    EQ("clockrd_out", ETIMEDOUT, other(CLOCKRD));
    pthread_t waits = start(call, (void *)(long)WR);
    usleep(1);
    pthread_rwlock_unlock(&lock);
    EQ("writer_gets_it", 0, (long)finish(waits));
    struct timespec at = {0, 0};
    EQ("other_clock", EINVAL, pthread_rwlock_clockwrlock(&lock, CLOCK_BOOTTIME, &at));
    EQ("destroy", 0, pthread_rwlock_destroy(&lock));

    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    EQ("init", 0, pthread_rwlock_init(&lock, &attr));
    EQ("lock_after_init", 0, other(WR));
    EQ("static_prefer", 0, pthread_rwlock_wrlock(&prefer) | pthread_rwlock_unlock(&prefer));

    /* Readers let a writer who waits go first, even among themselves. */
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    EQ("init_prefer", 0, pthread_rwlock_init(&lock, &attr));
    EQ("prefer_rdlock", 0, pthread_rwlock_rdlock(&lock));
    EQ("prefer_readers_share", 0, other(RD));
    waits = start(call, (void *)(long)WR);
    while (pthread_rwlock_tryrdlock(&lock) == 0) {
        pthread_rwlock_unlock(&lock);
        usleep(1);
    }
    EQ("tryrd_behind_writer", EBUSY, other(TRYRD));
    EQ("timedrd_behind_writer", ETIMEDOUT, other(TIMEDRD));
    EQ("trywr_behind_writer", EBUSY, other(TRYWR));
    EQ("timedwr_behind_writer", ETIMEDOUT, other(TIMEDWR));
    pthread_rwlock_unlock(&lock);
    EQ("writer_goes_first", 0, (long)finish(waits));
    EQ("readers_again", 0, other(TRYRD));

    EQ("spin_init", 0, pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
    EQ("spin_lock", 0, pthread_spin_lock(&spin));
    EQ("spin_try_own", EBUSY, pthread_spin_trylock(&spin));
    EQ("spin_try_other", EBUSY, other(TRYSPIN));
    EQ("spin_unlock", 0, pthread_spin_unlock(&spin));
    EQ("spin_try_free", 0, pthread_spin_trylock(&spin));
    pthread_spin_unlock(&spin);
    EQ("spin_destroy", 0, pthread_spin_destroy(&spin));
    return 0;
}
