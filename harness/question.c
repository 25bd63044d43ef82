/* question.c - from warnings to questions, and from what happened to verdicts. */
#include "question.h"

#include "identity.h"
#include "say.h"
#include "warning_fill.h"

#include <stdlib.h>
#include <string.h>

static void *grown(void *list, size_t count, size_t size) {
    void *more = realloc(list, (count ? count * 2 : 16) * size);
    if (!more) abort();
    return more;
}

/* ---- warnings -------------------------------------------------------------------- */

static struct hd_question *find(struct hd_questions *self, uint64_t identity) {
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

static void note_places(struct hd_question *question, const struct hd_report *report,
                        const struct hd_warning *warning) {
    const struct hd_trace *trace = hd_report_trace(report);
    uint32_t parts = 0;
    for (uint32_t i = 0; i < warning->access_count; i++) {
        const struct hd_access *access = &warning->accesses[i];
        uint64_t place = hd_identity_site(trace, access->site);
        if (hd_kind_writes(access->kind)) question->has_write = true;
        if (access->thread == warning->accesses[0].thread && parts < 2) {
            question->parts[parts++] = place;
        } else if (question->between_count < 8) {
            question->between[question->between_count++] = place;
        }
    }
    if (warning->kind != HD_DEADLOCK) return;
    for (uint32_t i = 0; i < warning->access_count && i < 8; i++) {
        hd_front_lock_name(hd_report_front(report), warning->accesses[i].obj,
                           question->locks[question->lock_count++], 128);
    }
}

int hd_questions_add(struct hd_questions *self, const char *trace_path, struct hd_error *err) {
    int rc = -1;
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_open(trace_path, err);
    const struct hd_options *options = self->session->options;
    struct hd_check_options how = {options->checkers, options->transactions, 0};
    if (!trace || hd_check(trace, &how, &report, err) < 0) goto out;
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        hd_verdicts_note(self->session->doc, "%s", hd_report_note(report, i));
    }
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *warning = hd_report_warning(report, i);
        uint64_t identity = hd_identity_warning(hd_report_front(report), trace, warning);
        struct hd_question *question = find(self, identity);
        if (!question) {
            if (self->count == self->room) {
                self->list = grown(self->list, self->room, sizeof *self->list);
                self->room = self->room ? self->room * 2 : 16;
            }
            question = &self->list[self->count++];
            *question = (struct hd_question){.identity = identity, .kind = warning->kind,
                                             .nearness = UINT64_MAX};
            struct hd_verdicts *doc = self->session->doc;
            question->entry = doc->warning_count;
            hd_warning_fill(doc, hd_verdicts_warning(doc), report, warning);
            note_places(question, report, warning);
        }
        agree(question, warning->checker);
    }
    rc = 0;

out:
    hd_report_free(report);
    hd_trace_free(trace);
    return rc;
}

/* ---- sets of outcomes ------------------------------------------------------------- */

static bool has(const struct hd_outcomes *set, uint32_t outcome) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->list[i] == outcome) return true;
    }
    return false;
}

static void put(struct hd_outcomes *set, uint32_t outcome) {
    if (has(set, outcome)) return;
    if (set->count == set->room) {
        set->list = grown(set->list, set->room, sizeof *set->list);
        set->room = set->room ? set->room * 2 : 16;
    }
    set->list[set->count++] = outcome;
}

static bool within(const struct hd_outcomes *set, const struct hd_outcomes *other) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (!has(other, set->list[i])) return false;
    }
    return true;
}

