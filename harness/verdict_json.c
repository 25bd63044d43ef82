/* verdict_json.c - the document as JSON: every key once, in its order. */
#include "verdict.h"

#include "part_json.h"

#include <math.h>

/* Sets a key and remembers whether anything failed; NULL is out of memory. */
struct writer {
    json_t *object;
    bool full;
};

static void set(struct writer *to, const char *key, json_t *value) {
    if (json_object_set_new(to->object, key, value) < 0) to->full = true;
}
static void set_text(struct writer *to, const char *key, const char *text) {
    set(to, key, hd_json_text(text));
}
static void set_number(struct writer *to, const char *key, uint64_t number) {
    set(to, key, json_integer((json_int_t)number));
}
static void set_flag(struct writer *to, const char *key, bool flag) {
    set(to, key, json_boolean(flag));
}

static json_t *done(struct writer *writer) {
    if (!writer->full) return writer->object;
    json_decref(writer->object);
    return NULL;
}

static json_t *texts(const char *const *items, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(array, hd_json_text(items[i])) < 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static void set_place(struct writer *to, const struct hd_place *place) {
    set_text(to, "function", place->function);
    set_text(to, "file", place->file);
    set(to, "line", place->line ? json_integer(place->line) : json_null());
}

static json_t *place_json(const struct hd_place *place) {
    struct writer to = {json_object(), false};
    set_place(&to, place);
    return done(&to);
}

static json_t *schedule_json(const struct hd_schedule *schedule) {
    return schedule ? hd_schedule_to_json(schedule) : json_null();
}

static json_t *failure_json(const struct hd_verdict_failure *failure) {
    struct writer to = {json_object(), false};
    set_text(&to, "id", failure->id);
    set_text(&to, "kind", hd_failure_words[failure->kind]);
    set_text(&to, "message", failure->message);
    set(&to, "location", place_json(&failure->location));
    set_number(&to, "executions", failure->executions);
    if (failure->test) set_text(&to, "test", failure->test);
    if (failure->warning) set_text(&to, "warning", failure->warning);
    set(&to, "schedule", schedule_json(failure->schedule));
    return done(&to);
}

static json_t *access_json(const struct hd_verdict_access *access) {
    struct writer to = {json_object(), false};
    set_text(&to, "thread", access->thread);
    set_text(&to, "op", access->op);
    set_text(&to, "variable", access->variable);
    set_place(&to, &access->place);
    set(&to, "locks", texts(access->locks, access->lock_count));
    return done(&to);
}

static json_t *evidence_json(const struct hd_evidence *evidence, bool undecided) {
    struct writer to = {json_object(), false};
    set_text(&to, "reason", evidence->reason);
    set_flag(&to, "exhaustive", evidence->exhaustive);
    set_number(&to, "executions", evidence->executions);
    if (undecided) set_number(&to, "distinct_traces", evidence->distinct_traces);
    set_text(&to, "outcome", evidence->outcome);
    set(&to, "serial_outcomes", texts(evidence->serial_outcomes, evidence->serial_count));
    set(&to, "schedule", schedule_json(evidence->schedule));
    if (evidence->found) {
        struct writer found = {json_object(), false};
        set_text(&found, "strategy", evidence->found_by);
        set_number(&found, "execution", evidence->found);
        set(&to, "found", done(&found));
    }
    return done(&to);
}

json_t *hd_verdict_warning_json(const struct hd_verdict_warning *warning) {
    static const char *const impacts[HD_IMPACT_COUNT] = {NULL, "harmful", "benign"};
    struct writer to = {json_object(), false};
    json_t *accesses = json_array();
    for (size_t i = 0; i < warning->access_count; i++) {
        to.full |=
            json_array_append_new(accesses, access_json(&warning->accesses[i])) < 0;
    }
    set_text(&to, "id", warning->id);
    set_text(&to, "kind", warning->kind);
    set(&to, "checkers", texts(warning->checkers, warning->checker_count));
    set(&to, "score", json_integer(warning->score));
    set(&to, "transaction",
        warning->has_transaction ? place_json(&warning->transaction) : json_null());
    set_text(&to, "pattern", warning->pattern);
    set(&to, "accesses", accesses);
    if (warning->test) set_text(&to, "test", warning->test);
    set_text(&to, "verdict", hd_verdict_words[warning->verdict]);
    set_text(&to, "impact", impacts[warning->impact]);
    set(&to, "evidence", evidence_json(&warning->evidence, warning->verdict == HD_UNDECIDED));
    return done(&to);
}

static json_t *inputs_json(const struct hd_verdicts *doc, json_t **configuration) {
    struct writer program = {json_object(), false}, to = {json_object(), false};
    set_text(&program, "path", doc->path);
    set(&program, "arguments", texts(doc->arguments, doc->argument_count));
    set_text(&program, "build_id", doc->build_id);

    set_number(&to, "seed", doc->seed);
    set_text(&to, "strategy", doc->strategy);
    set_number(&to, "executions", doc->budget);
    set(&to, "checkers", texts(doc->checkers, doc->checker_count));
    set_text(&to, "transactions", doc->transactions);
    set(&to, "time", json_real(doc->time));
    set_number(&to, "steps", doc->steps);
    set_text(&to, "isolate", doc->isolate);
    set(&to, "observe", texts(doc->observe, doc->observe_count));
    set_flag(&to, "spurious_wakeups", doc->spurious_wakeups);
    if (doc->record) set_text(&to, "record", doc->record);
    if (doc->filter) set_text(&to, "filter", doc->filter);
    *configuration = done(&to);
    return done(&program);
}

static json_t *statistics_json(const struct hd_verdicts *doc) {
    struct writer to = {json_object(), false};
    double rate = doc->seconds > 0 ? (double)doc->executions / doc->seconds : 0;
    set_number(&to, "executions", doc->executions);
    set_number(&to, "distinct_traces", doc->distinct_traces);
    set_flag(&to, "exhausted", doc->exhausted);
    set_text(&to, "ended_by", doc->ended_by);
    if (doc->bound) set_text(&to, "bound", doc->bound);
    set_number(&to, "events", doc->events);
    set_number(&to, "threads", doc->threads);
    set_number(&to, "scheduling_points", doc->scheduling_points);
    set_number(&to, "shared_accesses", doc->shared_accesses);
    set(&to, "seconds", json_real(round(doc->seconds * 1000) / 1000));
    set(&to, "executions_per_second", json_real(round(rate)));
    return done(&to);
}

static json_t *summary_json(const struct hd_verdict_summary *sum) {
    struct writer to = {json_object(), false};
    set_number(&to, "failures", sum->failures);
    set_number(&to, "confirmed_harmful", sum->confirmed_harmful);
    set_number(&to, "confirmed_benign", sum->confirmed_benign);
    if (sum->confirmed_unknown)
        set_number(&to, "confirmed_unknown", sum->confirmed_unknown);
    set_number(&to, "refuted", sum->refuted);
    set_number(&to, "undecided", sum->undecided);
    return done(&to);
}

static json_t *document_json(const struct hd_verdicts *doc) {
    struct writer to = {json_object(), false}, version = {json_object(), false};
    json_t *failures = json_array(), *warnings = json_array(), *outcomes = json_array();
    json_t *configuration, *program = inputs_json(doc, &configuration);
    set_text(&version, "version", HD_VERSION);
    set_number(&version, "schema", HD_VERDICT_SCHEMA);
    for (size_t i = 0; i < doc->failure_count; i++) {
        to.full |= json_array_append_new(failures, failure_json(&doc->failures[i])) < 0;
    }
    for (size_t i = 0; i < doc->warning_count; i++) {
        to.full |= json_array_append_new(warnings, hd_verdict_warning_json(&doc->warnings[i])) < 0;
    }
    for (size_t i = 0; i < doc->outcome_count; i++) {
        struct writer one = {json_object(), false};
        set_text(&one, "outcome", doc->outcomes[i].outcome);
        set_number(&one, "executions", doc->outcomes[i].executions);
        to.full |= json_array_append_new(outcomes, done(&one)) < 0;
    }
    set(&to, "heddle", done(&version));
    set(&to, "program", program);
    set(&to, "configuration", configuration);
    set(&to, "failures", failures);
    set(&to, "warnings", warnings);
    set(&to, "notes", texts(doc->notes, doc->note_count));
    set(&to, "outcomes", outcomes);
    set(&to, "statistics", statistics_json(doc));
    set(&to, "summary", summary_json(&doc->summary));
    return done(&to);
}

int hd_verdicts_write(const struct hd_verdicts *doc, const char *path,
                      struct hd_error *err) {
    json_t *object = document_json(doc);
    int rc = hd_json_save(object, path, err);
    json_decref(object);
    return rc;
}

int hd_verdicts_print(const struct hd_verdicts *doc, FILE *out, struct hd_error *err) {
    json_t *object = document_json(doc);
    int rc = object ? hd_json_print(object, out) : -1;
    if (rc < 0 || fflush(out) != 0) {
        hd_fail(err, 0, object ? "cannot write to standard output" : "out of memory");
        rc = -1;
    }
    json_decref(object);
    return rc;
}
