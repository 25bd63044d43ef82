/* race_shown.c - the accesses that a confirmed race shows are those that raced.
 *
 * The checker that raised it may have had another pair in mind: all that race on a
 * variable are one entry. So the execution that is kept is run once more, and of the
 * pairs that happens-before leaves unordered there one is shown: that whose orders
 * differ in what comes of them, or else one with both pending at one moment. */
#include "question_inner.h"

#include "identity.h"
#include "interrupt.h"
#include "temporary.h"
#include "warning_fill.h"

#include <string.h>

static bool is_pair(const struct hd_trace *trace, const struct hd_warning *w, const uint64_t places[2]) {
    uint64_t one = hd_identity_site(trace, w->accesses[0].site);
    uint64_t two = hd_identity_site(trace, w->accesses[1].site);
    return (one == places[0] && two == places[1]) || (one == places[1] && two == places[0]);
}

/* The pair of this execution to show; NULL: the variable does not race in it. */
static const struct hd_warning *choose(const struct hd_questions *self, const struct hd_question *question,
                                       const struct hd_report *report, struct hd_trace *trace,
                                       struct hd_error *err) {
    struct hd_twins_told told;
    hd_twins_say(&self->twins, question->variable, self->outcome_failed, &told);
    const struct hd_warning *best = NULL;
    int most = -1;
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *w = hd_report_warning(report, i);
        if (w->kind != HD_RACE ||
            hd_identity_warning(hd_report_front(report), trace, w) != question->identity) {
            continue;
        }
        for (; w; w = w->next_variant) {
            if (w->access_count < 2) continue;
            int worth = 2 * is_pair(trace, w, told.places) +
                        hd_race_pending(trace, &w->accesses[0], &w->accesses[1], err);
            if (worth <= most) continue;
            best = w;
            most = worth;
        }
    }
    return best;
}

static void fill(const struct hd_questions *self, const struct hd_question *question,
                 struct hd_verdict_warning *entry, const char *path) {
    struct hd_error err = {0};
    struct hd_report *report = NULL;
    const struct hd_options *options = self->session->options;
    struct hd_check_options how = {"races:algorithm=hb", options->transactions, 0};
    if (hd_names_apply(path, NULL, 0, &err) < 0) return;
    struct hd_trace *trace = hd_trace_open(path, &err);
    if (trace && hd_check(trace, &how, &report, &err) == 0) {
        const struct hd_warning *pair = choose(self, question, report, trace, &err);
        struct hd_verdict_warning shown = {0};
        if (pair) hd_warning_fill(self->session->doc, &shown, report, pair);
        if (pair) {
            entry->accesses = shown.accesses;
            entry->access_count = shown.access_count;
        }
    }
    hd_report_free(report);
    hd_trace_free(trace);
}

void hd_question_show_race(const struct hd_questions *self, const struct hd_question *question,
                           struct hd_verdict_warning *entry, const struct hd_schedule *schedule) {
    struct hd_error err = {0};
    struct hd_temporary plan = {0}, trace = {0};
    const struct hd_options *options = self->session->options;
    if (self->hasty || hd_interrupted()) return;
    if (hd_temporary_schedule(&plan, schedule, &err) == 0 &&
        hd_temporary_open(&trace, "trace", &err) == 0) {
        struct hd_child child = {
            .strategy = plan.strategy,
            .seed = options->seed,
            .steps = options->steps,
            .spurious = options->spurious_wakeups,
            .transactions = options->transactions,
            .trace = trace.path,
            .seconds = 10,
            .silent = true,
        };
        if (hd_child_run(&self->session->program, &child, &err) == 0 && child.told) {
            fill(self, question, entry, trace.path);
        }
        hd_child_free(&child);
    }
    hd_temporary_drop(&trace);
    hd_temporary_drop(&plan);
}
