/* report.h - how an execution that cannot go on is told. */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "runtime.h"

#include <stddef.h>
#include <stdint.h>

struct hd_primitive;

/* Nobody can run: who waits for what, and who holds it. */
void hd_report_stuck(void) __attribute__((noreturn));
/* All who can run go round without end (circle.h). */
void hd_report_circles(void) __attribute__((noreturn));
/* The budget of visible operations is used up. */
void hd_report_steps(void) __attribute__((noreturn));

/* The execution is over: who stands still goes into the trace. If some wait for each
 * other, and it did not fail by itself, that is its failure. */
void hd_report_standing(void);
void hd_failure_keep(const struct hd_thread *thread, enum hd_failure_kind kind, const char *text);

/* Is the time for exploring over? Then this execution is cut here. */
void hd_report_late(void);

/* ", held by thread 0.1 since ..." for each who holds it; nothing if nobody does. */
void hd_tell_holders(const struct hd_primitive *primitive, char *text, size_t size);

uint64_t hd_real_now(void); /* nanoseconds that really passed since some moment */

const char *hd_failure_word(int kind);

#endif
