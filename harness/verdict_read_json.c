/* verdict_read_json.c - a verdict file back into structs.
 *
 * For replay, --baseline and --resume. The file may come from anywhere: each
 * value is checked for its type, and words for being ones that heddle writes.
 * Keys that this version does not know are passed over, so that an older heddle
 * can replay what a newer one found. */
#include "verdict.h"

#include "file.h"
#include "part_json.h"

#include <stdlib.h>
#include <string.h>

/* A value in the document and where it stands. The first thing wrong is kept;
 * what is read after it does not count. */
struct at {
    struct hd_json_place place;
    const json_t *value;
};

struct reader {
    struct hd_verdicts *doc;
    struct hd_error *err;
    bool bad;
};

static void refuse(struct reader *self, const struct at *at, const char *wanted) {
    self->bad = true;
    hd_json_refuse(&at->place, self->err, "expected %s, found %s", wanted,
                   hd_json_type_name(at->value));
}

static struct at member(const struct at *object, const char *key) {
    return (struct at){{&object->place, key, 0}, json_object_get(object->value, key)};
}

static struct at item(const struct at *array, size_t index) {
    return (struct at){{&array->place, NULL, index}, json_array_get(array->value, index)};
}

static struct at object_at(struct reader *self, const struct at *object,
                           const char *key) {
    struct at at = member(object, key);
    if (!json_is_object(at.value)) refuse(self, &at, "an object");
    return at;
}

static struct at array_at(struct reader *self, const struct at *object, const char *key) {
    struct at at = member(object, key);
    if (!json_is_array(at.value)) refuse(self, &at, "an array");
    return at;
}

static const char *text_of(struct reader *self, const struct at *at, bool may_be_null) {
    if (may_be_null && (!at->value || json_is_null(at->value))) return NULL;
    if (!json_is_string(at->value)) {
        refuse(self, at, "a string");
        return "";
    }
    return hd_verdicts_string(self->doc, json_string_value(at->value));
}

static const char *text(struct reader *self, const struct at *object, const char *key) {
    struct at at = member(object, key);
    return text_of(self, &at, false);
}

static const char *maybe_text(struct reader *self, const struct at *object,
                              const char *key) {
    struct at at = member(object, key);
    return text_of(self, &at, true);
}

static uint64_t number(struct reader *self, const struct at *object, const char *key) {
    struct at at = member(object, key);
    if (!json_is_integer(at.value) || json_integer_value(at.value) < 0) {
        refuse(self, &at, "a number of at least 0");
        return 0;
    }
    return (uint64_t)json_integer_value(at.value);
}

static uint64_t maybe_number(struct reader *self, const struct at *object,
                             const char *key) {
    return json_object_get(object->value, key) ? number(self, object, key) : 0;
}

static bool flag(struct reader *self, const struct at *object, const char *key) {
    struct at at = member(object, key);
    if (!json_is_boolean(at.value)) refuse(self, &at, "true or false");
    return json_is_true(at.value);
}

static double real(struct reader *self, const struct at *object, const char *key) {
    struct at at = member(object, key);
    if (!json_is_number(at.value) || json_number_value(at.value) < 0) {
        refuse(self, &at, "a number of at least 0");
    }
    return json_number_value(at.value);
}

static unsigned word_of(struct reader *self, const struct at *at, const char *const *words,
                        unsigned count) {
    const char *found = json_string_value(at->value);
    for (unsigned i = 0; found && i < count; i++) {
        if (strcmp(words[i], found) == 0) return i;
    }
    if (!found) {
        refuse(self, at, "a string");
    } else {
        self->bad = true;
        hd_json_refuse(&at->place, self->err,
                       "\"%.40s\" is not a word that heddle knows here", found);
    }
    return 0;
}

static unsigned word(struct reader *self, const struct at *object, const char *key,
                     const char *const *words, unsigned count) {
    struct at at = member(object, key);
    return word_of(self, &at, words, count);
}

static const char **texts(struct reader *self, const struct at *object, const char *key,
                          size_t *count) {
    struct at array = array_at(self, object, key);
    *count = json_array_size(array.value);
    const char **out = hd_verdicts_array(self->doc, *count, sizeof *out);
    for (size_t i = 0; i < *count; i++) {
        struct at at = item(&array, i);
        out[i] = text_of(self, &at, false);
    }
    return out;
}

static struct hd_place place(struct reader *self, const struct at *object) {
    struct hd_place out = {maybe_text(self, object, "function"),
                           maybe_text(self, object, "file"), 0};
    struct at line = member(object, "line");
    if (line.value && !json_is_null(line.value)) {
        uint64_t value = number(self, object, "line");
        out.line = value > UINT32_MAX ? 0 : (uint32_t)value;
    }
    return out;
}

