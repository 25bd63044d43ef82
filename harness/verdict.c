/* verdict.c - building the document, naming its entries, counting them. */
#include "verdict.h"

#include "checkers/arena.h"
#include "sched/trace/bug.h"
#include "suggest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

const char *const hd_failure_words[HD_FAILURE_KIND_COUNT] = {
    "assertion", "crash", "deadlock", "livelock", "exit", "misuse", "timeout"};
const char *const hd_verdict_words[HD_VERDICT_COUNT] = {"undecided", "confirmed",
                                                        "refuted"};

struct hd_verdicts *hd_verdicts_new(void) {
    struct hd_arena *arena = hd_arena_new();
    if (!arena) return NULL;
    struct hd_verdicts *doc = hd_arena_get(arena, sizeof *doc);
    doc->arena = arena;
    doc->path = doc->strategy = doc->ended_by = "";
    doc->transactions = "default";
    doc->isolate = "snapshot";
    return doc;
}

void hd_verdicts_free(struct hd_verdicts *doc) {
    if (!doc) return;
    for (size_t i = 0; i < doc->failure_count; i++)
        hd_schedule_free(doc->failures[i].schedule);
    for (size_t i = 0; i < doc->warning_count; i++) {
        hd_schedule_free(doc->warnings[i].evidence.schedule);
    }
    hd_arena_free(doc->arena);
}

const char *hd_verdicts_string(struct hd_verdicts *doc, const char *text) {
    return text ? hd_arena_string(doc->arena, text) : NULL;
}

