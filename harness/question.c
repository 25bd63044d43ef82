/* question.c - from warnings to questions. */
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

/* A high-level race at the same places, or of the same variables in the same functions. */
static struct hd_question *find_parts(struct hd_questions *self, uint64_t parts) {
    for (size_t i = 0; i < self->count; i++) {
        for (uint32_t k = 0; k < self->list[i].part_count; k++) {
            if (self->list[i].parts[k] == parts) return &self->list[i];
        }
    }
    return NULL;
}

static void note_parts(struct hd_question *question, uint64_t parts) {
    for (uint32_t k = 0; k < question->part_count; k++) {
        if (question->parts[k] == parts) return;
    }
    if (question->part_count < 8) question->parts[question->part_count++] = parts;
}

static unsigned kinds_of(const char *checkers) {
    static const struct {
        const char *checker;
        enum hd_warning_kind kind;
    } raises[] = {
        {"blocks", HD_ATOMICITY},       {"reduction", HD_ATOMICITY},
        {"reduction-online", HD_ATOMICITY}, {"velodrome", HD_ATOMICITY},
        {"races", HD_RACE},             {"determinism", HD_DETERMINISM},
        {"deadlock", HD_DEADLOCK},      {"views", HD_HIGH_LEVEL_RACE},
        {"transactions", HD_HIGH_LEVEL_RACE}, {"stale", HD_STALE_VALUE},
        {"guards", HD_GUARD},
    };
    unsigned kinds = 0;
    while (*checkers) {
        size_t length = strcspn(checkers, ",:"), whole = strcspn(checkers, ",");
        for (size_t i = 0; i < sizeof raises / sizeof *raises; i++) {
            if (strlen(raises[i].checker) == length &&
                strncmp(raises[i].checker, checkers, length) == 0) {
                kinds |= 1U << raises[i].kind;
            }
        }
        checkers += whole + (checkers[whole] == ',');
    }
    return kinds;
}

bool hd_questions_want(struct hd_questions *self, enum hd_warning_kind kind) {
    const char *checkers = self->session->options->checkers;
    if (!self->kinds) self->kinds = checkers ? kinds_of(checkers) : ~0U;
    return self->kinds & 1U << kind;
}

static void agree(struct hd_question *question, const char *checker) {
    for (uint32_t i = 0; i < question->checker_count; i++) {
        if (strcmp(question->checkers[i], checker) == 0) return;
    }
    if (question->checker_count < 8) question->checkers[question->checker_count++] = checker;
}

/* Agreement of checkers counts most, then what the trace says of the variable. */
int64_t hd_question_score(const struct hd_question *question) {
    return HD_SCORE_AGREEMENT * (int64_t)question->checker_count + question->score;
}

/* The first two accesses of the warning are a pair whose orders are compared. */
static void ask(struct hd_question *question, const struct hd_trace *trace,
                const struct hd_warning *pair) {
    const struct hd_access *a = &pair->accesses[0], *b = &pair->accesses[1];
    hd_orders_ask(&question->orders, hd_side_of(trace, a->site, a->thread),
                  hd_side_of(trace, b->site, b->thread));
}

static void note_places(struct hd_question *question, const struct hd_report *report,
                        const struct hd_warning *warning) {
    const struct hd_trace *trace = hd_report_trace(report);
    if (warning->kind == HD_RACE && warning->access_count) {
        question->variable = hd_identity_variable(trace, warning->accesses[0].obj);
    }
    question->cycle = warning->kind == HD_DETERMINISM && warning->access_count > 2;
    if (warning->kind != HD_DEADLOCK) return;
    for (uint32_t i = 0; i < warning->access_count && i < 8; i++) {
        if (warning->accesses[i].kind == HD_JOIN) { /* of a thread */
            question->circle.joins = true;
            continue;
        }
        question->circle.locks[question->circle.lock_count++] =
            hd_identity_lock(trace, warning->accesses[i].obj);
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
    hd_strangers_meet(&self->session->strangers, report);
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *warning = hd_report_warning(report, i);
        if (!hd_questions_want(self, warning->kind)) continue;
        uint64_t identity = hd_identity_warning(hd_report_front(report), trace, warning);
        struct hd_question *question = hd_question_find(self, identity);
        bool apart = warning->kind == HD_HIGH_LEVEL_RACE;
        uint64_t parts = apart ? hd_identity_parts(trace, warning) : 0;
        if (!question && apart) question = find_parts(self, parts);
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
            if (warning->kind == HD_ATOMICITY) {
                self->atomicity_count++;
                hd_blame_free(&self->torn); /* whether this one was, nobody has noted */
            }
            if (warning->kind == HD_RACE) hd_blame_free(&self->blame); /* likewise */
            /* In all executions so far it did not happen, or somebody had asked. Whether a
             * transaction ran as one step in them, nobody had. */
            for (uint32_t k = 0; warning->kind != HD_ATOMICITY && k < self->outcome_count; k++) {
                hd_outcomes_put(&question->without, k);
            }
        }
        agree(question, warning->checker);
        if (apart) note_parts(question, parts);
        if (warning->kind == HD_DETERMINISM) ask(question, trace, warning);
        for (const struct hd_warning *w = warning; w && w->kind == HD_RACE; w = w->next_variant) {
            if (w->access_count >= 2) ask(question, trace, w);
        }
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
    int64_t x = hd_question_score(&self->list[a]), y = hd_question_score(&self->list[b]);
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

void hd_questions_free(struct hd_questions *self) {
    for (size_t i = 0; i < self->count; i++) {
        hd_sights_free(&self->list[i].sights);
        for (uint32_t k = 0; k < self->list[i].half_count; k++) {
            hd_schedule_free(self->list[i].half[k].schedule);
        }
        hd_plans_free(self->list[i].plans);
        hd_ways_free(&self->list[i].ways);
        free(self->list[i].with.list);
        free(self->list[i].without.list);
        free(self->list[i].failures.list);
        free(self->list[i].spared.list);
        hd_orders_free(&self->list[i].orders);
    }
    for (uint32_t i = 0; i < self->exit_count; i++) {
        hd_schedule_free(self->exits[i].schedule);
        free(self->exits[i].outcomes.list);
    }
    hd_twins_free(&self->twins);
    hd_blame_free(&self->blame);
    hd_blame_free(&self->torn);
    free(self->list);
    free(self->outcomes);
    free(self->outcome_executions);
    free(self->outcome_failed);
}
