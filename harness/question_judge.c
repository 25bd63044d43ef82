/* question_judge.c - what happened in one execution.
 *
 * Facts, not predictions: exact checks of the execution's own trace, held
 * against every question. */
#include "question.h"

#include "checkers/velodrome_again.h"
#include "identity.h"
#include "names.h"
#include "question_inner.h"
#include "torn.h"
#include "whole.h"
#include "wider.h"

#include <stdlib.h>
#include <string.h>

struct sight { /* of it happening */
    const struct hd_ending *ending;
    uint32_t outcome;
    uint32_t failure; /* its index in the document; HD_NO_ID: it did not fail */
    bool pending;
};

static void happened(struct hd_questions *self, struct hd_question *question,
                     const struct sight *sight) {
    bool failed = sight->ending->failure != NULL;
    if (!question->happened++) {
        question->found = self->judged;
        question->found_by = self->strategy;
    }
    hd_outcomes_put(&question->with, sight->outcome);
    question->failed = question->failed || failed;
    if (failed) hd_outcomes_put(&question->failures, sight->failure);
    question->pending = question->pending || sight->pending;
    hd_sights_note(&question->sights, sight->ending->schedule, sight->outcome, sight->pending);
}

static void half_done(struct hd_question *question, const struct sight *sight) {
    uint32_t i = 0;
    while (i < question->half_count && question->half[i].outcome != sight->outcome) i++;
    if (i < question->half_count) question->half[i].executions++;
    if (i < question->half_count || i == sizeof question->half / sizeof *question->half) return;
    question->half[question->half_count++] = (struct hd_half){
        hd_schedule_copy(sight->ending->schedule), sight->outcome, sight->failure, 1};
}

static bool judge_deadlock(struct hd_question *question, struct hd_standstill *still) {
    if (!still) return false;
    enum hd_standing standing = hd_standstill_has(still, &question->circle);
    question->doubtful = question->doubtful || standing == HD_STANDING_UNSURE;
    return standing == HD_STANDING_SO;
}

/* Determinism: both orders of the pair have been seen when the second one is;
 * a cycle is seen in the trace itself. */
static bool judge_determinism(struct hd_questions *self, struct hd_question *question,
                              struct hd_trace *trace, const struct sight *sight,
                              struct hd_error *err) {
    if (!question->cycle) {
        hd_orders_note(&question->orders, trace, sight->outcome, sight->failure, err);
        return hd_orders_both(&question->orders);
    }
    struct hd_report *report = NULL;
    struct hd_check_options how = {"determinism", self->session->options->transactions, 0};
    bool did = false;
    hd_trace_rewind(trace);
    if (hd_check(trace, &how, &report, err) < 0) return false;
    for (uint32_t k = 0; k < hd_report_count(report); k++) {
        did = did || hd_identity_warning(hd_report_front(report), trace,
                                         hd_report_warning(report, k)) == question->identity;
    }
    hd_report_free(report);
    return did;
}

/* Were the two of some pair about to happen at once? */
static bool judge_race(struct hd_question *question, struct hd_trace *trace,
                       const struct hd_warning *warning, struct hd_error *err) {
    bool pending = false;
    for (const struct hd_warning *w = warning; w; w = w->next_variant) {
        if (w->access_count < 2) continue;
        unsigned flags = w->accesses[0].flags | w->accesses[1].flags;
        question->pieces = question->pieces || (flags & (HD_FLAG_MORE | HD_FLAG_PART));
        pending = pending || hd_race_pending(trace, &w->accesses[0], &w->accesses[1], err);
    }
    return pending;
}

/* Something happened that no question is about. */
static bool strangers(struct hd_questions *self, const struct hd_report *report) {
    for (uint32_t k = 0; k < hd_report_count(report); k++) {
        const struct hd_warning *warning = hd_report_warning(report, k);
        if (!hd_questions_want(self, warning->kind)) continue;
        if (!hd_question_find(self, hd_identity_warning(hd_report_front(report), hd_report_trace(report),
                                            warning))) {
            return true;
        }
    }
    return false;
}

