/* worker.h - executions that other processes run ahead.
 *
 * Workers are copies of this process. The strategy describes work that it will
 * come to later (a stretch of numbers, a branch of a search), a worker does it,
 * and when the search gets there, its executions are not run but taken, in the
 * order in which they would have been run, as if they had been run here. So the
 * result is a function of the order of executions alone, and the same for any
 * number of workers, to the byte.
 *
 *   (1) What a worker does follows from the description and from what is known
 *       about the program's data. The strategy describes its work again when it
 *       comes to it: if that differs by a byte, what was done ahead is not used.
 *   (2) An execution that learns something new about the data, that reaches out
 *       of its process or that has something to note changes those after it: it
 *       is run here, and workers are copied anew.
 *   (3) A worker may stop after any execution (it is waited for, it is full) and
 *       tells what is left, with which this process goes on. So it does not
 *       matter who does how much, nor whether a worker is lost. */
#ifndef HD_WORKER_H
#define HD_WORKER_H

#include "parcel.h"
#include "tally.h"

#include <stddef.h>

/* What a strategy does for its work to be shared out. */
struct hd_share_ops {
    bool (*ready)(void); /* here: may workers be copied? NULL: at any time */
    /* Here: describe something that comes later and was not offered yet, as `id`;
     * `near`: if it comes before all that was. False: there is nothing. */
    bool (*offer)(uint32_t id, bool near, struct hd_parcel *task);
    /* There: the executions from now on are those of this. */
    void (*accept)(struct hd_parcel *task);
    /* There: begin the next one; false: that was all. NULL: hd_execution_begin. */
    bool (*next)(void);
    /* There: what is left of it; NULL: nothing to tell. */
    void (*rest)(struct hd_parcel *out);
    /* Here: workers are no more, nor is what they have done. */
    void (*forget)(void);
    /* Here: bytes that the search keeps in mind, as they would be if all had been run
     * here; `longest`: operations of the longest execution. */
    uint64_t (*held)(uint64_t longest);
};

struct hd_worker_task { /* what a worker does for an execution */
    const struct hd_tally *tally; /* outcomes that were told before */
    void (*run)(void *argument); /* what has begun, to its end */
    /* How it ended, and its lines on a descriptor if somebody may want them. */
    struct hd_ran (*look)(void *argument);
    void (*tell)(void *argument, int fd);
    void (*restore)(void *argument);
    void *argument;
};

/* `count` processes in all, this one included, copies of what is known now. False:
 * there can be none. */
bool hd_workers_start(uint64_t count, const struct hd_worker_task *task);
void hd_workers_stop(void);
/* Between executions: who has nothing to do is given something. */
void hd_workers_feed(void);

/* For strategies, here. Work `id` has its turn: can it be taken? It is waited for.
 * `task`: it as it is described now. */
bool hd_work_open(uint32_t id, const struct hd_parcel *task);
/* The next execution of it is taken (hd_work_taken); `own`: what the strategy wrote
 * there along it. False: there are no more; `own` is what `rest` wrote, and the
 * work is closed. */
bool hd_work_next(uint32_t id, struct hd_parcel *own);
/* Is it still to be taken? */
bool hd_work_given(uint32_t id);
/* Its turn will not come. */
void hd_work_drop(uint32_t id);
/* ... and there: where to write what `own` will be; NULL: this is no worker. */
struct hd_parcel *hd_work_pen(void);

struct hd_taken {
    struct hd_ran ran;
    const char *text; /* its lines, if the worker told them; or NULL */
    size_t length;
};
/* Was the execution that has just begun taken? */
bool hd_work_taken(struct hd_taken *taken);
/* With a numbered strategy, instead of beginning it. */
bool hd_work_numbered(struct hd_taken *taken);

/* A number that changes whenever an execution learns something about the data
 * that executions after it go by. */
uint64_t hd_known_of_data(void);
/* Did the last execution reach out of its process, to files or to other
 * processes? Then it must not meet others. Ask before it is put back. */
bool hd_reached_out(void);

#endif
