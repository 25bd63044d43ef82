/* local.h - steps that no other thread can see: a thread's start up to its first
 * operation, making another one.
 *
 * When they are done makes no difference, but for one thing: whether the process still
 * does them before it ends. So they are choices where somebody stands before its end, and
 * everywhere once an execution was found to end in such a step (a thread that crashes
 * right away). */
#ifndef HD_LOCAL_H
#define HD_LOCAL_H

#include "sched/runtime.h"
#include "sched/strategy.h"

/* And does not look whether a signal has come to it. */
static inline bool hd_only_starts(int id) {
    const struct hd_op *op = &hd_rt->threads[id]->op;
    return op->kind == HD_START && op->mode == HD_MODE_NONE;
}

static inline bool hd_local_steps_count(const struct hd_choice *choice) {
    if (hd_rt->ends_locally) return true;
    for (size_t i = 0; i < choice->count; i++) {
        const struct hd_op *op = &hd_rt->threads[choice->runnable[i]]->op;
        if (op->place && op->place->key == HD_KEY_PROCESS && op->mode == HD_MODE_WRITE) return true;
    }
    return false;
}

#endif
