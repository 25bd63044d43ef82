/* run.c - starting an execution and coming back from it. */
#include "run.h"

#include "count.h"
#include "exits.h"
#include "globals.h"
#include "heap.h"
#include "library.h"
#include "outcome.h"
#include "record.h"
#include "report.h"
#include "runtime.h"
#include "spin.h"
#include "strategies/calibrate.h"
#include "pthread/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t default_stack(void) {
    if (hd_rt->main_stack) return hd_rt->main_stack;
    hd_rt->main_stack = 8UL << 20;
    struct rlimit limit;
    if (hd_kernel(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)&limit, 0, 0) == 0 &&
        limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= 64UL << 20) {
        hd_rt->main_stack = limit.rlim_cur;
    }
    return hd_rt->main_stack;
}

bool hd_execution_begin(void) {
    hd_rt->generation++;
    hd_rt->simple = hd_rt->strategy->shows || hd_rt->config.every_access ? 0 : hd_rt->generation;
    /* Half a page in: what is read of a thread would otherwise wait for what was just
     * written of hd_rt at the same place of another page (they differ in their upper bits
     * only, which a processor compares too late). A locked increment took 1.6x. */
    hd_rt->passing.next = hd_rt->passing.base + HD_PAGE / 2;
    hd_rt->thread_count = hd_rt->runnable_count = hd_rt->timed_count = 0;
    hd_rt->runnable_first = 0;
    hd_rt->finished_count = hd_rt->parked_count = hd_rt->touch_count = 0;
    hd_rt->slot_count = hd_rt->slot_found = 0;
    hd_rt->spare_clocks = NULL;
    hd_rt->segment_count = hd_rt->segment_room = 0;
    hd_rt->value_count = hd_rt->value_room = 0;
    hd_rt->now = 0;
    hd_rt->steps = hd_rt->progress_step = hd_rt->preemptions = 0;
    hd_rt->quiet_depth = hd_rt->closed_depth = 0;
    hd_rt->real.memset(hd_rt->pseudo, 0, sizeof hd_rt->pseudo);
    memset(&hd_rt->outcome, 0, offsetof(struct hd_outcome, message) + 1);
    hd_rt->outcome.about[0] = '\0';
    uint64_t stream = hd_rt->config.same ? hd_rt->config.first : hd_rt->run;
    hd_rng_seed(&hd_rt->rng, hd_rt->config.seed, stream);
    return !hd_rt->strategy->begin_run || hd_rt->strategy->begin_run(hd_rt->run);
}

static void main_fiber(void *argument) {
    (void)argument;
    errno = 0; /* what heddle did before is none of the program's */
    if (hd_library && hd_library->test) hd_library_entry();
    exit(hd_rt->main(hd_rt->argc, hd_rt->argv, hd_rt->envp));
}

void hd_execution_run(void) {
    struct hd_thread *first = hd_thread_new(NULL, NULL, NULL, default_stack());
    if (!first) hd_give_up("cannot map a stack for the main thread");
    first->tp = hd_rt->root_tp;
    hd_fiber_make(&first->fiber, first->stack_low, first->stack_size, main_fiber, first);
    hd_thread_started(first);
    hd_record_begin();
    hd_become(first);
    hd_early_threads_start(first);
    hd_rt->running = true;
    hd_fiber_switch(&hd_rt->root, &first->fiber);
    hd_rt->running = false;
    if (hd_library && hd_library->test) hd_library_over();
    hd_globals_observe();
    hd_record_end();
    if (hd_rt->strategy->end_run) hd_rt->strategy->end_run();
}

void hd_end_execution(void) {
    struct hd_fiber gone;
    hd_outcome_look();
    hd_report_standing();
    hd_leave_segment();
    hd_rt->running = false;
    hd_become(NULL);
    hd_tls_switch(hd_rt->root_tp);
    hd_fiber_switch(&gone, &hd_rt->root);
    __builtin_unreachable();
}

bool hd_strategy_ready(char *why, size_t size) {
    snprintf(why, size, "no such strategy");
    hd_rt->strategy = hd_strategy_find(hd_rt->config.strategy, &hd_rt->strategy_argument);
    if (!hd_rt->strategy) return false;
    return !hd_rt->strategy->open ||
           hd_rt->strategy->open(hd_rt->strategy_argument, why, size) >= 0;
}

void hd_strategy_open(void) {
    char why[256];
    if (hd_strategy_ready(why, sizeof why)) return;
    hd_say("strategy %s: %s", hd_rt->config.strategy, why);
    syscall(SYS_exit_group, 2);
}

/* Constructors run before main, on the process's own stack, as thread 0. */
void hd_run_boot(void) {
    hd_strategy_open();
    /* Until main, everybody runs as long as he can: a thread that a constructor
     * makes begins only when somebody waits for it (pthread/before_main.c). */
    static const struct hd_strategy_ops plain = {.name = "constructors",
                                                 .pick = hd_round_robin_pick};
    hd_rt->chosen = hd_rt->strategy;
    hd_rt->strategy = &plain;
    hd_spin_boot();
    hd_execution_begin();
    struct hd_thread *first = hd_thread_new(NULL, NULL, NULL, default_stack());
    if (!first) hd_give_up("cannot map a stack for the main thread");
    first->tp = hd_rt->root_tp;
    hd_thread_started(first);
    hd_become(first);
    hd_rt->running = true;
}

int hd_main(int argc, char **argv, char **envp) {
    hd_rt->argc = argc;
    hd_rt->argv = argv;
    hd_rt->envp = envp;
    hd_rt->running = false;
    hd_rt->strategy = hd_rt->chosen;
    hd_exits_mark();
    hd_early_threads_keep();
    hd_library_boot();
    if (hd_rt->config.explore) _exit(hd_explore());
    hd_execution_begin();
    hd_execution_run();
    hd_library_close();
    hd_result_single();
    _exit(hd_rt->outcome.status);
}

void *hd_strategy_state(size_t size) {
    if (!hd_rt->strategy_state) hd_rt->strategy_state = hd_lasting(size);
    return hd_rt->strategy_state;
}
