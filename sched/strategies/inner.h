/* inner.h - a strategy inside of another.
 *
 * A strategy finds its state where the runtime keeps the one of the strategy
 * that runs; one that stands on others puts theirs there while they are asked. */
#ifndef HD_INNER_H
#define HD_INNER_H

#include "sched/runtime.h"
#include "sched/strategy.h"

struct hd_inner {
    const struct hd_strategy_ops *ops;
    void *state;
};

static inline void *hd_inner_enter(const struct hd_inner *self) {
    void *outer = hd_rt->strategy_state;
    hd_rt->strategy_state = self->state;
    return outer;
}

static inline void hd_inner_leave(struct hd_inner *self, void *outer) {
    self->state = hd_rt->strategy_state;
    hd_rt->strategy_state = outer;
}

/* NAME[:ARGUMENT], one that exists. */
static inline int hd_inner_open(struct hd_inner *self, const char *spec, char *why, size_t size) {
    const char *argument;
    self->ops = hd_strategy_find(spec, &argument);
    void *outer = hd_inner_enter(self);
    int rc = self->ops->open ? self->ops->open(argument, why, size) : 0;
    hd_inner_leave(self, outer);
    return rc;
}

static inline bool hd_inner_begin_run(struct hd_inner *self, uint64_t run) {
    void *outer = hd_inner_enter(self);
    bool more = !self->ops->begin_run || self->ops->begin_run(run);
    hd_inner_leave(self, outer);
    return more;
}

static inline int hd_inner_pick(struct hd_inner *self, const struct hd_choice *choice) {
    void *outer = hd_inner_enter(self);
    int id = self->ops->pick(choice);
    hd_inner_leave(self, outer);
    return id;
}

static inline int hd_inner_choose(struct hd_inner *self, int n) {
    void *outer = hd_inner_enter(self);
    int answer = self->ops->choose ? self->ops->choose(n) : 0;
    hd_inner_leave(self, outer);
    return answer;
}

static inline void hd_inner_step(struct hd_inner *self, struct hd_thread *thread) {
    if (!self->ops->step) return;
    void *outer = hd_inner_enter(self);
    self->ops->step(thread);
    hd_inner_leave(self, outer);
}

static inline void hd_inner_touch(struct hd_inner *self, struct hd_thread *thread,
                                  struct hd_place *place, enum hd_mode mode) {
    if (!self->ops->touch) return;
    void *outer = hd_inner_enter(self);
    self->ops->touch(thread, place, mode);
    hd_inner_leave(self, outer);
}

static inline void hd_inner_end_run(struct hd_inner *self) {
    if (!self->ops->end_run) return;
    void *outer = hd_inner_enter(self);
    self->ops->end_run();
    hd_inner_leave(self, outer);
}

#endif
