/* witness.c - see witness.h. */
#include "witness.h"

#include "warning_fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b) { return !a || !b || strcmp(a, b) == 0; }

bool hd_witness_fails(const struct hd_verdict_failure *failure, const char *kind,
                      const char *function, char *why, size_t room) {
    const char *wanted = hd_failure_words[failure->kind];
    if (kind && strcmp(kind, wanted) == 0) {
        if (same(function, failure->location.function)) return true;
        snprintf(why, room, "the %s is in %s now, not in %s", wanted, function,
                 failure->location.function);
        return false;
    }
    snprintf(why, room, "it ends %s%s now, not with %s", kind ? "with " : "well", kind ? kind : "",
             wanted);
    return false;
}

/* A part has the name of the whole at its front: `pair` and `pair.first`. Locals that
 * had the same bytes are told together: `one.x/other.y`. */
static bool same_variable(const char *seen, const char *wanted) {
    size_t n = strlen(wanted);
    for (const char *at = seen; *at; at += strcspn(at, "/"), at += *at == '/') {
        size_t m = strcspn(at, "/");
        if (strncmp(at, wanted, m < n ? m : n) == 0) return true;
    }
    return strncmp(seen, wanted, n) == 0;
}

static bool is_access(const struct hd_verdict_access *access, const struct hd_trace *trace,
                      const struct hd_event *event) {
    char buffer[512];
    if (hd_kind_obj(event->kind) != HD_OPERAND_VARIABLE || event->site == HD_NO_ID) return false;
    if (strcmp(hd_op_word(event->kind), access->op) != 0) return false;
    return same(hd_trace_site(trace, event->site)->function, access->place.function) &&
           same_variable(hd_trace_variable_name(trace, event->obj, buffer, sizeof buffer),
                         access->variable);
}

bool hd_witness_accesses(const struct hd_verdict_warning *warning, const char *path,
                         char *why, size_t room, struct hd_error *err) {
    const struct hd_event *events;
    size_t count, missing = 0;
    struct hd_trace *trace = hd_trace_open(path, err);
    bool *found = calloc(warning->access_count + 1, sizeof *found);
    if (!trace || !found) goto out;
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t k = 0; k < count; k++) {
            for (size_t i = 0; i < warning->access_count; i++) {
                const struct hd_verdict_access *access = &warning->accesses[i];
                if (!found[i] && access->variable && access->op)
                    found[i] = is_access(access, trace, &events[k]);
            }
        }
    }
    for (size_t i = 0; i < warning->access_count && !missing; i++) {
        const struct hd_verdict_access *access = &warning->accesses[i];
        bool data = access->op && (strcmp(access->op, "read") == 0 || strcmp(access->op, "write") == 0 ||
                                   strcmp(access->op, "update") == 0);
        if (found[i] || !data || !access->variable) continue;
        missing = i + 1;
        snprintf(why, room, "there is no %s of %s in %s any more", access->op, access->variable,
                 access->place.function ? access->place.function : "it");
    }

out:
    hd_trace_free(trace);
    free(found);
    return !missing && !err->text[0];
}