static uint32_t outcome_number(struct hd_questions *self, const struct hd_ending *ending) {
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

/* ---- what happened in one execution ------------------------------------------------- */

static struct hd_schedule *copy_schedule(const struct hd_schedule *from) {
    struct hd_schedule *to = hd_schedule_new();
    for (size_t i = 0; to && i < from->step_count; i++) {
        hd_schedule_step(to, from->threads[from->steps[i].thread], from->steps[i].events, NULL);
    }
    for (size_t i = 0; to && i < from->value_count; i++) {
        hd_schedule_value(to, from->values[i], NULL);
    }
    return to;
}

static void happened(struct hd_questions *self, struct hd_question *question,
                     const struct hd_ending *ending, uint32_t outcome, uint64_t nearness) {
    bool failed = ending->failure != NULL;
    bool better = !question->schedule || (failed && !question->failed) ||
                  (failed == question->failed && nearness < question->nearness);
    question->happened++;
    put(&question->with, outcome);
    if (better) {
        hd_schedule_free(question->schedule);
        question->schedule = copy_schedule(ending->schedule);
        question->outcome = self->outcomes[outcome];
        question->nearness = nearness;
    }
    question->failed = question->failed || failed;
}

/* A deadlock of just these locks: the message names what everybody waits for. */
static bool stuck_on(const struct hd_question *question, const char *message) {
    for (uint32_t i = 0; i < question->lock_count; i++) {
        char pattern[160];
        snprintf(pattern, sizeof pattern, " %s at ", question->locks[i]);
        if (!strstr(message, pattern)) return false;
    }
    return question->lock_count > 0;
}

/* Did another thread come in between the two parts? */
static bool came_between(const struct hd_question *question, struct hd_trace *trace,
                         bool *orders, struct hd_error *err) {
    size_t count;
    const struct hd_event *events;
    enum { THREADS = 256 };
    bool inside[THREADS] = {false}, crossed[THREADS] = {false};
    bool result = false, first_seen = false, second_seen = false;
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) {
            const struct hd_event *event = &events[i];
            if (!hd_kind_is_access(event->kind) || event->thread >= THREADS) continue;
            uint64_t place = hd_identity_site(trace, event->site);
            for (uint32_t k = 0; k < question->between_count; k++) {
                if (place != question->between[k]) continue;
                for (int t = 0; t < THREADS; t++) {
                    if (t != event->thread && inside[t]) crossed[t] = true;
                }
                if (!first_seen) second_seen = true;
            }
            if (place == question->parts[0]) {
                inside[event->thread] = true;
                crossed[event->thread] = false;
                if (!second_seen) first_seen = true;
            }
            if (place == question->parts[1] && inside[event->thread]) {
                if (crossed[event->thread]) result = true;
                if (question->parts[1] != question->parts[0]) inside[event->thread] = false;
            }
        }
    }
    *orders = first_seen;
    return result;
}

static void judge_race(struct hd_question *question, const struct hd_trace *trace,
                       const struct hd_warning *warning, uint32_t outcome) {
    uint64_t side[2];
    for (int i = 0; i < 2; i++) {
        const struct hd_access *access = &warning->accesses[i];
        uint64_t who = 0;
        for (const char *c = hd_trace_thread(trace, access->thread); *c; c++) {
            who = who * 31 + (unsigned char)*c;
        }
        side[i] = hd_identity_mix(hd_identity_site(trace, access->site), who);
    }
    if (!question->pair[0] && !question->pair[1]) {
        question->pair[0] = side[0];
        question->pair[1] = side[1];
    }
    if (side[0] == question->pair[0] && side[1] == question->pair[1]) {
        put(&question->first[0], outcome);
    } else if (side[0] == question->pair[1] && side[1] == question->pair[0]) {
        put(&question->first[1], outcome);
    }
}

int hd_questions_judge(struct hd_questions *self, const char *trace_path,
                       const struct hd_ending *ending, struct hd_error *err) {
    int rc = -1;
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_open(trace_path, err);
    struct hd_check_options how = {"velodrome:lock-edges=boundary,races:algorithm=hb",
                                   self->session->options->transactions, 0};
    if (!trace || hd_check(trace, &how, &report, err) < 0) goto out;
    self->judged++;
    if (ending->status == 0 && !ending->failure) self->zero = true;
    uint32_t outcome = outcome_number(self, ending);
    struct hd_verdict_failure *failure = hd_session_failure(self->session, ending);
    const char *message = hd_session_text(self->session, ending->message);
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        bool did = false;
        uint64_t nearness = ending->schedule->step_count;
        if (question->kind == HD_DEADLOCK) {
            did = ending->failure && strcmp(ending->failure, "deadlock") == 0 &&
                  stuck_on(question, message);
        } else if (question->kind == HD_ATOMICITY || question->kind == HD_RACE) {
            for (uint32_t k = 0; k < hd_report_count(report) && !did; k++) {
                const struct hd_warning *warning = hd_report_warning(report, k);
                if (warning->kind != question->kind) continue;
                did = hd_identity_warning(hd_report_front(report), trace, warning) ==
                      question->identity;
                if (did && question->kind == HD_RACE && warning->access_count >= 2) {
                    judge_race(question, trace, warning, outcome);
                    uint64_t a = warning->accesses[0].seq, b = warning->accesses[1].seq;
                    nearness = a < b ? b - a : a - b;
                }
            }
        } else {
            bool first;
            did = came_between(question, trace, &first, err);
        }
        if (did) {
            happened(self, question, ending, outcome, nearness);
            if (failure && !failure->warning) failure->warning = (const char *)question;
        } else {
            put(&question->without, outcome);
        }
    }
    rc = 0;

