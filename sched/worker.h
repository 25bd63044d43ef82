/* worker.h - executions that other processes run ahead.
 *
 * With a numbered strategy (strategy.h) an execution follows from its number and
 * from what is known about the program's data when it begins. Workers are copies
 * of this process. Executions go to them and to this process in turn, a block at
 * a time, and this process takes the results in the order of their numbers, as if
 * it had run them itself. An execution that learns something new about the data
 * changes those after it: what workers ran beyond that is thrown away, and they
 * are copied anew. So the result is the same for any number of workers, to the
 * byte. */
#ifndef HD_WORKER_H
#define HD_WORKER_H

#include "tally.h"

#include <stddef.h>

struct hd_workers;

struct hd_worker_task { /* what a worker does for an execution */
    struct hd_tally *tally; /* to know which outcomes are told already */
    void (*run)(void *argument); /* the execution hd_rt->run, from begin to its end */
    /* How it ended, and its lines on a descriptor if somebody may want them. */
    struct hd_ran (*look)(void *argument);
    void (*tell)(void *argument, int fd);
    void (*restore)(void *argument);
    void *argument;
};

/* `count` processes in all, this one included, from execution hd_rt->run on. NULL:
 * there can be none. */
struct hd_workers *hd_workers_start(uint64_t count, const struct hd_worker_task *task);
/* Is execution hd_rt->run one that a worker does? */
bool hd_workers_have(const struct hd_workers *self);
/* Its result, waited for. `text`: its lines after the first, or NULL if the worker
 * told such an outcome before. False: nobody else can run it; stop them. */
bool hd_workers_take(struct hd_workers *self, struct hd_ran *ran, const char **text,
                     size_t *length);
void hd_workers_stop(struct hd_workers *self);

/* A number that changes whenever an execution learns something about the data
 * that executions after it go by. */
uint64_t hd_known_of_data(void);
/* Did the last execution reach out of its process, to files or to other
 * processes? Then it must not meet others. Ask before it is put back. */
bool hd_reached_out(void);

#endif
