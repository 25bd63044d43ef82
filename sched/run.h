/* run.h - one execution, from a fresh start to its outcome. */
#ifndef HD_RUN_H
#define HD_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything of the last execution is forgotten; false: the strategy has
 * nothing left to try. */
bool hd_execution_begin(void);
/* Run main to the end of the execution, whatever that is. */
void hd_execution_run(void);

/* pthread/before_main.c: threads that constructors made and that have not begun
 * belong to every execution. */
struct hd_thread;
void hd_early_threads_keep(void);
void hd_early_threads_start(struct hd_thread *first);

/* result.c: tell how it ended, to whoever asked (a descriptor or a person). */
void hd_result_single(void);
void hd_result_write(int fd);

struct hd_finding { /* the first execution that ended in some way */
    uint32_t number;
    uint64_t run;
    const char *output;
    size_t output_length;
    const char *text; /* its lines after the first two, if a worker wrote them; or NULL */
    size_t text_length;
};
struct hd_totals {
    uint64_t executions, classes, endings, events, steps, threads, cut, blocked, failed, shared;
    uint64_t nanoseconds;
    uint64_t depth, bound, share; /* strategy.h; share in millionths */
    bool exhausted;
    bool final; /* only this pass counts: it is complete */
    const char *ended_by; /* NULL: it goes on */
};
void hd_result_finding(int fd, const struct hd_finding *finding);
void hd_result_word(int fd, const char *word);
struct hd_tally;
void hd_result_totals(int fd, const struct hd_tally *tally, const struct hd_totals *totals);

/* explore.c: many executions; the exit status. */
int hd_explore(void);

#endif
