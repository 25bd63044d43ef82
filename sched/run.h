/* run.h - one execution, from a fresh start to its outcome. */
#ifndef HD_RUN_H
#define HD_RUN_H

#include <stdbool.h>

/* Everything of the last execution is forgotten; false: the strategy has
 * nothing left to try. */
bool hd_execution_begin(void);
/* Run main to the end of the execution, whatever that is. */
void hd_execution_run(void);

/* result.c: tell how it ended, to whoever asked (a descriptor or a person). */
void hd_result_single(void);
void hd_result_write(int fd);

/* explore.c: many executions; the exit status. */
int hd_explore(void);

#endif
