/* question_decide.c - from what happened to verdicts, with their reasons (question.h). */
#include "question.h"

#include "question_inner.h"
#include "say.h"

#include <string.h>

#define BRIEF 60 /* characters of an outcome in a reason; the evidence has all of it */

/* ---- evidence ------------------------------------------------------------------------ */

static void list_serial(const struct hd_questions *self, const struct hd_question *question,
                        struct hd_evidence *evidence) {
    const struct hd_outcomes *serial = &question->without;
    evidence->serial_outcomes = hd_verdicts_array(self->session->doc, serial->count + 1,
                                                  sizeof *evidence->serial_outcomes);
    for (uint32_t i = 0; i < serial->count && evidence->serial_count < 64; i++) {
        if (question->together && !hd_question_spared(self, serial->list[i], true)) continue;
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
        return "too many threads stood still for each other to follow them all";
    }
    if (question->doubtful) {
        return "another thread changed the variable between the copy and its use; whether the use "
               "depends on the copy is not known";
    }
    if (question->half_count && complete) {
        return "in every execution that leaves it half done the program fails before it could be "
               "completed, so none shows that it is not serializable; and it fails in the same way "
               "where it was not interrupted, so the failure does not show it either";
    }
    const char *near = hd_question_near_text(self, question);
    const char *bound = self->session->doc->bound;
    return hd_verdicts_print_string(
        self->session->doc, "%s%s%s%s",
        bound ? "not in " : "the budget ended before every interleaving was seen",
        bound ? bound : "", near ? "; " : "", near ? near : "");
}

static bool others_print(const struct hd_questions *self) {
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        if (strstr(self->outcomes[i], "stdout")) return true;
    }
    return false;
}

/* Nothing for a unit test, whose outcome is mostly its own voice. */
static const char *brief(const struct hd_questions *self, const char *before, const char *outcome) {
    if (self->session->test) return "";
    bool cut = strlen(outcome) > BRIEF, silent = !strstr(outcome, "stdout") && others_print(self);
    return hd_verdicts_print_string(self->session->doc, "%s%.*s%s%s", before, BRIEF, outcome,
                                    cut ? "..." : "", silent ? ", nothing on stdout" : "");
}

/* Why the two are never about to happen at once. */
static const char *not_pending(const struct hd_questions *self, const struct hd_question *question) {
    bool other = false;
    for (size_t i = 0; i < self->count; i++) {
        const struct hd_question *one = &self->list[i];
        other = other || (one != question && one->kind == HD_RACE && one->pending);
    }
    return other ? "; no execution was seen with both pending at one moment, another race comes first"
                 : "; no execution was seen with both pending at one moment, the program itself sees "
                   "to their order";
}

static const char *race_reason(const struct hd_questions *self, const struct hd_question *question,
                               const struct hd_verdict_warning *entry) {
    struct hd_verdicts *doc = self->session->doc;
    struct hd_twins_told told;
    enum hd_twins_word word =
        hd_twins_say(&self->twins, question->variable, self->outcome_failed, &told);
    const char *after = "";
    if (entry->impact == HD_HARMFUL && word == HD_TWINS_DIFFER && told.only != HD_NO_ID &&
        entry->evidence.exhaustive) {
        after = hd_verdicts_print_string(
            doc, "; after the same beginning one of their orders gives%s%s%s",
            brief(self, " ", self->outcomes[told.only]),
            self->session->test ? " another outcome than the other" : ", the other",
            brief(self, " ", self->outcomes[told.other]));
    } else if (entry->impact == HD_HARMFUL && question->one_way && !hd_question_fails(self, question)) {
        after = "; the program fails in one of their orders, before the other access is reached";
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
    } else if (hd_question_shares_bits(entry)) {
        after = "; a store to a bit-field also writes back the bits beside it, and what is lost by "
                "that is not seen";
    } else if (question->pieces) {
        after = "; several words are read or written as one step here, and what comes of half of them "
                "is not seen";
    }
    return hd_verdicts_print_string(
        doc, "happens-before leaves the two accesses unordered%s%s",
        question->pending ? "" : not_pending(self, question), after);
}

static bool always_fails(const struct hd_questions *self) {
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        if (!self->outcome_failed[i]) return false;
    }
    return true;
}

/* Whatever failure it came with came without it, too: that is not blamed on it. */
static bool fails_alike(const struct hd_questions *self, const struct hd_question *question) {
    for (uint32_t i = 0; i < question->with.count; i++) {
        uint32_t outcome = question->with.list[i];
        if (self->outcome_failed[outcome] && !hd_outcomes_has(&question->without, outcome)) return false;
    }
    return true;
}

static const char *atomicity_reason(const struct hd_questions *self,
                                    const struct hd_question *question,
                                    const struct hd_verdict_warning *entry) {
    if (hd_question_fails(self, question) && always_fails(self)) {
        return "in an execution that is not serializable the program failed; but it fails in all "
               "others, too";
    }
    if (hd_question_fails(self, question)) {
        return fails_alike(self, question)
                   ? "in an execution that is not serializable the program failed; but so it does in "
                     "serial ones"
                   : "in an execution that is not serializable the program failed";
    }
    if (entry->impact == HD_HARMFUL) {
        return hd_verdicts_print_string(self->session->doc, "an outcome that no serial execution has%s%s",
                                        question->together
                                            ? " (in which whatever is confirmed here runs as one step)"
                                            : "",
                                        brief(self, ": ", entry->evidence.outcome));
    }
    return entry->impact == HD_BENIGN
               ? "not serializable, but every outcome seen is one of a serial execution"
               : "an execution is not serializable";
}

