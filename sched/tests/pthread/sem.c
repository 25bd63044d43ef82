/* sem.c - semaphores, named and not. */
#include "check.h"

#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>

static sem_t sem;
static int got;

static void *down(void *arg) {
    sem_wait(arg);
    __atomic_fetch_add(&got, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

__attribute__((constructor)) static void before_main(void) { sem_init(&sem, 0, 2); }

int main(void) {
    int value = -1;
    EQ("made_by_a_constructor", 0, sem_getvalue(&sem, &value) | value - 2);
    EQ("init", 0, sem_init(&sem, 0, 1));
    FAILS("init_too_large", EINVAL, sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1));
    EQ("wait", 0, sem_wait(&sem));
    FAILS("trywait_none", EAGAIN, sem_trywait(&sem));
    struct timespec at = in_seconds(CLOCK_REALTIME, 100);
    FAILS("timedwait_out", ETIMEDOUT, sem_timedwait(&sem, &at));
    at = in_seconds(CLOCK_MONOTONIC, 100);
    FAILS("clockwait_out", ETIMEDOUT, sem_clockwait(&sem, CLOCK_MONOTONIC, &at));
    at.tv_nsec = -1;
    FAILS("bad_time", EINVAL, sem_timedwait(&sem, &at));
    FAILS("other_clock", EINVAL, sem_clockwait(&sem, CLOCK_TAI, &at));
    pthread_t t[2] = {start(down, &sem), start(down, &sem)};
    EQ("post", 0, sem_post(&sem));
    EQ("post_2", 0, sem_post(&sem));
    finish(t[0]);
    finish(t[1]);
    EQ("both_through", 2, got);
    EQ("post_3", 0, sem_post(&sem));
    EQ("trywait", 0, sem_trywait(&sem));
    EQ("getvalue", 0, sem_getvalue(&sem, &value));
    EQ("value", 0, value);
    EQ("destroy", 0, sem_destroy(&sem));
    sem_init(&sem, 0, SEM_VALUE_MAX);
    FAILS("overflow", EOVERFLOW, sem_post(&sem));

    FAILS("open_missing", ENOENT, (long)sem_open("/nothing", 0) == (long)SEM_FAILED ? -1 : 0);
    sem_t *a = sem_open("/one", O_CREAT, 0600, 3);
    YES("create", a != SEM_FAILED);
    YES("open_same", sem_open("/one", 0) == a);
    YES("create_finds", sem_open("/one", O_CREAT, 0600, 9) == a);
    FAILS("exclusive", EEXIST, sem_open("/one", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED ? -1 : 0);
    sem_getvalue(a, &value);
    EQ("first_count", 3, value);
    EQ("close", 0, sem_close(a));
    EQ("unlink", 0, sem_unlink("/one"));
    FAILS("unlink_again", ENOENT, sem_unlink("/one"));
    YES("still_usable", sem_wait(a) == 0);
    YES("another_of_that_name", sem_open("/one", O_CREAT, 0600, 0) != a);
    FAILS("bad_name", EINVAL, sem_open("/a/b", O_CREAT, 0600, 0) == SEM_FAILED ? -1 : 0);
    FAILS("close_unnamed", EINVAL, sem_close(&sem));
    return 0;
}
