/* goal.h - an order of events to bring about.
 *
 * A goal is a list of rules: hold one thread before a place in its code until
 * another has passed a place in its own. It knows threads, places and order, and
 * not what for. Only points can be held at: synchronisation, atomics, volatile,
 * and data known to be visible.
 *
 * As text, a rule a line, '#' for comments:
 *     hold THREAD SITE INSTANCE until THREAD SITE INSTANCE
 * THREAD by birth (0.1), SITE as a trace has it (prog+0x11d6; without a name the
 * program itself), INSTANCE from 1: the how manieth time that this thread comes
 * there. */
#ifndef HD_GOAL_H
#define HD_GOAL_H

#include "sched/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_goal_point {
    char thread[62];
    uintptr_t pc;
    uint64_t instance;
    uint64_t passed; /* in this run: how often that thread went past */
    int id;          /* of the thread in this run; -1: not met yet */
};

struct hd_goal_rule {
    struct hd_goal_point held, until;
    bool let_go; /* in this run: nobody else could run */
};

struct hd_goal {
    struct hd_goal_rule *rules;
    uint32_t count;
};

/* 0, or -1 with a message in `why`. */
int hd_goal_read(struct hd_goal *self, const char *path, char *why, size_t size);
void hd_goal_begin(struct hd_goal *self); /* of a run */
void hd_goal_born(struct hd_goal *self, const struct hd_thread *thread);
void hd_goal_passed(struct hd_goal *self, const struct hd_thread *thread);
bool hd_goal_holds(const struct hd_goal *self, const struct hd_thread *thread);
void hd_goal_let_go(struct hd_goal *self, const struct hd_thread *thread);

#endif