static const char *print(struct hd_verdicts *doc, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = hd_arena_get(doc->arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

const char *hd_verdicts_print_string(struct hd_verdicts *doc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = print(doc, format, args);
    va_end(args);
    return text;
}

const char **hd_verdicts_strings(struct hd_verdicts *doc, const char *const *texts,
                                 size_t count) {
    const char **copy = hd_arena_array(doc->arena, count ? count : 1, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = hd_verdicts_string(doc, texts[i]);
    return copy;
}

void *hd_verdicts_array(struct hd_verdicts *doc, size_t count, size_t size) {
    return hd_arena_array(doc->arena, count ? count : 1, size);
}

struct hd_verdict_failure *hd_verdicts_failure(struct hd_verdicts *doc) {
    HD_ARENA_FIT(doc->arena, doc->failures, doc->failure_room, doc->failure_count);
    struct hd_verdict_failure *failure = &doc->failures[doc->failure_count++];
    failure->message = "";
    return failure;
}

struct hd_verdict_warning *hd_verdicts_warning(struct hd_verdicts *doc) {
    HD_ARENA_FIT(doc->arena, doc->warnings, doc->warning_room, doc->warning_count);
    struct hd_verdict_warning *warning = &doc->warnings[doc->warning_count++];
    warning->kind = warning->evidence.reason = "";
    return warning;
}

void hd_verdicts_outcome(struct hd_verdicts *doc, const char *outcome,
                         uint64_t executions) {
    HD_ARENA_FIT(doc->arena, doc->outcomes, doc->outcome_room, doc->outcome_count);
    doc->outcomes[doc->outcome_count++] =
        (struct hd_verdict_outcome){hd_verdicts_string(doc, outcome), executions};
}

void hd_verdicts_note(struct hd_verdicts *doc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = print(doc, format, args);
    va_end(args);
    for (size_t i = 0; i < doc->note_count; i++) {
        if (strcmp(doc->notes[i], text) == 0) return;
    }
    HD_ARENA_FIT(doc->arena, doc->notes, doc->note_room, doc->note_count);
    doc->notes[doc->note_count++] = text;
}

void hd_verdicts_bound(struct hd_verdicts *doc, const char *strategy) {
    static const char bounded[] = "bounded:";
    if (strncmp(strategy, bounded, sizeof bounded - 1) != 0) return;
    const char *most = strategy + sizeof bounded - 1;
    doc->bound = hd_verdicts_print_string(doc, "schedules with at most %s preemption%s", most,
                                          strcmp(most, "1") == 0 ? "" : "s");
}

/* ---- ids ---------------------------------------------------------------- */

#define NEXT 2654435761u /* from an id that is taken to the one to try then */

static uint64_t mix(uint64_t hash, const char *text) {
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (hash ^ 0xff) * UINT64_C(1099511628211); /* so that "ab","c" is not "a","bc" */
}

/* A heap object's number (`node#0.1:7.next`) counts allocations: that moves too, and so
 * does an offset in a stack. */
static uint64_t mix_variable(uint64_t hash, const char *variable) {
    char text[512];
    size_t used = 0;
    bool stack = variable && strncmp(variable, "stack(", 6) == 0;
    for (const char *at = variable ? variable : ""; *at && used < sizeof text - 1; at++) {
        if (stack && *at == '+') break;
        text[used++] = *at;
        if (*at != '#') continue;
        size_t number = strspn(at + 1, "0123456789.:");
        while (number && at[number] == '.')
            number--; /* that dot begins a member */
        at += number;
    }
    text[used] = '\0';
    return mix(hash, text);
}

static bool is(const struct hd_verdict_warning *warning, const char *kind) {
    return strcmp(warning->kind, kind) == 0;
}

/* A free is a write, as ids go. */
static const char *op_of(const struct hd_verdict_access *access) {
    return access->op && strcmp(access->op, "free") == 0 ? "write" : access->op;
}

/* Who does what to which variable, whoever comes first. */
static uint64_t about_all(const struct hd_verdict_warning *warning) {
    uint64_t sum = 0;
    for (size_t i = 0; i < warning->access_count; i++) {
        const struct hd_verdict_access *access = &warning->accesses[i];
        sum += mix(mix_variable(mix(1, op_of(access)), access->variable), access->place.function);
    }
    return sum;
}

/* What a warning is about: kind, transaction, pattern, and who does what to
 * which variable. Lines, threads and locks are left out: they move. Of a race it is
 * the variable alone: which of the pairs that race is shown, executions decide. */
static uint64_t about_warning(const struct hd_verdict_warning *warning) {
    uint64_t hash = mix(UINT64_C(14695981039346656037), warning->kind);
    if (is(warning, "race") && warning->access_count) {
        return mix(mix_variable(hash, warning->accesses[0].variable), warning->test);
    }
    if (is(warning, "deadlock") || is(warning, "determinism")) {
        return mix(hash, warning->test) + about_all(warning);
    }
    hash = mix(hash, warning->has_transaction ? warning->transaction.function : NULL);
    hash = mix(mix(hash, warning->pattern), warning->test);
    bool others = warning->raised != NULL;
    for (size_t i = 0; i < (others ? warning->raised_count : warning->access_count); i++) {
        const struct hd_verdict_access *access = &(others ? warning->raised : warning->accesses)[i];
        hash = mix(mix_variable(mix(hash, op_of(access)), access->variable),
                   access->place.function);
    }
    return hash;
}

static uint64_t about_failure(const struct hd_verdict_failure *failure) {
    uint64_t hash = mix(UINT64_C(14695981039346656037), hd_failure_words[failure->kind]);
    hash = mix(hash, failure->about ? failure->about : failure->message);
    return mix(hash, failure->test);
}

/* Of several about the same, the one on the first line has the id that it would have alone,
 * whichever was seen first. */
static uint64_t failure_hash(const struct hd_verdicts *doc, size_t which) {
    const struct hd_verdict_failure *self = &doc->failures[which];
    uint64_t hash = about_failure(self), before = 0;
    for (size_t i = 0; i < doc->failure_count; i++) {
        uint32_t line = doc->failures[i].location.line;
        bool earlier = line < self->location.line || (line == self->location.line && i < which);
        before += earlier && about_failure(&doc->failures[i]) == hash;
    }
    return hash + before * NEXT;
}

/* Five digits of the hash; the next five bits on for an id that is taken. */
static const char *name(struct hd_verdicts *doc, char letter, uint64_t hash,
                        const char *(*at)(const struct hd_verdicts *, size_t),
                        size_t before) {
    for (uint64_t try = 0;; try++) {
        const char *id = hd_verdicts_print_string(doc, "%c%05" PRIx64, letter,
                                                  (hash + try * NEXT) & 0xfffff);
        size_t i = 0;
        while (i < before && strcmp(at(doc, i), id) != 0)
            i++;
        if (i == before) return id;
    }
}

static const char *warning_id(const struct hd_verdicts *doc, size_t i) {
    return doc->warnings[i].id;
}
static const char *failure_id(const struct hd_verdicts *doc, size_t i) {
    return doc->failures[i].id;
}

void hd_verdicts_finish(struct hd_verdicts *doc) {
    struct hd_verdict_summary *sum = &doc->summary;
    memset(sum, 0, sizeof *sum);
    sum->failures = doc->failure_count;
    for (size_t i = 0; i < doc->failure_count; i++) {
        doc->failures[i].id = name(doc, 'F', failure_hash(doc, i), failure_id, i);
    }
    for (size_t i = 0; i < doc->warning_count; i++) {
        struct hd_verdict_warning *warning = &doc->warnings[i];
        warning->id = name(doc, 'W', about_warning(warning), warning_id, i);
        HD_BUG_ON(warning->verdict == HD_REFUTED && !warning->evidence.exhaustive,
                  "%s is called refuted after a search that was not complete",
                  warning->id);
        HD_BUG_ON(warning->verdict == HD_CONFIRMED && !warning->evidence.schedule,
                  "%s is called confirmed without a schedule", warning->id);
        HD_BUG_ON(warning->verdict != HD_CONFIRMED && warning->impact != HD_IMPACT_NONE,
                  "%s has an impact and is not confirmed", warning->id);
        if (warning->quiet) continue;
        sum->refuted += warning->verdict == HD_REFUTED;
        sum->undecided += warning->verdict == HD_UNDECIDED;
        sum->confirmed_harmful += warning->impact == HD_HARMFUL;
        sum->confirmed_benign += warning->impact == HD_BENIGN;
        sum->confirmed_unknown +=
            warning->verdict == HD_CONFIRMED && warning->impact == HD_IMPACT_NONE;
    }
}

void hd_verdicts_hush(struct hd_verdicts *doc) {
    size_t kept = 0;
    for (size_t i = 0; i < doc->warning_count; i++) {
        if (!doc->warnings[i].quiet) doc->warnings[kept++] = doc->warnings[i];
    }
    doc->warning_count = kept;
}

/* ---- asking ------------------------------------------------------------- */

const struct hd_verdict_warning *hd_verdicts_find_warning(const struct hd_verdicts *doc,
                                                          const char *id) {
    for (size_t i = 0; i < doc->warning_count; i++) {
        if (strcmp(doc->warnings[i].id, id) == 0) return &doc->warnings[i];
    }
    return NULL;
}

const struct hd_verdict_failure *hd_verdicts_find_failure(const struct hd_verdicts *doc,
                                                          const char *id) {
    for (size_t i = 0; i < doc->failure_count; i++) {
        if (strcmp(doc->failures[i].id, id) == 0) return &doc->failures[i];
    }
    return NULL;
}

/* What was refuted, benign or undecided then has become worse. */
bool hd_verdicts_known(const struct hd_verdicts *baseline, const struct hd_verdict_warning *warning) {
    const struct hd_verdict_warning *then =
        baseline ? hd_verdicts_find_warning(baseline, warning->id) : NULL;
    return then && (then->impact == HD_HARMFUL || warning->impact != HD_HARMFUL);
}

int hd_verdicts_status(const struct hd_verdicts *doc,
                       const struct hd_verdicts *baseline) {
    for (size_t i = 0; i < doc->failure_count; i++) {
        if (!baseline || !hd_verdicts_find_failure(baseline, doc->failures[i].id))
            return 1;
    }
    for (size_t i = 0; i < doc->warning_count; i++) {
        if (doc->warnings[i].impact != HD_HARMFUL) continue;
        if (!hd_verdicts_known(baseline, &doc->warnings[i])) return 1;
    }
    return 0;
}

const struct hd_schedule *hd_verdicts_schedule(const struct hd_verdicts *doc,
                                               const char *id, struct hd_error *err) {
    const struct hd_verdict_failure *failure = hd_verdicts_find_failure(doc, id);
    const struct hd_verdict_warning *warning = hd_verdicts_find_warning(doc, id);
    const struct hd_schedule *schedule = failure   ? failure->schedule
                                         : warning ? warning->evidence.schedule
                                                   : NULL;
    if (schedule) return schedule;
    if (failure || warning) {
        hd_fail(err, 0, "#%s has no schedule to replay: it is %s", id,
                warning ? hd_verdict_words[warning->verdict] : "a failure without one");
        return NULL;
    }
    struct hd_suggestion near = hd_suggestion_for(id);
    for (size_t i = 0; i < doc->failure_count; i++)
        hd_suggestion_offer(&near, doc->failures[i].id);
    for (size_t i = 0; i < doc->warning_count; i++)
        hd_suggestion_offer(&near, doc->warnings[i].id);
    if (near.best) {
        hd_fail(err, 0, "#%.40s: no such entry; there is %s", id, near.best);
    } else {
        hd_fail(err, 0, "#%.40s: no such entry", id);
    }
    return NULL;
}