out:
    hd_report_free(report);
    hd_trace_free(trace);
    return rc;
}

/* ---- verdicts ----------------------------------------------------------------------- */

static void impact_of(const struct hd_questions *self, struct hd_question *question,
                      struct hd_verdict_warning *entry, bool complete) {
    struct hd_verdicts *doc = self->session->doc;
    const struct hd_outcomes *serial = &question->without;
    entry->evidence.exhaustive = complete;
    if (question->failed || question->kind == HD_DEADLOCK) {
        entry->impact = HD_HARMFUL;
    } else if (question->kind == HD_RACE) {
        const struct hd_outcomes *a = &question->first[0], *b = &question->first[1];
        if (a->count && b->count && !(within(a, b) && within(b, a))) {
            entry->impact = complete ? HD_HARMFUL : HD_IMPACT_NONE;
        } else if (a->count && b->count) {
            entry->impact = HD_BENIGN;
        } else {
            entry->impact = complete && within(&question->with, serial) ? HD_BENIGN : HD_IMPACT_NONE;
        }
    } else if (serial->count == 0) {
        entry->impact = HD_IMPACT_NONE;
    } else if (within(&question->with, serial)) {
        entry->impact = HD_BENIGN;
    } else {
        entry->impact = complete ? HD_HARMFUL : HD_IMPACT_NONE;
        for (uint32_t i = 0; i < question->with.count; i++) {
            if (!has(serial, question->with.list[i])) {
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

static const char *reason_of(const struct hd_question *question,
                             const struct hd_verdict_warning *entry) {
    if (entry->verdict == HD_REFUTED) {
        return "the search was complete: no interleaving of this program with this input shows it";
    }
    if (entry->verdict == HD_UNDECIDED) return "the budget ended before every interleaving was seen";
    switch (question->kind) {
    case HD_RACE:
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
    default: return "another thread came in between";
    }
}

void hd_questions_decide(struct hd_questions *self, bool complete, uint64_t executions) {
    struct hd_verdicts *doc = self->session->doc;
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        struct hd_verdict_warning *entry = &doc->warnings[question->entry];
        entry->checkers =
            hd_verdicts_strings(doc, question->checkers, question->checker_count);
        entry->checker_count = question->checker_count;
        entry->score = 2 * (int64_t)question->checker_count + question->has_write;
        entry->verdict = question->happened ? HD_CONFIRMED : complete ? HD_REFUTED : HD_UNDECIDED;
        entry->evidence.executions = question->happened ? question->happened : executions;
        if (question->happened) {
            impact_of(self, question, entry, complete);
            entry->evidence.outcome = question->outcome;
            entry->evidence.schedule = question->schedule;
            question->schedule = NULL;
        } else {
            entry->evidence.exhaustive = complete;
        }
        entry->evidence.reason = hd_verdicts_string(doc, reason_of(question, entry));
    }
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        hd_verdicts_outcome(doc, self->outcomes[i], self->outcome_executions[i]);
    }
}

void hd_questions_free(struct hd_questions *self) {
    for (size_t i = 0; i < self->count; i++) {
        hd_schedule_free(self->list[i].schedule);
        free(self->list[i].with.list);
        free(self->list[i].without.list);
        free(self->list[i].first[0].list);
        free(self->list[i].first[1].list);
    }
    free(self->list);
    free(self->outcomes);
    free(self->outcome_executions);
    free(self->outcome_failed);
}
