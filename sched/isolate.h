/* isolate.h - executions in processes of their own.
 *
 * Two uses. --isolate fork: every execution is run by a child, while this
 * process, whose program has never run, keeps the search. And as a container
 * around the other way of isolation: executions that put the process back by
 * themselves run in one child, and if one of them takes it down, the search
 * starts again from the beginning in this process, comes to that execution by
 * the same steps, and goes on with a child for each.
 *
 * The runtime's state is shared with such children (memory_map.h), so what an
 * execution did is known here, however it ended. */
#ifndef HD_ISOLATE_H
#define HD_ISOLATE_H

#include <stdbool.h>
#include <stdint.h>

/* From here on hd_isolated_run may be used. */
void hd_isolate_begin(void);
/* hd_execution_run in a child. */
void hd_isolated_run(void);

struct hd_board { /* what a child that is lost leaves behind */
    uint64_t run;   /* the execution under way */
    uint64_t told;  /* blocks of lines that were written */
    bool done;
    char beyond[128]; /* it left because of what the execution did: beyond.h */
};

/* Returns in a child, with its board; or here, after that child was lost, with
 * `*again` set. When the child comes to its end this process ends too. */
struct hd_board *hd_contain(bool *again);
/* There, after an execution that did what nobody can undo: its parent goes on. */
void hd_contained_leave(struct hd_board *board) __attribute__((noreturn));

/* A child that dies with its parent. */
int hd_fork(void);
/* Wait for it; its status as waitpid gives it. */
int hd_wait(int pid);

#endif