static const char *between_reason(const struct hd_questions *self,
                                  const struct hd_question *question,
                                  const struct hd_verdict_warning *entry) {
    static const char so[] = "another thread came in between";
    if (hd_question_fails(self, question)) {
        return fails_alike(self, question)
                   ? "another thread came in between, and the program failed; but so it does without that"
                   : "another thread came in between, and the program failed";
    }
    if (entry->impact == HD_HARMFUL) {
        return hd_verdicts_print_string(
            self->session->doc, "%s; without that no execution has this outcome%s", so,
            brief(self, ": ", entry->evidence.outcome));
    }
    return entry->impact == HD_BENIGN
               ? "another thread came in between; every outcome seen is also seen without that"
               : so;
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
    case HD_GUARD:
        return entry->impact == HD_IMPACT_NONE
                   ? "the lock that was declared was not held; what comes of that, a race on it says"
                   : "the lock that was declared was not held";
    default: return between_reason(self, question, entry);
    }
}

/* ---- verdicts --------------------------------------------------------------------------- */

/* Rule (5): it failed in the sight of the half-done transaction, as no serial one does. Where
 * the cycle was seen, too, the execution that shows it is kept. */
static void accept_half(const struct hd_questions *self, struct hd_question *question) {
    bool seen = question->happened, fails = hd_question_fails(self, question);
    for (uint32_t i = 0; i < question->half_count; i++) {
        struct hd_half *half = &question->half[i];
        if (hd_outcomes_has(&question->without, half->outcome)) continue;
        question->by_half = !fails;
        question->failed = true;
        hd_outcomes_put(&question->with, half->outcome);
        hd_outcomes_put(&question->failures, half->failure);
        if (seen) continue;
        question->happened += half->executions;
        hd_sights_note(&question->sights, half->schedule, half->outcome, false);
    }
}

static void decide(struct hd_questions *self, struct hd_question *question, bool complete,
                   uint64_t executions, uint64_t distinct) {
    struct hd_verdicts *doc = self->session->doc;
    struct hd_verdict_warning *entry = &doc->warnings[question->entry];
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
        entry->impact = hd_question_impact(self, question, entry);
        list_serial(self, question, &entry->evidence);
        struct hd_sight *kept = hd_question_sight(self, question, entry);
        question->kept = kept->outcome;
        entry->evidence.outcome = self->outcomes[kept->outcome];
        entry->evidence.schedule = kept->schedule;
        hd_question_show(self, question, entry, kept->schedule);
        kept->schedule = NULL;
        entry->evidence.found = question->found;
        entry->evidence.found_by = question->found_by;
    } else {
        entry->evidence.distinct_traces = distinct;
    }
    entry->evidence.reason = hd_verdicts_string(
        doc, question->by_half ? "the program failed while the transaction was half done, which no serial "
                    "execution shows"
                  : reason_of(self, question, entry));
}

/* The parts of a high-level race are guessed to belong together because another thread uses
 * them so. Different calls of whatever functions, and nothing comes of it: then nothing
 * speaks for it, and every queue with a flag beside it would be accused. */
static void hush(struct hd_questions *self, struct hd_question *question) {
    struct hd_verdicts *doc = self->session->doc;
    struct hd_verdict_warning *entry = &doc->warnings[question->entry];
    if (question->kind != HD_HIGH_LEVEL_RACE || question->one_call) return;
    bool only = entry->evidence.exhaustive && self->outcome_count == 1 && !self->outcome_failed[0];
    if (entry->verdict != HD_CONFIRMED || (entry->impact != HD_BENIGN && !only)) return;
    char claim[512];
    hd_say_claim(entry, claim, sizeof claim);
    entry->quiet = true;
    hd_verdicts_note(doc, "%s: no one call does both, and no outcome %scomes of it", claim,
                     entry->evidence.exhaustive ? "" : "that was seen ");
}

static bool meet(const struct hd_outcomes *one, const struct hd_outcomes *other) {
    for (uint32_t i = 0; i < one->count; i++) {
        if (hd_outcomes_has(other, one->list[i])) return true;
    }
    return false;
}

/* The failure is that of these outcomes: of what does it come? Of what shows its harm by
 * one of them, or else of what happened with one. */
static void explain_exit(struct hd_questions *self, const struct hd_outcomes *outcomes,
                         uint32_t failure) {
    bool shown = false;
    for (int round = 0; round < 2 && !shown; round++) {
        for (size_t i = 0; i < self->count; i++) {
            struct hd_question *question = &self->list[i];
            if (!question->happened || !meet(&question->with, outcomes)) continue;
            if (round == 0 && !hd_outcomes_has(outcomes, question->kept)) continue;
            hd_outcomes_put(&question->failures, failure);
            shown = shown || self->session->doc->warnings[question->entry].impact == HD_HARMFUL;
        }
    }
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
        explain_exit(self, &self->exits[i].outcomes, (uint32_t)(failure - doc->failures));
    }
}

void hd_questions_decide(struct hd_questions *self, bool complete, uint64_t executions,
                         uint64_t distinct) {
#ifdef HD_SABOTAGE_REFUTE /* tests/test_sabotage.sh: the suite must notice */
    complete = true;
#endif
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        if (complete) accept_half(self, question);
    }
    for (size_t i = 0; i < self->count; i++) {
        self->list[i].together = hd_question_together(self, &self->list[i], complete);
        hd_question_one_way(self, &self->list[i]);
    }
    for (size_t i = 0; i < self->count; i++) {
        decide(self, &self->list[i], complete, executions, distinct);
        hush(self, &self->list[i]);
    }
    list_exits(self);
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        hd_verdicts_outcome(self->session->doc, self->outcomes[i], self->outcome_executions[i]);
    }
}
