/* question.c - from warnings to questions, and from what happened to verdicts. */
#define _GNU_SOURCE
#include "question.h"

#include "question_inner.h"

#include "identity.h"
#include "say.h"
#include "score.h"
#include "warning_fill.h"

#include <stdlib.h>
#include <string.h>

static void *grown(void *list, size_t count, size_t size) {
    void *more = realloc(list, (count ? count * 2 : 16) * size);
    if (!more) abort();
    return more;
}

/* ---- warnings -------------------------------------------------------------------- */

struct hd_question *hd_question_find(struct hd_questions *self, uint64_t identity) {
    for (size_t i = 0; i < self->count; i++) {
        if (self->list[i].identity == identity) return &self->list[i];
    }
    return NULL;
}

static void agree(struct hd_question *question, const char *checker) {
    for (uint32_t i = 0; i < question->checker_count; i++) {
        if (strcmp(question->checkers[i], checker) == 0) return;
    }
    if (question->checker_count < 8) question->checkers[question->checker_count++] = checker;
}

/* Agreement of checkers counts most, then what the trace says of the variable. */
static int64_t score_of(const struct hd_question *question) {
    return HD_SCORE_AGREEMENT * (int64_t)question->checker_count + question->score;
}

void hd_question_ask(struct hd_question *question, const struct hd_trace *trace,
                     const struct hd_warning *pair) {
    const struct hd_access *a = &pair->accesses[0], *b = &pair->accesses[1];
    hd_orders_ask(&question->orders, hd_side_of(trace, a->site, a->thread),
                  hd_side_of(trace, b->site, b->thread));
}

static void note_places(struct hd_question *question, const struct hd_report *report,
                        const struct hd_warning *warning) {
    const struct hd_trace *trace = hd_report_trace(report);
    if (warning->kind == HD_DETERMINISM) hd_question_ask(question, trace, warning);
    question->cycle = warning->kind == HD_DETERMINISM && warning->access_count > 2;
    if (warning->kind != HD_DEADLOCK) return;
    for (uint32_t i = 0; i < warning->access_count && i < 8; i++) {
        char room[128];
        const char *name = hd_front_lock_name(hd_report_front(report), warning->accesses[i].obj,
                                              room, sizeof room);
        snprintf(question->locks[question->lock_count++], 128, "%s", name);
    }
}

int hd_questions_add(struct hd_questions *self, const char *trace_path, const char *checkers,
                     struct hd_error *err) {
    int rc = -1;
    struct hd_report *report = NULL;
    struct hd_plan_book *book = NULL;
    struct hd_scores *scores = NULL;
    struct hd_trace *trace = hd_trace_open(trace_path, err);
    const struct hd_options *options = self->session->options;
    struct hd_check_options how = {checkers, options->transactions, 0};
    if (!trace || hd_check(trace, &how, &report, err) < 0) goto out;
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        hd_verdicts_note(self->session->doc, "%s", hd_report_note(report, i));
    }
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *warning = hd_report_warning(report, i);
        uint64_t identity = hd_identity_warning(hd_report_front(report), trace, warning);
        struct hd_question *question = hd_question_find(self, identity);
        if (!question) {
            if (self->count == self->room) {
                self->list = grown(self->list, self->room, sizeof *self->list);
                self->room = self->room ? self->room * 2 : 16;
            }
            question = &self->list[self->count++];
            *question = (struct hd_question){
                .identity = identity, .kind = warning->kind, .search = self->searches};
            question->plans = calloc(1, sizeof *question->plans);
            if (!question->plans) abort();
            struct hd_verdicts *doc = self->session->doc;
            question->entry = doc->warning_count;
            hd_warning_fill(doc, hd_verdicts_warning(doc), report, warning);
            note_places(question, report, warning);
            /* In all executions so far it did not happen, or somebody had asked. Whether a
             * transaction ran as one step in them, nobody had. */
            for (uint32_t k = 0; warning->kind != HD_ATOMICITY && k < self->outcome_count; k++) {
                hd_outcomes_put(&question->without, k);
            }
        }
        agree(question, warning->checker);
        if (warning->kind == HD_HIGH_LEVEL_RACE || warning->kind == HD_STALE_VALUE) {
            hd_ways_add(&question->ways, trace, warning);
        }
        if (!book) {
            book = hd_plan_book_new(trace, options->transactions, err);
            scores = hd_scores_new(trace, options->transactions, err);
            if (!book || !scores) goto out;
        }
        hd_plan_warning(question->plans, book, warning, identity);
        int64_t score = hd_scores_warning(scores, warning);
        if (score > question->score) question->score = score;
    }
    rc = 0;

out:
    hd_scores_free(scores);
    hd_plan_book_free(book);
    hd_report_free(report);
    hd_trace_free(trace);
    return rc;
}

