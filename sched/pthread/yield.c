/* yield.c - stepping aside, and everything about processors and priorities,
 * which mean nothing under a scheduler that tries every order: accepted, kept,
 * told again when asked. */
#include "block.h"
#include "state.h"

#include <errno.h>
#include <sched.h>

static void step_aside(void *pc) {
    if (!hd_inside()) return;
    hd_yield(pc);
    hd_record_plain(HD_YIELD, 0, 0, 0, pc);
}

HD_TAKEN int sched_yield(void) {
    step_aside(HD_PC());
    return 0;
}

HD_TAKEN void thrd_yield(void) { step_aside(HD_PC()); }

HD_ALIAS(__sched_yield, sched_yield);
/* The header makes the C name pthread_yield mean sched_yield; old objects use
 * the symbol. */
extern int hd_pthread_yield(void) __asm__("pthread_yield");
HD_ALIAS(hd_pthread_yield, sched_yield);

/* ---- priorities ------------------------------------------------------------- */

static int priority_range(int policy, int *low, int *high) {
    *low = policy == SCHED_FIFO || policy == SCHED_RR ? 1 : 0;
    *high = policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
    return *low == 1 || policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

HD_TAKEN int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *param) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    int low, high;
    if (!priority_range(policy, &low, &high)) return EINVAL;
    if (param->sched_priority < low || param->sched_priority > high) return EINVAL;
    hd_pthread_of(target)->policy = policy;
    hd_pthread_of(target)->priority = *param;
    return 0;
}

HD_TAKEN int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *param) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    *policy = hd_pthread_of(target)->policy;
    *param = hd_pthread_of(target)->priority;
    return 0;
}

HD_TAKEN int pthread_setschedprio(pthread_t handle, int priority) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    int low, high;
    priority_range(hd_pthread_of(target)->policy, &low, &high);
    if (priority < low || priority > high) return EINVAL;
    hd_pthread_of(target)->priority.sched_priority = priority;
    return 0;
}

/* ---- processors ------------------------------------------------------------- */

HD_TAKEN int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set) {
    (void)size;
    (void)set;
    return hd_handle_find(handle) ? 0 : ESRCH;
}

HD_TAKEN int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set) {
    if (!hd_handle_find(handle)) return ESRCH;
    return sched_getaffinity(0, size, set) == 0 ? 0 : errno;
}

HD_TAKEN int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
    (void)process;
    (void)size;
    (void)set;
    return 0;
}

/* One processor is what a program under one scheduler runs on. */
HD_TAKEN int sched_getcpu(void) { return 0; }
