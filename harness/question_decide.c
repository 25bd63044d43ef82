/* question_decide.c - from what happened to verdicts, with their reasons (question.h). */
#include "question.h"

#include "question_inner.h"

#include <string.h>

#define BRIEF 60 /* characters of an outcome in a reason; the evidence has all of it */

/* Bit-fields that lie in the same bytes. A store to one of them reads and writes the others,
 * of which the compiler tells nothing: what comes in between is not tried. */
static bool shares_bits(const struct hd_verdict_warning *entry) {
    return entry->access_count && strstr(entry->accesses[0].variable, "{");
}

/* ---- harm ---------------------------------------------------------------------------- */

/* By both orders of its pairs (twins.h). Where another race decides which of the two can
 * come first, no case has both; then it is held against executions without it. */
static enum hd_impact impact_of_race(const struct hd_questions *self,
                                     const struct hd_question *question,
                                     const struct hd_verdict_warning *entry, bool complete) {
    bool known = complete && !self->twins.blind;
    uint32_t told;
    enum hd_twins_word word =
        hd_twins_say(&self->twins, question->variable, self->outcome_failed, &told);
    if (known && word == HD_TWINS_DIFFER) return HD_HARMFUL;
    /* What fails in both orders does not fail because of it. */
    if (question->failed && !(known && word == HD_TWINS_ALIKE)) return HD_HARMFUL;
    bool within = known && hd_outcomes_within(&question->with, &question->without);
    bool alike = word == HD_TWINS_ALIKE || (word == HD_TWINS_NONE && within);
    return alike && !self->twins.blind && !shares_bits(entry) ? HD_BENIGN : HD_IMPACT_NONE;
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

/* Did an execution fail because of it? One that stands still does so for its locks: where
 * serial ones do, too, that says nothing of the transaction. */
static bool fails(const struct hd_questions *self, const struct hd_question *question) {
    for (uint32_t i = 0; i < question->with.count; i++) {
        uint32_t one = question->with.list[i];
        bool serial = hd_outcomes_has(&question->without, one);
        if (self->outcome_failed[one] && !(self->outcome_stuck[one] && serial)) return true;
    }
    return false;
}

/* No execution in which it happened came to its end. */
static bool all_stuck(const struct hd_questions *self, const struct hd_question *question) {
    for (uint32_t i = 0; i < question->with.count; i++) {
        if (!self->outcome_stuck[question->with.list[i]]) return false;
    }
    return true;
}

static enum hd_impact impact_of(const struct hd_questions *self, struct hd_question *question,
                                const struct hd_verdict_warning *entry, bool complete) {
    const struct hd_outcomes *serial = &question->without;
    if (question->kind == HD_DEADLOCK) return HD_HARMFUL;
    if (question->kind == HD_RACE) return impact_of_race(self, question, entry, complete);
    if (question->kind == HD_DETERMINISM && !question->cycle) {
        return impact_of_pair(question, complete);
    }
    if (fails(self, question)) return HD_HARMFUL;
    if (serial->count == 0 || all_stuck(self, question)) return HD_IMPACT_NONE;
    if (hd_outcomes_within(&question->with, serial)) return HD_BENIGN;
    for (uint32_t i = 0; i < question->with.count; i++) {
        if (!hd_outcomes_has(serial, question->with.list[i])) {
            question->outcome = self->outcomes[question->with.list[i]];
            break;
        }
    }
    return complete ? HD_HARMFUL : HD_IMPACT_NONE;
}

static void list_serial(const struct hd_questions *self, const struct hd_question *question,
                        struct hd_evidence *evidence) {
    const struct hd_outcomes *serial = &question->without;
    evidence->serial_outcomes = hd_verdicts_array(self->session->doc, serial->count + 1,
                                                  sizeof *evidence->serial_outcomes);
    for (uint32_t i = 0; i < serial->count && i < 64; i++) {
        evidence->serial_outcomes[evidence->serial_count++] = self->outcomes[serial->list[i]];
    }
}

/* ---- reasons -------------------------------------------------------------------------- */

static const char *undecided_reason(const struct hd_questions *self,
                                    const struct hd_question *question, bool complete) {
    if (question->doubtful && question->kind == HD_ATOMICITY) {
        return "an execution that is not serializable was too long to tell all transactions "
               "that it interrupts";
    }
    if (question->doubtful && question->kind == HD_DEADLOCK) {
        return "threads stood still, and not all is known of who waits for whom";
    }
    if (question->doubtful) {
        return "another thread changed the variable between the copy and its use; whether the use "
               "depends on the copy is not known";
    }
    if (question->half_count && complete) {
        return "the program failed while it was half done, as it does in other executions too; what "
               "would have followed is not known";
    }
    const char *near = hd_question_near_text(self, question);
    const char *bound = self->session->doc->bound;
    return hd_verdicts_print_string(
        self->session->doc, "%s%s%s%s",
        bound ? "not in " : "the budget ended before every interleaving was seen",
        bound ? bound : "", near ? "; " : "", near ? near : "");
}

/* ": the outcome"; nothing for a unit test, whose outcome is mostly its own voice. */
static const char *brief(const struct hd_questions *self, const char *outcome) {
    if (self->session->test) return "";
    bool cut = strlen(outcome) > BRIEF;
    return hd_verdicts_print_string(self->session->doc, ": %.*s%s", BRIEF, outcome, cut ? "..." : "");
}

static const char *race_reason(const struct hd_questions *self, const struct hd_question *question,
                               const struct hd_verdict_warning *entry) {
    struct hd_verdicts *doc = self->session->doc;
    uint32_t told;
    enum hd_twins_word word =
        hd_twins_say(&self->twins, question->variable, self->outcome_failed, &told);
    const char *after = "";
    if (entry->impact == HD_HARMFUL && word == HD_TWINS_DIFFER && told != HD_NO_ID &&
        entry->evidence.exhaustive) {
        after = hd_verdicts_print_string(doc, "; after the same beginning only one of their orders "
                                              "has an outcome%s", brief(self, self->outcomes[told]));
    } else if (entry->impact == HD_HARMFUL && question->failed) {
        after = "; in an execution with it the program failed";
    } else if (entry->impact == HD_HARMFUL) {
        after = "; what comes of them depends on which is first";
    } else if (entry->impact == HD_BENIGN && question->failed) {
        after = "; the program fails, in both orders alike";
    } else if (entry->impact == HD_BENIGN && word == HD_TWINS_NONE) {
        after = "; every outcome is also one of executions without it, but a data race is undefined "
                "behaviour in C";
    } else if (entry->impact == HD_BENIGN) {
        after = "; both orders give the same outcomes, but a data race is undefined behaviour in C";
    } else if (shares_bits(entry)) {
        after = "; a store to a bit-field also writes back the bits beside it, and what is lost by "
                "that is not seen";
    }
    return hd_verdicts_print_string(
        doc, "happens-before leaves the two accesses unordered%s%s",
        question->pending ? ""
                          : "; no execution was seen with both pending at one moment, another race "
                            "comes first",
        after);
}

static const char *atomicity_reason(const struct hd_questions *self,
                                    const struct hd_question *question,
                                    const struct hd_verdict_warning *entry) {
    bool serial = hd_outcomes_within(&question->with, &question->without);
    if (fails(self, question) && serial) {
        return "in an execution that is not serializable the program failed; but it fails so in "
               "serial ones, too";
    }
    if (fails(self, question)) return "in an execution that is not serializable the program failed";
    if (entry->impact == HD_HARMFUL) {
        return hd_verdicts_print_string(self->session->doc, "an outcome that no serial execution has%s",
                                        brief(self, question->outcome));
    }
    return entry->impact == HD_BENIGN
               ? "not serializable, but every outcome seen is one of a serial execution"
               : "an execution is not serializable";
}

static const char *reason_of(const struct hd_questions *self, const struct hd_question *question,
                             const struct hd_verdict_warning *entry) {
    if (entry->verdict == HD_UNDECIDED) {
        return undecided_reason(self, question, entry->evidence.exhaustive);
    }
    if (entry->verdict == HD_REFUTED) {
        return "the search was complete: no interleaving of this program with this input shows it";
    }
    switch (question->kind) {
    case HD_RACE: return race_reason(self, question, entry);
    case HD_ATOMICITY: return atomicity_reason(self, question, entry);
    case HD_DEADLOCK:
        return question->circle.joins
                   ? "the threads stood still: one joins another, which wants what the first one holds"
                   : "the threads stood still, each holding what the next one wants";
    case HD_DETERMINISM:
        return question->cycle ? "the cycle occurred in an execution"
               : entry->impact == HD_HARMFUL
                   ? "the two operations ran in both orders, with different outcomes"
                   : "the two operations ran in both orders, with the same outcomes";
    case HD_GUARD: return "the lock that was declared was not held";
    default: return "another thread came in between";
    }
}

/* ---- verdicts --------------------------------------------------------------------------- */

/* Rule (5): it failed in the sight of the half-done transaction, as no serial one does. */
static bool accept_half(const struct hd_questions *self, struct hd_question *question) {
    for (uint32_t i = 0; i < question->half_count; i++) {
        struct hd_half *half = &question->half[i];
        if (hd_outcomes_has(&question->without, half->outcome)) continue;
        question->happened = 1;
        question->failed = true;
        hd_outcomes_put(&question->with, half->outcome);
        hd_outcomes_put(&question->failures, half->failure);
        question->schedule = half->schedule;
        half->schedule = NULL;
        question->outcome = self->outcomes[half->outcome];
        return true;
    }
    return false;
}

static void decide(struct hd_questions *self, struct hd_question *question, bool complete,
                   uint64_t executions, uint64_t distinct) {
    struct hd_verdicts *doc = self->session->doc;
    struct hd_verdict_warning *entry = &doc->warnings[question->entry];
    bool half = !question->happened && complete && accept_half(self, question);
    entry->checkers = hd_verdicts_strings(doc, question->checkers, question->checker_count);
    entry->checker_count = question->checker_count;
    entry->score = hd_question_score(question);
    entry->verdict = question->happened                                             ? HD_CONFIRMED
                     : complete && !question->half_count && !question->doubtful ? HD_REFUTED
                                                                                    : HD_UNDECIDED;
    entry->evidence.executions = question->happened ? question->happened : executions;
    entry->evidence.exhaustive = complete && !question->doubtful;
    if (question->happened) {
        entry->evidence.exhaustive &= hd_question_early(self, question);
        entry->impact = impact_of(self, question, entry, entry->evidence.exhaustive);
        list_serial(self, question, &entry->evidence);
        entry->evidence.outcome = question->outcome;
        entry->evidence.schedule = question->schedule;
        entry->evidence.found = question->found;
        entry->evidence.found_by = question->found_by;
        question->schedule = NULL;
    } else {
        entry->evidence.distinct_traces = distinct;
    }
    entry->evidence.reason = hd_verdicts_string(
        doc, half ? "the program failed while the transaction was half done, which no serial "
                    "execution shows"
                  : reason_of(self, question, entry));
}

static void list_exits(struct hd_questions *self) {
    struct hd_verdicts *doc = self->session->doc;
    for (uint32_t i = 0; self->zero && i < self->exit_count; i++) {
        struct hd_verdict_failure *failure = hd_verdicts_failure(doc);
        failure->kind = HD_FAILURE_EXIT;
        failure->message = hd_verdicts_print_string(
            doc, "exit status %d, other executions end with 0", self->exits[i].status);
        failure->executions = self->exits[i].executions;
        failure->schedule = self->exits[i].schedule;
        self->exits[i].schedule = NULL;
        if (self->exits[i].explained) {
            hd_outcomes_put(&self->list[self->exits[i].explained - 1].failures,
                            (uint32_t)(failure - doc->failures));
        }
    }
}

void hd_questions_decide(struct hd_questions *self, bool complete, uint64_t executions,
                         uint64_t distinct) {
#ifdef HD_SABOTAGE_REFUTE /* tests/test_sabotage.sh: the suite must notice */
    complete = true;
#endif
    for (size_t i = 0; i < self->count; i++) {
        decide(self, &self->list[i], complete, executions, distinct);
    }
    list_exits(self);
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        hd_verdicts_outcome(self->session->doc, self->outcomes[i], self->outcome_executions[i]);
    }
}