static struct hd_schedule *schedule(struct reader *self, const struct at *object) {
    struct at at = member(object, "schedule");
    if (!at.value || json_is_null(at.value)) return NULL;
    struct hd_schedule *out = hd_schedule_from_json(at.value, &at.place, self->err);
    if (!out) self->bad = true;
    return out;
}

static void read_failure(struct reader *self, const struct at *at) {
    struct hd_verdict_failure *out = hd_verdicts_failure(self->doc);
    struct at location = object_at(self, at, "location");
    out->id = text(self, at, "id");
    out->kind = (enum hd_failure_kind)word(self, at, "kind", hd_failure_words,
                                           HD_FAILURE_KIND_COUNT);
    out->message = text(self, at, "message");
    out->location = place(self, &location);
    out->executions = number(self, at, "executions");
    out->test = maybe_text(self, at, "test");
    out->warning = maybe_text(self, at, "warning");
    out->schedule = schedule(self, at);
}

static void read_access(struct reader *self, const struct at *at,
                        struct hd_verdict_access *out) {
    out->thread = text(self, at, "thread");
    out->op = text(self, at, "op");
    out->variable = maybe_text(self, at, "variable");
    out->place = place(self, at);
    out->locks = texts(self, at, "locks", &out->lock_count);
}

static void read_evidence(struct reader *self, const struct at *at,
                          struct hd_evidence *out) {
    out->reason = text(self, at, "reason");
    out->exhaustive = flag(self, at, "exhaustive");
    out->executions = number(self, at, "executions");
    if (member(at, "distinct_traces").value) {
        out->distinct_traces = number(self, at, "distinct_traces");
    }
    out->outcome = maybe_text(self, at, "outcome");
    out->serial_outcomes = texts(self, at, "serial_outcomes", &out->serial_count);
    out->schedule = schedule(self, at);
    if (member(at, "found").value) {
        struct at found = object_at(self, at, "found");
        out->found_by = text(self, &found, "strategy");
        out->found = number(self, &found, "execution");
    }
}

static void read_warning(struct reader *self, const struct at *at) {
    static const char *const kinds[] = {"atomicity", "determinism", "race",
                                        "deadlock",  "stale-value", "high-level-race",
                                        "guard"};
    static const char *const impacts[] = {"", "harmful", "benign"};
    struct hd_verdict_warning *out = hd_verdicts_warning(self->doc);
    struct at transaction = member(at, "transaction"), impact = member(at, "impact");
    struct at accesses = array_at(self, at, "accesses"),
              evidence = object_at(self, at, "evidence");
    struct at score = member(at, "score");
    out->id = text(self, at, "id");
    out->kind = kinds[word(self, at, "kind", kinds, sizeof kinds / sizeof *kinds)];
    out->checkers = texts(self, at, "checkers", &out->checker_count);
    if (!json_is_integer(score.value)) refuse(self, &score, "a number");
    out->score = json_integer_value(score.value);
    out->has_transaction = transaction.value && !json_is_null(transaction.value);
    if (out->has_transaction) {
        transaction = object_at(self, at, "transaction");
        out->transaction = place(self, &transaction);
    }
    out->pattern = maybe_text(self, at, "pattern");
    out->access_count = json_array_size(accesses.value);
    out->accesses =
        hd_verdicts_array(self->doc, out->access_count, sizeof *out->accesses);
    for (size_t i = 0; i < out->access_count; i++) {
        struct at one = item(&accesses, i);
        read_access(self, &one, &out->accesses[i]);
    }
    out->test = maybe_text(self, at, "test");
    out->verdict =
        (enum hd_verdict)word(self, at, "verdict", hd_verdict_words, HD_VERDICT_COUNT);
    if (impact.value && !json_is_null(impact.value)) {
        out->impact = (enum hd_impact)word(self, at, "impact", impacts, HD_IMPACT_COUNT);
    }
    read_evidence(self, &evidence, &out->evidence);
}

static const char **read_observe(struct reader *self, const struct at *given, size_t *count) {
    static const char *const words[] = {"exit", "stdout", "values", "globals"};
    struct at list = array_at(self, given, "observe");
    const char **out = hd_verdicts_array(self->doc, json_array_size(list.value), sizeof *out);
    *count = json_array_size(list.value);
    for (size_t i = 0; i < *count; i++) {
        struct at one = item(&list, i);
        out[i] = words[word_of(self, &one, words, 4)];
    }
    return out;
}

