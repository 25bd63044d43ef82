/* question.c - from warnings to questions, and from what happened to verdicts. */
#include "question.h"

#include "identity.h"
#include "say.h"
#include "torn.h"
#include "warning_fill.h"

#include <stdlib.h>
#include <string.h>

static void *grown(void *list, size_t count, size_t size) {
    void *more = realloc(list, (count ? count * 2 : 16) * size);
    if (!more) abort();
    return more;
}

static void put(struct hd_outcomes *set, uint32_t outcome);

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

/* A place in one particular thread. */
static uint64_t side_of(const struct hd_trace *trace, uint32_t site, uint32_t thread) {
    uint64_t who = 0;
    for (const char *c = hd_trace_thread(trace, thread); *c; c++) {
        who = who * 31 + (unsigned char)*c;
    }
    return hd_identity_mix(hd_identity_site(trace, site), who);
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
    for (uint32_t i = 0; warning->kind == HD_DETERMINISM && i < 2; i++) {
        question->pair[i] = side_of(trace, warning->accesses[i].site, warning->accesses[i].thread);
    }
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
            /* In all executions so far it did not happen, or somebody had asked. */
            for (uint32_t k = 0; k < self->outcome_count; k++) put(&question->without, k);
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

/* An access that was seen while some thread was between its two parts. */
struct crossing {
    uint64_t variable;
    uint16_t thread;
    bool write;
};

struct between {
    bool inside;
    uint64_t variable; /* of the first part */
    bool write;
    struct crossing list[32];
    uint32_t count;
};

/* Some thread's accesses since the first part conflict with both parts: it saw
 * the one done and the other not, or changed what the one had read. */
static bool crossed(const struct between *self, uint64_t variable, bool write) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct crossing *a = &self->list[i];
        if (a->variable != self->variable || !(a->write || self->write)) continue;
        for (uint32_t k = 0; k < self->count; k++) {
            const struct crossing *b = &self->list[k];
            if (b->thread == a->thread && b->variable == variable && (b->write || write)) return true;
        }
    }
    return false;
}

static bool is_between(const struct hd_question *question, uint64_t place) {
    for (uint32_t k = 0; k < question->between_count; k++) {
        if (place == question->between[k]) return true;
    }
    return false;
}

enum came { NOT_BETWEEN, TORN, BETWEEN };

/* Did another thread come in between the two parts, and was it observed? Torn:
 * that thread (`failing`, or NULL) ended the program before the second part. */
static enum came came_between(const struct hd_question *question, struct hd_trace *trace,
                              const char *failing, struct hd_error *err) {
    enum { THREADS = 64 };
    struct between *threads = calloc(THREADS, sizeof *threads);
    size_t count;
    const struct hd_event *events;
    bool result = false;
    if (!threads) abort();
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) {
            const struct hd_event *event = &events[i];
            if (!hd_kind_is_access(event->kind) || event->thread >= THREADS) continue;
            uint64_t place = hd_identity_site(trace, event->site);
            uint32_t n;
            uint64_t variable = hd_identity_variable(
                trace, hd_trace_variable_granules(trace, event->obj, &n)[0]);
            bool write = hd_kind_writes(event->kind);
            struct between *mine = &threads[event->thread];
            for (int t = 0; is_between(question, place) && t < THREADS; t++) {
                struct between *other = &threads[t];
                if (t == event->thread || !other->inside || other->count == 32) continue;
                other->list[other->count++] = (struct crossing){variable, event->thread, write};
            }
            if (place == question->parts[1] && mine->inside && crossed(mine, variable, write)) {
                result = true;
            }
            if (place == question->parts[0]) {
                mine->inside = true;
                mine->variable = variable;
                mine->write = write;
                mine->count = 0;
            } else if (place == question->parts[1]) {
                mine->inside = false;
            }
        }
    }
    bool torn = false;
    for (int t = 0; failing && t < THREADS; t++) {
        for (uint32_t i = 0; threads[t].inside && i < threads[t].count; i++) {
            const struct crossing *a = &threads[t].list[i];
            torn = torn || (a->variable == threads[t].variable && (a->write || threads[t].write) &&
                            strcmp(hd_trace_thread(trace, a->thread), failing) == 0);
        }
    }
    free(threads);
    return result ? BETWEEN : torn ? TORN : NOT_BETWEEN;
}

