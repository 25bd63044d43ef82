/* tally.h - what is kept of executions: how often each outcome, how many classes.
 *
 * Outcomes are numbered in the order in which they are first counted, so whoever
 * counts executions in the order of their numbers comes to the same tally,
 * whoever ran them. */
#ifndef HD_TALLY_H
#define HD_TALLY_H

#include <stdbool.h>
#include <stdint.h>

struct hd_ran { /* an execution, when it is over */
    uint64_t run;
    uint64_t outcome;    /* hash of how it ended, as far as anybody can see */
    uint64_t class_hash; /* equal for equivalent ones: class.h */
    uint64_t events, steps;
    uint32_t threads;
    bool cut, blocked;
    bool failed; /* or ended with a status other than 0 */
};

struct hd_tally;

struct hd_tally *hd_tally_new(void);
/* Another pass begins. If it comes to its end, its counts are those of the search (else
 * all that was run counts); outcomes keep their numbers. */
void hd_tally_again(struct hd_tally *self);
/* True if nobody ended like this before; `*which` is the outcome's number. One
 * that the search found redundant is counted apart, and is not the first. */
bool hd_tally_add(struct hd_tally *self, const struct hd_ran *ran, uint32_t *which);

/* More is visible: what was told apart until now was so by less. */
void hd_tally_finer(struct hd_tally *self);
/* Was there such an outcome? */
bool hd_tally_knows(const struct hd_tally *self, uint64_t outcome);
/* Memory that it takes; `*longest`: operations of the longest execution. */
uint64_t hd_tally_bytes(const struct hd_tally *self, uint64_t *longest);
uint64_t hd_tally_spent(const struct hd_tally *self); /* executions, of all passes */
uint64_t hd_tally_cut(const struct hd_tally *self);   /* of this one */
/* The totals so far; whether this pass is the `final` one, and what the search itself
 * knows, is the caller's to fill in. */
struct hd_totals;
void hd_tally_totals(const struct hd_tally *self, struct hd_totals *totals);
/* How many ended with outcome `which`; false: there is no such number. */
bool hd_tally_count(const struct hd_tally *self, uint32_t which, bool final, uint64_t *count);

#endif
