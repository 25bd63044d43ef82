/* switch.c - going from one stack to another, four ways.
 *
 *   bare        heddle's own switch (sched/fiber.h), two fibers in turn
 *   scheduled   the same with the thread pointer moved and the next of four picked
 *               at random, as the scheduler does
 *   swapcontext glibc's, which asks the kernel for the signal mask twice a switch
 *   threads     two OS threads on one core that wake each other by futex
 *
 * Prints a line each: name, nanoseconds a switch; the best of several rounds. */
#define _GNU_SOURCE
#include "sched/fiber.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __x86_64__
#include <asm/prctl.h>
#endif

enum { STACK = 64 << 10, FIBERS = 4, ROUNDS = 9 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void say(const char *name, double (*measure)(long), long count) {
    double best = 1e18;
    for (int i = 0; i < ROUNDS; i++) {
        double took = measure(count);
        if (took < best) best = took;
    }
    printf("%s %.2f\n", name, best);
}

/* ---- fibers ------------------------------------------------------------------ */

static struct hd_fiber home, fiber[FIBERS];
static long left;

static void bounce(void *arg) {
    for (;;) hd_fiber_switch(arg, &home);
}

static double bare(long count) {
    static char *stack;
    if (!stack) stack = aligned_alloc(64, STACK);
    hd_fiber_make(&fiber[0], stack, STACK, bounce, &fiber[0]);
    double start = now();
    for (long i = 0; i < count; i += 2) hd_fiber_switch(&home, &fiber[0]);
    return (now() - start) / (double)count;
}

static void *thread_pointer;
static uint64_t random_state = 88172645463325252u;

static void move_thread_pointer(void) {
#ifdef __x86_64__
    if (getauxval(AT_HWCAP2) & 2) __asm__ volatile("wrfsbase %0" : : "r"(thread_pointer));
    else syscall(SYS_arch_prctl, ARCH_SET_FS, thread_pointer);
#elif defined(__aarch64__)
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(thread_pointer));
#endif
}

static void hop(void *arg) {
    struct hd_fiber *self = arg;
    for (;;) {
        random_state ^= random_state << 13;
        random_state ^= random_state >> 7;
        random_state ^= random_state << 17;
        struct hd_fiber *next = --left > 0 ? &fiber[random_state % FIBERS] : &home;
        if (next == self) next = &fiber[(size_t)(self - fiber + 1) % FIBERS];
        move_thread_pointer();
        hd_fiber_switch(self, next);
    }
}

static double scheduled(long count) {
    static char *stack[FIBERS];
    thread_pointer = __builtin_thread_pointer();
    for (int i = 0; i < FIBERS; i++) {
        if (!stack[i]) stack[i] = aligned_alloc(64, STACK);
        hd_fiber_make(&fiber[i], stack[i], STACK, hop, &fiber[i]);
    }
    left = count;
    double start = now();
    hd_fiber_switch(&home, &fiber[0]);
    return (now() - start) / (double)count;
}

/* ---- glibc ------------------------------------------------------------------- */

static ucontext_t out, in;

static void swing(void) {
    for (;;) swapcontext(&in, &out);
}

static double contexts(long count) {
    static char *stack;
    if (!stack) stack = malloc(STACK);
    getcontext(&in);
    in.uc_stack.ss_sp = stack;
    in.uc_stack.ss_size = STACK;
    makecontext(&in, swing, 0);
    double start = now();
    for (long i = 0; i < count; i += 2) swapcontext(&out, &in);
    return (now() - start) / (double)count;
}

/* ---- OS threads -------------------------------------------------------------- */

static int turn;

static void wait_for(int mine) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != mine) {
        syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !mine, NULL, NULL, 0);
    }
}

static void hand_over(int to) {
    __atomic_store_n(&turn, to, __ATOMIC_RELEASE);
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *partner(void *arg) {
    for (long i = (long)arg; i > 0; i -= 2) {
        wait_for(1);
        hand_over(0);
    }
    return NULL;
}

/* Both share a core, so the process's time is the hand-over's and nothing else's. */
static double threads(long count) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pthread_t other;
    if (pthread_create(&other, NULL, partner, (void *)count) != 0) return 1e18;
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (long i = count; i > 0; i -= 2) {
        hand_over(1);
        wait_for(0);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    pthread_join(other, NULL);
    return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)count;
}

int main(void) {
    say("bare", bare, 4000000);
    say("scheduled", scheduled, 4000000);
    say("swapcontext", contexts, 400000);
    say("threads", threads, 40000);
    return 0;
}