static void read_inputs(struct reader *self, const struct at *top) {
    static const char *const isolations[] = {"snapshot", "fork"};
    struct hd_verdicts *doc = self->doc;
    struct at program = object_at(self, top, "program");
    struct at given = object_at(self, top, "configuration");
    doc->path = text(self, &program, "path");
    doc->arguments = texts(self, &program, "arguments", &doc->argument_count);
    doc->build_id = maybe_text(self, &program, "build_id");
    doc->seed = number(self, &given, "seed");
    doc->strategy = text(self, &given, "strategy");
    doc->budget = number(self, &given, "executions");
    doc->checkers = texts(self, &given, "checkers", &doc->checker_count);
    doc->transactions = text(self, &given, "transactions");
    doc->time = real(self, &given, "time");
    doc->steps = number(self, &given, "steps");
    if (doc->steps == 0 && !self->bad) {
        struct at steps = member(&given, "steps");
        self->bad = true;
        hd_json_refuse(&steps.place, self->err, "expected at least 1, found 0");
    }
    doc->isolate = isolations[word(self, &given, "isolate", isolations, 2)];
    doc->observe = read_observe(self, &given, &doc->observe_count);
    doc->spurious_wakeups = flag(self, &given, "spurious_wakeups");
    doc->record = maybe_text(self, &given, "record");
    doc->filter = maybe_text(self, &given, "filter");
}

static void read_statistics(struct reader *self, const struct at *at) {
    struct hd_verdicts *doc = self->doc;
    doc->executions = number(self, at, "executions");
    doc->distinct_traces = number(self, at, "distinct_traces");
    doc->exhausted = flag(self, at, "exhausted");
    doc->ended_by = text(self, at, "ended_by");
    doc->bound = maybe_text(self, at, "bound");
    doc->events = number(self, at, "events");
    doc->threads = number(self, at, "threads");
    doc->scheduling_points = number(self, at, "scheduling_points");
    doc->shared_accesses = number(self, at, "shared_accesses");
    doc->seconds = real(self, at, "seconds");
}

static void read_summary(struct reader *self, const struct at *at) {
    struct hd_verdict_summary *sum = &self->doc->summary;
    sum->failures = number(self, at, "failures");
    sum->confirmed_harmful = number(self, at, "confirmed_harmful");
    sum->confirmed_benign = number(self, at, "confirmed_benign");
    sum->confirmed_unknown = maybe_number(self, at, "confirmed_unknown");
    sum->refuted = number(self, at, "refuted");
    sum->undecided = number(self, at, "undecided");
}

static void read_document(struct reader *self, const struct at *top) {
    struct at version = member(top, "heddle");
    if (!json_is_object(version.value)) {
        self->bad = true;
        hd_json_refuse(&top->place, self->err, "not a verdict file of heddle");
        return;
    }
    uint64_t schema = number(self, &version, "schema");
    if (!self->bad && schema != HD_VERDICT_SCHEMA) {
        self->bad = true;
        hd_json_refuse(
            &version.place, self->err,
            "schema %d is found, %d is read here: write it again with this heddle",
            (int)schema, HD_VERDICT_SCHEMA);
        return;
    }
    struct at failures = array_at(self, top, "failures"),
              warnings = array_at(self, top, "warnings");
    struct at outcomes = array_at(self, top, "outcomes");
    struct at statistics = object_at(self, top, "statistics"),
              sum = object_at(self, top, "summary");
    read_inputs(self, top);
    for (size_t i = 0; i < json_array_size(failures.value) && !self->bad; i++) {
        struct at one = item(&failures, i);
        read_failure(self, &one);
    }
    for (size_t i = 0; i < json_array_size(warnings.value) && !self->bad; i++) {
        struct at one = item(&warnings, i);
        read_warning(self, &one);
    }
    self->doc->notes = texts(self, top, "notes", &self->doc->note_count);
    self->doc->note_room = self->doc->note_count;
    for (size_t i = 0; i < json_array_size(outcomes.value) && !self->bad; i++) {
        struct at one = item(&outcomes, i);
        hd_verdicts_outcome(self->doc, text(self, &one, "outcome"),
                            number(self, &one, "executions"));
    }
    read_statistics(self, &statistics);
    read_summary(self, &sum);
}

struct hd_verdicts *hd_verdicts_read(const char *path, struct hd_error *err) {
    struct hd_error mine = {.place = 0};
    struct hd_verdicts *doc = NULL;
    json_t *object = NULL;
    size_t size;
    char *text = hd_file_read(path, HD_VERDICT_BYTES, &size, &mine);
    if (text) object = hd_json_parse(text, size, path, &mine);
    free(text);
    if (object) doc = hd_verdicts_new();
    if (doc) {
        struct reader reader = {doc, &mine, false};
        struct at top = {{NULL, path, 0}, object};
        read_document(&reader, &top);
        if (reader.bad) {
            hd_verdicts_free(doc);
            doc = NULL;
        }
    } else if (object) {
        hd_fail(&mine, 0, "%s: out of memory", path);
    }
    json_decref(object);
    if (!doc) hd_fail(err, mine.place, "%s", mine.text);
    return doc;
}
