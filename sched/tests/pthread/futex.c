/* futex.c - waiting by the system call. */
#include "check.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

static _Atomic uint32_t word, other;
static atomic_int through;

static long futex(void *at, int op, uint32_t value, const void *time, void *second, uint32_t third) {
    return syscall(SYS_futex, at, op, value, time, second, third);
}
static void *waits(void *arg) {
    (void)arg;
    while (word == 0) futex(&word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
    through++;
    return NULL;
}
static void *waits_once(void *arg) {
    return (void *)futex(&word, FUTEX_WAIT_BITSET, word, NULL, NULL, (uint32_t)(long)arg);
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) t[i] = start(waits, NULL);
    sleep(1);
    word = 1;
    EQ("wake_all", 3, futex(&word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0));
    for (int i = 0; i < 3; i++) finish(t[i]);
    EQ("all_through", 3, through);
    FAILS("changed", EAGAIN, futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0));
    struct timespec span = {60, 0};
    FAILS("times_out", ETIMEDOUT, futex(&word, FUTEX_WAIT, 1, &span, NULL, 0));
    struct timespec at = in_seconds(CLOCK_MONOTONIC, 60);
    FAILS("absolute", ETIMEDOUT, futex(&word, FUTEX_WAIT_BITSET, 1, &at, NULL, ~0u));
    at = in_seconds(CLOCK_REALTIME, 60);
    FAILS("realtime", ETIMEDOUT,
          futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &at, NULL, ~0u));
    FAILS("no_bits", EINVAL, futex(&word, FUTEX_WAIT_BITSET, 1, NULL, NULL, 0));
    FAILS("unaligned", EINVAL, futex((char *)&word + 1, FUTEX_WAKE, 1, NULL, NULL, 0));
    FAILS("priority", ENOSYS, futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
    EQ("wake_nobody", 0, futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0));

    t[0] = start(waits_once, (void *)1);
    t[1] = start(waits_once, (void *)2);
    sleep(1);
    EQ("wake_bits", 1, futex(&word, FUTEX_WAKE_BITSET, 9, NULL, NULL, 2));
    EQ("right_one", 0, (long)finish(t[1]));
    FAILS("requeue_changed", EAGAIN, futex(&word, FUTEX_CMP_REQUEUE, 0, (void *)9, &other, 77));
    EQ("requeue", 1, futex(&word, FUTEX_CMP_REQUEUE, 0, (void *)9, &other, 1));
    EQ("not_here_any_more", 0, futex(&word, FUTEX_WAKE, 9, NULL, NULL, 0));
    EQ("but_there", 1, futex(&other, FUTEX_WAKE, 9, NULL, NULL, 0));
    EQ("moved_one", 0, (long)finish(t[0]));
    t[0] = start(waits_once, (void *)1);
    sleep(1);
    EQ("wake_op", 1,
       futex(&other, FUTEX_WAKE_OP, 1, (void *)1, &word,
             FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 1)));
    finish(t[0]);
    EQ("op_done", 6, word);
    EQ("gettid", gettid(), syscall(SYS_gettid));
    EQ("getpid", getpid(), syscall(SYS_getpid));
    EQ("sched_yield", 0, syscall(SYS_sched_yield));
    EQ("nanosleep", 0, syscall(SYS_nanosleep, &span, NULL));
    FAILS("bad_call", ENOSYS, syscall(100000));
    return 0;
}