bool hd_question_early(const struct hd_questions *self, const struct hd_question *question) {
    return question->search < self->finished;
}

bool hd_question_open(const struct hd_question *question) {
    return !question->happened || (question->kind == HD_RACE && !question->pending);
}

static int by_promise(const void *left, const void *right, void *argument) {
    const struct hd_questions *self = argument;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    int64_t x = score_of(&self->list[a]), y = score_of(&self->list[b]);
    return x != y ? (x > y ? -1 : 1) : a < b ? -1 : a > b;
}

size_t *hd_questions_ranked(const struct hd_questions *self) {
    size_t *order = malloc((self->count + 1) * sizeof *order);
    if (!order) abort();
    for (size_t i = 0; i < self->count; i++) order[i] = i;
    qsort_r(order, self->count, sizeof *order, by_promise, (void *)self);
    return order;
}

/* ---- outcomes --------------------------------------------------------------------- */

uint32_t hd_question_outcome_number(struct hd_questions *self, const struct hd_ending *ending) {
    const char *text = hd_session_outcome(self->session, ending);
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        if (strcmp(self->outcomes[i], text) == 0) {
            self->outcome_executions[i]++;
            return i;
        }
    }
    if (self->outcome_count == self->outcome_room) {
        self->outcomes = grown(self->outcomes, self->outcome_room, sizeof *self->outcomes);
        self->outcome_executions =
            grown(self->outcome_executions, self->outcome_room, sizeof(uint64_t));
        self->outcome_failed = grown(self->outcome_failed, self->outcome_room, sizeof(bool));
        self->outcome_room = self->outcome_room ? self->outcome_room * 2 : 16;
    }
    self->outcomes[self->outcome_count] = text;
    self->outcome_failed[self->outcome_count] = ending->failure != NULL;
    self->outcome_executions[self->outcome_count] = 1;
    return self->outcome_count++;
}

/* ---- verdicts ----------------------------------------------------------------------- */

/* Bit-fields that lie in the same bytes. A store to one of them reads and writes the others,
 * of which the compiler tells nothing: what comes in between is not tried. */
static bool shares_bits(const struct hd_verdict_warning *entry) {
    return entry->access_count && strstr(entry->accesses[0].variable, "{");
}

static void impact_of(const struct hd_questions *self, struct hd_question *question,
                      struct hd_verdict_warning *entry, bool complete) {
    struct hd_verdicts *doc = self->session->doc;
    const struct hd_outcomes *serial = &question->without;
    entry->evidence.exhaustive = complete;
    bool pair = question->kind == HD_RACE || (question->kind == HD_DETERMINISM && !question->cycle);
    bool both = pair && hd_orders_both(&question->orders);
    /* What fails in both orders of a race does not fail because of it. What is meant to be
     * deterministic must not fail now and then, whatever the order. */
    bool failed = question->failed && !(question->kind == HD_RACE && both && complete &&
                                        hd_orders_fail_alike(&question->orders));
    if (failed || question->kind == HD_DEADLOCK) {
        entry->impact = HD_HARMFUL;
    } else if (both && hd_orders_differ(&question->orders)) {
        entry->impact = complete ? HD_HARMFUL : HD_IMPACT_NONE;
    } else if (question->kind == HD_RACE && shares_bits(entry)) {
        entry->impact = HD_IMPACT_NONE;
    } else if (both) {
        entry->impact = HD_BENIGN;
    } else if (pair) {
        entry->impact = complete && hd_outcomes_within(&question->with, serial) ? HD_BENIGN : HD_IMPACT_NONE;
    } else if (serial->count == 0) {
        entry->impact = HD_IMPACT_NONE;
    } else if (hd_outcomes_within(&question->with, serial)) {
        entry->impact = HD_BENIGN;
    } else {
        entry->impact = complete ? HD_HARMFUL : HD_IMPACT_NONE;
        for (uint32_t i = 0; i < question->with.count; i++) {
            if (!hd_outcomes_has(serial, question->with.list[i])) {
                question->outcome = self->outcomes[question->with.list[i]];
                break;
            }
        }
    }
    entry->evidence.serial_outcomes =
        hd_verdicts_array(doc, serial->count + 1, sizeof *entry->evidence.serial_outcomes);
    for (uint32_t i = 0; i < serial->count && i < 64; i++) {
        entry->evidence.serial_outcomes[entry->evidence.serial_count++] =
            self->outcomes[serial->list[i]];
    }
}

static const char *undecided_reason(const struct hd_questions *self,
                                    const struct hd_question *question, bool complete) {
    if (question->doubtful && question->kind == HD_ATOMICITY) {
        return "an execution that is not serializable was too long to tell all transactions "
               "that it interrupts";
    }
    if (question->doubtful) {
        return "another thread changed the variable between the copy and its use; whether the use "
               "depends on the copy is not known";
    }
    if (question->torn && complete) {
        return "the program failed while it was half done, as it does in other executions too; what "
               "would have followed is not known";
    }
    const char *near = hd_question_near_text(self, question);
    return hd_verdicts_print_string(self->session->doc,
                                    "the budget ended before every interleaving was seen%s%s",
                                    near ? "; " : "", near ? near : "");
}

