/* cut.h - the steps of a text trace in a line, and what was noted about it.
 *
 * A checker that only writes down what it is shown stands in for the real ones. */
#ifndef HD_CUT_H
#define HD_CUT_H

#include <stddef.h>
#include <stdint.h>

/* The steps that belong to transactions: "1[f 1rd 1wr 1]" for thread 1 in f; a star
 * for an event by itself. Valid until the next call.
 * A trace or policy that is none ends the program. */
const char *hd_cut(const char *policy, const char *text);

/* The notes of the last hd_cut, each ended by "; ". */
extern char hd_cut_noted[1 << 13];

/* `count` lines of events of four threads in no order that makes sense. */
void hd_cut_mix(uint64_t *seed, int count, char *text, size_t size);

#define CUT(want, policy, trace) TEST_ASSERT_EQUAL_STRING(want, hd_cut(policy, trace))

#endif
