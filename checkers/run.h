/* run.h - checkers over a trace: the one loop over events.
 *
 * The report owns the memory of the pass; warnings, notes and the names behind
 * their ids live until hd_report_free. The trace must outlive the report. */
#ifndef HD_CHECK_RUN_H
#define HD_CHECK_RUN_H

#include "checkers/checker.h"

struct hd_check_options {
    const char *checkers;     /* "blocks:theorem=5,races:algorithm=hb"; NULL: all, by default */
    const char *transactions; /* policy, as in transaction.h; NULL: default */
    size_t memory;            /* bytes the pass may use; 0: no limit */
};

struct hd_report;

/* 0, or -1 with err: no such checker or switch, an unreadable trace, no memory. */
int hd_check(struct hd_trace *trace, const struct hd_check_options *options,
             struct hd_report **out, struct hd_error *err);
void hd_report_free(struct hd_report *report);

/* All warnings of all checkers: in the order of the registry, then sorted. */
uint32_t hd_report_count(const struct hd_report *report);
const struct hd_warning *hd_report_warning(const struct hd_report *report, uint32_t index);
/* Warnings of several checkers that accuse the same (atomicity: the same
 * function; race: the same variable; deadlock: the same locks) share a group. */
uint32_t hd_report_groups(const struct hd_report *report);
uint32_t hd_report_group(const struct hd_report *report, uint32_t index); /* of a warning */
uint32_t hd_report_notes(const struct hd_report *report);
const char *hd_report_note(const struct hd_report *report, uint32_t index);
/* Functions that the policy names (--transactions @FILE) and the trace does not. */
uint32_t hd_report_strangers(const struct hd_report *report);
const char *hd_report_stranger(const struct hd_report *report, uint32_t index);
const struct hd_front *hd_report_front(const struct hd_report *report); /* for names */
const struct hd_trace *hd_report_trace(const struct hd_report *report);

/* What is wrong with a list of checkers, without running it. 0 or -1 with err. */
int hd_check_list(const char *checkers, struct hd_error *err);

#endif