static bool raced(const struct hd_report *report) {
    for (uint32_t k = 0; k < hd_report_count(report); k++) {
        if (hd_report_warning(report, k)->kind == HD_RACE) return true;
    }
    return false;
}

/* The trace was too long to name everybody whom its cycles accuse. */
static bool is_unsure(const struct hd_report *report) {
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        if (strcmp(hd_report_note(report, i), HD_AGAIN_UNSURE) == 0) return true;
    }
    return false;
}

/* NULL: it ended with status 0, or with a failure of another kind. */
static struct hd_exit_seen *count_exit(struct hd_questions *self, const struct hd_ending *ending) {
    if (ending->failure) return NULL;
    if (ending->status == 0) {
        self->zero = true;
        return NULL;
    }
    for (uint32_t i = 0; i < self->exit_count; i++) {
        if (self->exits[i].status == ending->status) {
            self->exits[i].executions++;
            return &self->exits[i];
        }
    }
    if (self->exit_count == 16) return NULL;
    struct hd_exit_seen *seen = &self->exits[self->exit_count++];
    *seen = (struct hd_exit_seen){ending->status, 1, hd_schedule_copy(ending->schedule), {0}};
    return seen;
}

/* Is the outcome one of a serial execution? For a transaction: it ran as one step. That
 * it did not happen says less: it may have been held up by locks alone. */
static bool serial(const struct hd_question *question, struct hd_trace *trace, const char *policy,
                   bool did, const char *failing, struct hd_error *err) {
    if (question->kind != HD_ATOMICITY) return !did;
    return hd_whole(trace, policy, question->identity, failing, err);
}

/* Does it matter which of several transactions run as one step here? Not where it is known
 * that all do in an execution with this outcome. */
static bool matters(const struct hd_questions *self, uint32_t outcome) {
    bool *all = malloc(self->count + 1);
    if (!all) abort();
    memset(all, true, self->count);
    bool known = hd_blame_spared(&self->torn, outcome, all);
    free(all);
    return self->atomicity_count > 1 && !known;
}

