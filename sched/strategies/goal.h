/* goal.h - an order of events to bring about.
 *
 * A goal is a list of rules: hold one thread before a place in its code until
 * another has passed a place in its own. It knows threads, places and order, and
 * not what for. Data that is accessed at one of its places becomes visible there,
 * because only at points can a thread be held.
 *
 * As text, a rule a line, '#' for comments:
 *     hold THREAD SITE INSTANCE until THREAD SITE INSTANCE [stands]
 * THREAD by birth (0.1), SITE as a trace has it (prog+0x11d6; without a name the
 * program itself), INSTANCE from 1: the how manieth time that this thread comes
 * there. With `stands` it is enough that the other has come there: then both are
 * about to go on at the same moment. A line `goal` begins a further goal.
 *
 * After Sen: Race directed random testing of concurrent programs, PLDI 2008, which holds
 * a thread at one of two places until another comes to the other one. Departures: rules
 * name threads and instances, there may be several, and what they leave open is searched
 * (fewest preemptions first), not drawn. */
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
    uint64_t most;   /* in any: how often it came there */
    bool born;       /* in any: there was such a thread */
    int id;          /* of the thread in this run; -1: not met yet */
};

struct hd_goal_rule {
    struct hd_goal_point held, until;
    bool stands; /* enough: it has come there */
    bool let_go; /* in this run: nobody else could run */
};

struct hd_goal {
    struct hd_goal_rule *rules;
    uint32_t count;
};

struct hd_goals { /* those of one file */
    struct hd_goal *list;
    uint32_t count;
    bool several;        /* there are lines `goal`: each is tried once */
    uintptr_t *places;   /* every place that is named, ascending */
    uint32_t place_count;
};

/* 0, or -1 with a message in `why`. */
int hd_goal_read(struct hd_goals *self, const char *path, char *why, size_t size);
bool hd_goal_names(const struct hd_goals *self, uintptr_t pc);
void hd_goal_begin(struct hd_goal *self); /* of a run */
void hd_goal_born(struct hd_goal *self, const struct hd_thread *thread);
/* After a run; and after all: what never happened that it names, as notes. */
void hd_goal_end(struct hd_goal *self);
void hd_goal_tell(const struct hd_goal *self);
/* In this run, all that it asks for came about. */
bool hd_goal_kept(const struct hd_goal *self);
void hd_goal_passed(struct hd_goal *self, const struct hd_thread *thread);
bool hd_goal_holds(const struct hd_goal *self, const struct hd_thread *thread);
/* Who has to go on for the goal to be reached: a rule's second thread, if the
 * rule holds its first (`now`), or will. -1: there is none after rule `*at`, which
 * is where the next call goes on. */
int hd_goal_next(const struct hd_goal *self, bool now, uint32_t *at);
void hd_goal_let_go(struct hd_goal *self, const struct hd_thread *thread);

#endif
