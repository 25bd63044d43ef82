/* question_harm.c - does what was confirmed do harm, and which execution shows it? */
#include "question.h"

#include "question_inner.h"

#include <stdlib.h>
#include <string.h>

/* Bit-fields that lie in the same bytes. A store to one of them reads and writes the others,
 * of which the compiler tells nothing: what comes in between is not tried. */
bool hd_question_shares_bits(const struct hd_verdict_warning *entry) {
    return entry->access_count && strstr(entry->accesses[0].variable, "{");
}

static bool same_place(const struct hd_place *a, const struct hd_place *b) {
    return a->line && a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

/* Is one of the accesses the failure itself, such as the second one of two frees? */
static bool is_failure(const struct hd_questions *self, const struct hd_question *question,
                       const struct hd_verdict_warning *entry) {
    for (uint32_t i = 0; i < question->failures.count; i++) {
        const struct hd_verdict_failure *failure =
            &self->session->doc->failures[question->failures.list[i]];
        for (size_t k = 0; failure->kind == HD_FAILURE_MISUSE && k < entry->access_count; k++) {
            if (same_place(&failure->location, &entry->accesses[k].place)) return true;
        }
    }
    return false;
}

bool hd_question_fails(const struct hd_questions *self, const struct hd_question *question) {
    for (uint32_t i = 0; i < question->with.count; i++) {
        if (self->outcome_failed[question->with.list[i]]) return true;
    }
    return false;
}

void hd_question_one_way(const struct hd_questions *self, struct hd_question *question) {
    bool blamed = hd_blame_has(&self->blame, (uint32_t)(question - self->list));
    if (question->kind != HD_RACE || !question->happened || !blamed) return;
    for (uint32_t f = 0; f < self->session->doc->failure_count; f++) {
        if (!hd_orders_one_way(&question->orders, f)) continue;
        question->one_way = true;
        hd_outcomes_put(&question->failures, f);
    }
}

enum hd_twins_word hd_question_twins(const struct hd_questions *self,
                                     const struct hd_question *question, bool known,
                                     struct hd_twins_told *told) {
    const bool *failed = self->outcome_failed;
    if (!known && hd_twins_settled(&self->twins, question->variable, failed, told)) {
        told->sure = true;
        return HD_TWINS_DIFFER;
    }
    enum hd_twins_word word = hd_twins_say(&self->twins, question->variable, failed, told);
    told->sure = known && word == HD_TWINS_DIFFER;
    return word;
}

/* By both orders of its pairs (twins.h). Where another race decides which of the two can
 * come first, no case has both; then it is held against executions without it (blame.h). What
 * fails in both orders, or without any race just so, does not fail because of it. */
static enum hd_impact impact_of_race(const struct hd_questions *self,
                                     const struct hd_question *question,
                                     const struct hd_verdict_warning *entry, bool complete) {
    bool known = complete && !self->twins.blind;
    struct hd_twins_told told;
    enum hd_twins_word word = hd_question_twins(self, question, known, &told);
    bool fails = hd_question_fails(self, question) &&
                 hd_blame_has(&self->blame, (uint32_t)(question - self->list));
    if (told.sure) return HD_HARMFUL;
    if (question->failed && is_failure(self, question, entry)) return HD_HARMFUL;
    if (fails && word != HD_TWINS_ALIKE) return HD_HARMFUL;
    if (question->one_way && known) return HD_HARMFUL;
    if (fails && !known) return HD_IMPACT_NONE;
    bool within = known && hd_outcomes_within(&question->with, &question->without);
    bool alike = word == HD_TWINS_ALIKE || (word == HD_TWINS_NONE && within);
    bool seen = !self->twins.blind && !hd_question_shares_bits(entry) && !question->pieces;
    return alike && seen ? HD_BENIGN : HD_IMPACT_NONE;
}

/* What is meant to be deterministic must not fail now and then, whatever the order. */
static enum hd_impact impact_of_pair(const struct hd_question *question, bool complete) {
    if (question->failed) return HD_HARMFUL;
    if (hd_orders_both(&question->orders)) {
        if (!hd_orders_differ(&question->orders)) return HD_BENIGN;
        return complete ? HD_HARMFUL : HD_IMPACT_NONE;
    }
    bool within = hd_outcomes_within(&question->with, &question->without);
    return complete && within ? HD_BENIGN : HD_IMPACT_NONE;
}

/* Those transactions that are judged together: all that were confirmed and do run as one
 * step somewhere. NULL: it is not known of all executions which of them did; else for the
 * caller to free. */
static bool *judged_together(const struct hd_questions *self, bool complete) {
    bool *counts = calloc(self->count + 1, sizeof *counts);
    if (!counts) abort();
    for (size_t i = 0; i < self->count; i++) {
        const struct hd_question *one = &self->list[i];
        if (one->kind != HD_ATOMICITY) continue;
        counts[i] = one->happened && one->without.count;
        complete = complete && hd_question_early(self, one);
    }
    if (complete && !self->torn.full && self->atomicity_count > 1) return counts;
    free(counts);
    return NULL;
}

/* Some execution has all of them as one step: those are the serial ones. */
static bool together(const struct hd_questions *self, const bool *counts) {
    for (uint32_t o = 0; counts && o < self->outcome_count; o++) {
        if (hd_blame_spared(&self->torn, o, counts)) return true;
    }
    return false;
}

uint32_t hd_question_together(const struct hd_questions *self, const struct hd_question *question,
                              bool complete) {
    if (question->kind != HD_ATOMICITY || hd_question_fails(self, question) ||
        !hd_outcomes_within(&question->with, &question->without)) {
        return 0; /* a case of rule (3) by itself */
    }
    bool *counts = judged_together(self, complete), some = together(self, counts);
    uint32_t found = 0;
    for (uint32_t i = 0; some && i < question->with.count && !found; i++) {
        uint32_t outcome = question->with.list[i];
        bool serial = hd_blame_spared(&self->torn, outcome, counts);
        uint32_t it = (uint32_t)(question - self->list);
        if (!serial && hd_blame_of(&self->torn, outcome, it, counts)) found = outcome + 1;
    }
    free(counts);
    return found;
}

bool hd_question_spared(const struct hd_questions *self, uint32_t outcome, bool complete) {
    bool *counts = judged_together(self, complete);
    bool serial = counts && hd_blame_spared(&self->torn, outcome, counts);
    free(counts);
    return serial;
}

enum hd_impact hd_question_impact(const struct hd_questions *self,
                                  const struct hd_question *question,
                                  const struct hd_verdict_warning *entry) {
    bool complete = entry->evidence.exhaustive;
    const struct hd_outcomes *serial = &question->without;
    if (question->kind == HD_DEADLOCK) return HD_HARMFUL;
    if (question->kind == HD_RACE) return impact_of_race(self, question, entry, complete);
    if (question->kind == HD_DETERMINISM && !question->cycle) {
        return impact_of_pair(question, complete);
    }
    if (hd_question_fails(self, question)) return HD_HARMFUL;
    if (serial->count == 0) return HD_IMPACT_NONE;
    if (!hd_outcomes_within(&question->with, serial)) return complete ? HD_HARMFUL : HD_IMPACT_NONE;
    return question->together ? HD_HARMFUL : HD_BENIGN;
}

/* ---- the execution that is kept --------------------------------------------------------- */

/* Does an execution with that outcome show the harm? */
static bool shows(const struct hd_questions *self, const struct hd_question *question,
                  const struct hd_verdict_warning *entry, uint32_t outcome) {
    bool failed = self->outcome_failed[outcome];
    bool serial = hd_outcomes_has(&question->without, outcome);
    struct hd_twins_told told;
    switch (question->kind) {
    case HD_DEADLOCK: return true;
    case HD_RACE:
        hd_question_twins(self, question, entry->evidence.exhaustive, &told);
        if (told.sure && told.only != HD_NO_ID) return outcome == told.only;
        return failed;
    case HD_DETERMINISM:
        if (!question->cycle) return failed || hd_orders_only(&question->orders, outcome);
        break;
    default: break;
    }
    return !serial || failed || outcome + 1 == question->together;
}

struct hd_sight *hd_question_sight(const struct hd_questions *self, struct hd_question *question,
                                   const struct hd_verdict_warning *entry) {
    struct hd_sight *best = NULL;
    unsigned most = 0;
    for (uint32_t i = 0; i < question->sights.count; i++) {
        struct hd_sight *one = &question->sights.list[i];
        bool harm = entry->impact == HD_HARMFUL && shows(self, question, entry, one->outcome);
        unsigned worth = 4U * harm + 2U * one->pending + self->outcome_failed[one->outcome];
        bool shorter = best && one->schedule->step_count < best->schedule->step_count;
        if (best && (worth < most || (worth == most && !shorter))) continue;
        best = one;
        most = worth;
    }
    return best;
}