/* Which of the pair came first in this execution? -1: not both happened. */
static int first_of(const struct hd_question *question, struct hd_trace *trace,
                    struct hd_error *err) {
    uint64_t at[2] = {UINT64_MAX, UINT64_MAX}, seq = 0;
    size_t count;
    const struct hd_event *events;
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++, seq++) {
            if (events[i].site == HD_NO_ID) continue;
            uint64_t side = side_of(trace, events[i].site, events[i].thread);
            for (int k = 0; k < 2; k++) {
                if (side == question->pair[k] && at[k] == UINT64_MAX) at[k] = seq;
            }
        }
    }
    if (at[0] == UINT64_MAX || at[1] == UINT64_MAX) return -1;
    return at[0] < at[1] ? 0 : 1;
}

/* Determinism: both orders of the pair have been seen when the second one is;
 * a cycle is seen in the trace itself. */
static bool judge_determinism(struct hd_questions *self, struct hd_question *question,
                              struct hd_trace *trace, uint32_t outcome, struct hd_error *err) {
    if (!question->cycle) {
        int first = first_of(question, trace, err);
        if (first < 0) return false;
        put(&question->first[first], outcome);
        return question->first[0].count && question->first[1].count;
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

static void judge_race(struct hd_question *question, const struct hd_trace *trace,
                       const struct hd_warning *warning, uint32_t outcome) {
    uint64_t side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = side_of(trace, warning->accesses[i].site, warning->accesses[i].thread);
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

/* Something happened that no question is about. */
static bool strangers(struct hd_questions *self, const struct hd_report *report) {
    for (uint32_t k = 0; k < hd_report_count(report); k++) {
        const struct hd_warning *warning = hd_report_warning(report, k);
        if (!find(self, hd_identity_warning(hd_report_front(report), hd_report_trace(report),
                                            warning))) {
            return true;
        }
    }
    return false;
}

static void count_exit(struct hd_questions *self, const struct hd_ending *ending) {
    if (ending->failure) return;
    if (ending->status == 0) {
        self->zero = true;
        return;
    }
    for (uint32_t i = 0; i < self->exit_count; i++) {
        if (self->exits[i].status == ending->status) {
            self->exits[i].executions++;
            return;
        }
    }
    if (self->exit_count == 16) return;
    self->exits[self->exit_count++] =
        (struct hd_exit_seen){ending->status, 1, copy_schedule(ending->schedule)};
}

int hd_questions_judge(struct hd_questions *self, const char *trace_path,
                       const struct hd_ending *ending, bool accept, struct hd_error *err) {
    int rc = -1;
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_open(trace_path, err);
    struct hd_check_options how = {HD_JUDGES, self->session->options->transactions, 0};
    if (!trace || hd_check(trace, &how, &report, err) < 0) goto out;
    if (!accept && strangers(self, report)) {
        rc = 1;
        goto out;
    }
    self->judged++;
    count_exit(self, ending);
    struct hd_torn torn = {0};
    /* A deadlock is no half-done work: it stands still by itself. */
    bool dies = ending->failure && ending->thread && strcmp(ending->failure, "deadlock") != 0;
    if (dies &&
        hd_torn_find(&torn, trace, self->session->options->transactions, ending->thread, err) < 0) {
        goto out;
    }
    uint32_t outcome = outcome_number(self, ending);
    struct hd_verdict_failure *failure = hd_session_failure(self->session, ending);
    const char *message = hd_session_text(self->session, ending->message);
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        bool did = false, half = false;
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
        } else if (question->kind == HD_DETERMINISM) {
            did = judge_determinism(self, question, trace, outcome, err);
        } else {
            enum came came =
                came_between(question, trace, dies ? ending->thread : NULL, err);
            did = came == BETWEEN;
            half = came == TORN;
        }
        if (did) {
            happened(self, question, ending, outcome, nearness);
            if (failure && !failure->warning) failure->warning = (const char *)question;
        } else if (half || (question->kind == HD_ATOMICITY &&
                            hd_torn_has(&torn, question->identity))) {
            if (!question->torn) {
                question->torn = copy_schedule(ending->schedule);
                question->torn_outcome = outcome;
            }
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
    } else if (question->kind == HD_RACE ||
               (question->kind == HD_DETERMINISM && !question->cycle)) {
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
    case HD_DETERMINISM:
        return question->cycle ? "the cycle occurred in an execution"
               : entry->impact == HD_HARMFUL
                   ? "the two operations ran in both orders, with different outcomes"
                   : "the two operations ran in both orders, with the same outcomes";
    default: return "another thread came in between";
    }
}

void hd_questions_decide(struct hd_questions *self, bool complete, uint64_t executions) {
    struct hd_verdicts *doc = self->session->doc;
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[i];
        struct hd_verdict_warning *entry = &doc->warnings[question->entry];
        bool torn = question->torn && !question->happened;
        if (torn && complete && !has(&question->without, question->torn_outcome)) {
            question->happened = 1;
            question->failed = true;
            question->schedule = question->torn;
            question->torn = NULL;
            question->outcome = self->outcomes[question->torn_outcome];
        }
        entry->checkers =
            hd_verdicts_strings(doc, question->checkers, question->checker_count);
        entry->checker_count = question->checker_count;
        entry->score = 2 * (int64_t)question->checker_count + question->has_write;
        entry->verdict = question->happened          ? HD_CONFIRMED
                         : complete && !question->torn ? HD_REFUTED
                                                       : HD_UNDECIDED;
        entry->evidence.executions = question->happened ? question->happened : executions;
        if (question->happened) {
            impact_of(self, question, entry, complete);
            entry->evidence.outcome = question->outcome;
            entry->evidence.schedule = question->schedule;
            question->schedule = NULL;
        } else {
            entry->evidence.exhaustive = complete;
        }
        entry->evidence.reason = hd_verdicts_string(
            doc, torn && question->happened
                     ? "the program failed while the transaction was half done, which no serial "
                       "execution shows"
                     : reason_of(question, entry));
    }
    for (uint32_t i = 0; self->zero && i < self->exit_count; i++) {
        struct hd_verdict_failure *failure = hd_verdicts_failure(doc);
        failure->kind = HD_FAILURE_EXIT;
        failure->message = hd_verdicts_print_string(
            doc, "exit status %d, other executions end with 0", self->exits[i].status);
        failure->executions = self->exits[i].executions;
        failure->schedule = self->exits[i].schedule;
        self->exits[i].schedule = NULL;
    }
    for (uint32_t i = 0; i < self->outcome_count; i++) {
        hd_verdicts_outcome(doc, self->outcomes[i], self->outcome_executions[i]);
    }
}

void hd_questions_free(struct hd_questions *self) {
    for (size_t i = 0; i < self->count; i++) {
        hd_schedule_free(self->list[i].schedule);
        hd_schedule_free(self->list[i].torn);
        free(self->list[i].with.list);
        free(self->list[i].without.list);
        free(self->list[i].first[0].list);
        free(self->list[i].first[1].list);
    }
    for (uint32_t i = 0; i < self->exit_count; i++) hd_schedule_free(self->exits[i].schedule);
    free(self->list);
    free(self->outcomes);
    free(self->outcome_executions);
    free(self->outcome_failed);
}
