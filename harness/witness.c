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
    if (strcmp(hd_op_word_of(event->kind, event->flags), access->op) != 0) return false;
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

/* ---- in this order ----------------------------------------------------------------------- */

struct match { /* an event that is one of the accesses */
    size_t access;
    uint32_t call; /* of the transaction's function, by this thread: the how many-th */
};

static bool same_event(const struct hd_verdict_access *access, const struct hd_trace *trace,
                       const struct hd_event *event) {
    if (strcmp(hd_trace_thread(trace, event->thread), access->thread) != 0) return false;
    if (event->site == HD_NO_ID || strcmp(hd_op_word_of(event->kind, event->flags), access->op) != 0) return false;
    const struct hd_site *site = hd_trace_site(trace, event->site);
    if (site->line != access->place.line || !same(site->file, access->place.file)) return false;
    return hd_kind_obj(event->kind) != HD_OPERAND_VARIABLE || !access->variable ||
           is_access(access, trace, event);
}

static bool comes_in_call(const struct hd_verdict_warning *warning, const struct match *list,
                          size_t count, uint32_t call) {
    const char *mine = warning->accesses[0].thread;
    size_t next = 0;
    for (size_t i = 0; i < count && next < warning->access_count; i++) {
        bool other = strcmp(warning->accesses[next].thread, mine) != 0;
        if (list[i].access == next && (other || list[i].call == call)) next++;
    }
    return next == warning->access_count;
}

bool hd_witness_in_order(const struct hd_verdict_warning *warning, struct hd_trace *trace,
                         struct hd_error *err) {
    const struct hd_event *events;
    size_t count, used = 0, room = 0;
    const char *function = warning->has_transaction ? warning->transaction.function : NULL;
    struct match *list = NULL;
    uint32_t *calls = calloc(hd_trace_threads(trace) + 1, sizeof *calls), most = 0;
    if (!calls) abort();
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t k = 0; k < count; k++) {
            const struct hd_event *event = &events[k];
            if (event->kind == HD_ENTER && function &&
                same(hd_trace_label(trace, event->obj)->name, function)) {
                calls[event->thread]++;
            }
            for (size_t i = 0; i < warning->access_count; i++) {
                if (!same_event(&warning->accesses[i], trace, event)) continue;
                if (used == room) {
                    room = room ? room * 2 : 64;
                    list = realloc(list, room * sizeof *list);
                    if (!list) abort();
                }
                list[used++] = (struct match){i, calls[event->thread]};
                if (calls[event->thread] > most) most = calls[event->thread];
            }
        }
    }
    bool found = false;
    for (uint32_t call = 0; call <= most && !found; call++) {
        found = comes_in_call(warning, list, used, call);
    }
    free(list);
    free(calls);
    return found;
}