int hd_questions_judge(struct hd_questions *self, const char *trace_path,
                       const struct hd_ending *ending, bool accept, struct hd_error *err) {
    int rc = -1;
    struct hd_report *report = NULL;
    struct hd_standstill *still = NULL;
    struct hd_check_options how = {HD_JUDGES, self->session->options->transactions, 0};
    bool by_name = how.transactions && *how.transactions == '@';
    if (by_name && hd_names_apply_labels(trace_path, err) < 0) return -1;
    struct hd_trace *trace = hd_trace_open(trace_path, err);
    if (!trace || hd_check(trace, &how, &report, err) < 0) goto out;
    if (!accept && strangers(self, report)) {
        rc = 1;
        goto out;
    }
    self->judged++;
    struct hd_exit_seen *nonzero = count_exit(self, ending);
    struct hd_torn torn = {0};
    /* A deadlock is no half-done work: it stands still by itself. */
    bool dies = ending->failure && ending->thread && strcmp(ending->failure, "deadlock") != 0;
    if (dies &&
        hd_torn_find(&torn, trace, self->session->options->transactions, ending->thread, err) < 0) {
        goto out;
    }
    bool unsure = is_unsure(report);
    uint32_t outcome = hd_question_outcome_number(self, ending);
    if (nonzero) hd_outcomes_put(&nonzero->outcomes, outcome);
    const struct hd_verdict_failure *failure = hd_session_failure(self->session, ending);
    uint32_t number = failure ? (uint32_t)(failure - self->session->doc->failures) : HD_NO_ID;
    still = hd_standstill_read(trace, err);
    uint32_t *races = malloc((self->count + 1) * sizeof *races), race_count = 0;
    uint32_t *broken = malloc((self->count + 1) * sizeof *broken), broken_count = 0;
    if (!races || !broken) abort();
    bool apart = !ending->cut && matters(self, outcome);
    if (raced(report)) hd_twins_note(&self->twins, trace, outcome, number, ending->cut, err);
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        bool did = false, half = false, cut = false;
        struct sight sight = {ending, outcome, number, false};
        const char *policy = self->session->options->transactions;
        char wider[4200];
        enum hd_yields yields = hd_wider(report, question, policy, wider, sizeof wider);
        if (yields) policy = wider;
        if (yields) {
            did = hd_wider_happens(trace, question, policy, err);
        } else if (question->kind == HD_DEADLOCK) {
            did = judge_deadlock(question, still);
        } else if (question->kind == HD_ATOMICITY || question->kind == HD_RACE ||
                   question->kind == HD_GUARD) {
            for (uint32_t k = 0; k < hd_report_count(report) && !did; k++) {
                const struct hd_warning *warning = hd_report_warning(report, k);
                if (warning->kind != question->kind) continue;
                did = hd_identity_warning(hd_report_front(report), trace, warning) ==
                      question->identity;
                if (did && question->kind == HD_RACE && warning->access_count >= 2) {
                    sight.pending = judge_race(question, trace, warning, err);
                }
            }
        } else if (question->kind == HD_DETERMINISM) {
            did = judge_determinism(self, question, trace, &sight, err);
        } else {
            enum hd_came came =
                hd_came_between(&question->ways, trace, dies ? ending->thread : NULL, NULL, err);
            did = came >= HD_BETWEEN_CALLS && question->kind != HD_STALE_VALUE;
            question->one_call = question->one_call || came == HD_BETWEEN;
            half = came == HD_TORN;
            cut = came == HD_CUT && !ending->failure;
            /* Whether the use depends on the copy, a trace does not say. */
            question->doubtful =
                question->doubtful || (came > HD_CUT && question->kind == HD_STALE_VALUE);
        }
        /* It ended before the other one could race with this one. */
        if (failure && question->kind == HD_RACE) {
            half = hd_orders_failed(&question->orders, trace, number,
                                    dies ? ending->thread : NULL, err) && !did;
            if (half) races[race_count++] = (uint32_t)i;
        }
        struct hd_torn wider_torn = {0};
        if (dies && yields && hd_torn_find(&wider_torn, trace, policy, ending->thread, err) < 0) {
            wider_torn.count = 0;
        }
        bool torn_now = half || (question->kind == HD_ATOMICITY &&
                                 hd_torn_has(yields ? &wider_torn : &torn, question->identity));
        if (did && yields == HD_YIELDS_STOPS) { /* as it is there, it was never meant */
            did = false;
            torn_now = question->stops = question->doubtful = true;
        }
#ifdef HD_SABOTAGE_CONFIRM /* tests/test_sabotage.sh: the suite must notice */
        did = true;
#endif
        if (did) {
            happened(self, question, &sight);
            if (question->kind == HD_RACE) races[race_count++] = (uint32_t)i;
        } else if (torn_now && question->kind != HD_RACE && !question->stops) {
            half_done(question, &sight);
        } else if (unsure && question->kind == HD_ATOMICITY) {
            question->doubtful = true;
        }
        bool known = hd_outcomes_has(&question->without, outcome);
        bool transaction = question->kind == HD_ATOMICITY;
        bool whole = (!known || (apart && transaction)) && !torn_now && !cut &&
                     !ending->cut && /* what it would have come to is not known */
                     serial(question, trace, policy, did, dies ? ending->thread : NULL, err);
        if (whole) hd_outcomes_put(&question->without, outcome);
        /* Of two that are entangled each can run as one step, but not both. */
        if (apart && transaction && (did || !whole)) broken[broken_count++] = (uint32_t)i;
        if (failure && !did && !torn_now && hd_outcomes_has(&question->without, outcome)) {
            hd_outcomes_put(&question->spared, number);
        }
    }
    if (failure) hd_blame_note(&self->blame, outcome, races, race_count);
    if (apart) hd_blame_note(&self->torn, outcome, broken, broken_count);
    free(races);
    free(broken);
    hd_question_near(self, trace, err);
    rc = 0;

out:
    hd_standstill_free(still);
    hd_report_free(report);
    hd_trace_free(trace);
    return rc;
}