static const char *reason_of(const struct hd_questions *self, const struct hd_question *question,
                             const struct hd_verdict_warning *entry) {
    if (entry->verdict == HD_UNDECIDED) return undecided_reason(self, question, entry->evidence.exhaustive);
    if (entry->verdict == HD_REFUTED) {
        return "the search was complete: no interleaving of this program with this input shows it";
    }
    switch (question->kind) {
    case HD_RACE:
        if (!question->pending) {
            return "happens-before leaves the two accesses unordered; no execution was seen with "
                   "both pending at one moment, another race comes first";
        }
        if (entry->impact == HD_IMPACT_NONE && shares_bits(entry)) {
            return "happens-before leaves the two unordered; a store to a bit-field also writes back "
                   "the bits beside it, and what is lost by that is not seen";
        }
        return entry->impact == HD_BENIGN
                   ? "happens-before leaves the two unordered; both orders give the same outcomes, "
                     "but a data race is undefined behaviour in C"
                   : "happens-before leaves the two accesses unordered";
    case HD_DEADLOCK: return "the threads stood still, each holding what the next one wants";
    case HD_ATOMICITY:
        if (question->failed) return "in an execution that is not serializable the program failed";
        if (entry->impact == HD_HARMFUL) return "an outcome that no serial execution has";
        if (entry->impact == HD_BENIGN) {
            return "not serializable, but every outcome seen is one of a serial execution";
        }
        return "an execution is not serializable";
    case HD_DETERMINISM:
        return question->cycle ? "the cycle occurred in an execution"
               : entry->impact == HD_HARMFUL
                   ? "the two operations ran in both orders, with different outcomes"
                   : "the two operations ran in both orders, with the same outcomes";
    case HD_GUARD: return "the lock that was declared was not held";
    default: return "another thread came in between";
    }
}

void hd_questions_decide(struct hd_questions *self, bool complete, uint64_t executions,
                         uint64_t distinct) {
#ifdef HD_SABOTAGE_REFUTE /* tests/test_sabotage.sh: the suite must notice */
    complete = true;
#endif
    struct hd_verdicts *doc = self->session->doc;
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        struct hd_verdict_warning *entry = &doc->warnings[question->entry];
        bool torn = question->torn && !question->happened;
        if (torn && complete && !hd_outcomes_has(&question->without, question->torn_outcome)) {
            question->happened = 1;
            question->failed = true;
            hd_outcomes_put(&question->failures, question->torn_failure);
            question->schedule = question->torn;
            question->torn = NULL;
            question->outcome = self->outcomes[question->torn_outcome];
        }
        entry->checkers =
            hd_verdicts_strings(doc, question->checkers, question->checker_count);
        entry->checker_count = question->checker_count;
        entry->score = score_of(question);
        entry->verdict = question->happened          ? HD_CONFIRMED
                         : complete && !question->torn && !question->doubtful ? HD_REFUTED
                                                       : HD_UNDECIDED;
        entry->evidence.executions = question->happened ? question->happened : executions;
        if (question->happened) {
            impact_of(self, question, entry,
                      complete && !question->doubtful && hd_question_early(self, question));
            entry->evidence.outcome = question->outcome;
            entry->evidence.schedule = question->schedule;
            entry->evidence.found = question->found;
            entry->evidence.found_by = question->found_by;
            question->schedule = NULL;
        } else {
            entry->evidence.exhaustive = complete && !question->doubtful;
            entry->evidence.distinct_traces = distinct;
        }
        entry->evidence.reason = hd_verdicts_string(
            doc, torn && question->happened
                     ? "the program failed while the transaction was half done, which no serial "
                       "execution shows"
                     : reason_of(self, question, entry));
    }
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
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        hd_verdicts_outcome(doc, self->outcomes[i], self->outcome_executions[i]);
    }
}

void hd_questions_free(struct hd_questions *self) {
    for (size_t i = 0; i < self->count; i++) {
        hd_schedule_free(self->list[i].schedule);
        hd_schedule_free(self->list[i].torn);
        hd_plans_free(self->list[i].plans);
        hd_ways_free(&self->list[i].ways);
        free(self->list[i].with.list);
        free(self->list[i].without.list);
        free(self->list[i].failures.list);
        hd_orders_free(&self->list[i].orders);
    }
    for (uint32_t i = 0; i < self->exit_count; i++) hd_schedule_free(self->exits[i].schedule);
    free(self->list);
    free(self->outcomes);
    free(self->outcome_executions);
    free(self->outcome_failed);
}
