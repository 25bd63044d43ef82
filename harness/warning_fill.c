/* warning_fill.c - a checker's finding, with names in place of ids. */
#include "warning_fill.h"

#include <stdio.h>
#include <string.h>

const char *hd_op_word(unsigned kind) {
    switch (kind) {
    case HD_READ:
    case HD_VREAD: return "read";
    case HD_WRITE:
    case HD_VWRITE: return "write";
    case HD_VRMW: return "update";
    case HD_ACQUIRE: return "acquire";
    case HD_RELEASE: return "release";
    case HD_POST: return "post";
    case HD_PEND: return "wait";
    case HD_TXBEGIN: return "begin";
    case HD_TXEND: return "end";
    case HD_STANDS: return "waits for";
    case HD_AWAITS: return "waits for the end of";
    case HD_STEP_OPEN: return "begin";
    case HD_STEP_CLOSE: return "end";
    default: return kind < HD_KIND_COUNT ? hd_kind_word(kind) : "event";
    }
}

const char *hd_op_word_of(unsigned kind, unsigned flags) {
    return kind == HD_WRITE && (flags & HD_FLAG_FREES) ? "free" : hd_op_word(kind);
}

static void fill_place(struct hd_verdicts *doc, struct hd_place *to,
                       const struct hd_trace *trace, uint32_t site, uint32_t function) {
    if (site != HD_NO_ID) {
        const struct hd_site *s = hd_trace_site(trace, site);
        to->function = hd_verdicts_string(doc, s->function);
        to->file = hd_verdicts_string(doc, s->file);
        to->line = s->line;
    }
    if (!to->function && function != HD_NO_ID) {
        to->function = hd_verdicts_string(doc, hd_trace_label(trace, function)->name);
    }
}

/* What the event touched. */
static const char *object_name(struct hd_verdicts *doc, const struct hd_report *report,
                               const struct hd_access *access) {
    const struct hd_trace *trace = hd_report_trace(report);
    char buffer[512];
    if (access->obj == HD_NO_ID || access->kind >= HD_KIND_COUNT) return NULL;
    switch (hd_kind_obj(access->kind)) {
    case HD_OPERAND_VARIABLE:
        return hd_verdicts_string(
            doc, hd_trace_variable_name(trace, hd_trace_granule_variable(trace, access->obj),
                                        buffer, sizeof buffer));
    case HD_OPERAND_SYNC:
        return hd_verdicts_string(doc, hd_front_lock_name(hd_report_front(report), access->obj,
                                                          buffer, sizeof buffer));
    case HD_OPERAND_THREAD:
        return hd_verdicts_string(doc, hd_trace_thread(trace, access->obj));
    default: return NULL;
    }
}

static void fill_access(struct hd_verdicts *doc, struct hd_verdict_access *to,
                        const struct hd_report *report, const struct hd_access *from) {
    const struct hd_front *front = hd_report_front(report);
    to->thread = hd_verdicts_string(doc, hd_trace_thread(hd_report_trace(report), from->thread));
    to->op = hd_op_word_of(from->kind, from->flags);
    to->variable = object_name(doc, report, from);
    fill_place(doc, &to->place, hd_report_trace(report), from->site, from->function);
    uint32_t count;
    const uint32_t *locks = hd_lockset_elements(hd_front_locksets(front), from->held, &count);
    to->locks = hd_verdicts_array(doc, count, sizeof *to->locks);
    to->lock_count = count;
    for (uint32_t i = 0; i < count; i++) {
        char buffer[512];
        to->locks[i] = hd_verdicts_string(
            doc, hd_front_lock_name(front, HD_LOCK_OF(locks[i]), buffer, sizeof buffer));
    }
}

void hd_warning_event(struct hd_verdicts *doc, struct hd_verdict_access *to,
                      const struct hd_report *report, const struct hd_event *event,
                      const uint32_t *locks, size_t lock_count) {
    const struct hd_trace *trace = hd_report_trace(report);
    char buffer[512];
    to->thread = hd_verdicts_string(doc, hd_trace_thread(trace, event->thread));
    to->op = hd_op_word_of(event->kind, event->flags);
    to->variable = hd_verdicts_string(
        doc, hd_trace_variable_name(trace, event->obj, buffer, sizeof buffer));
    fill_place(doc, &to->place, trace, event->site, HD_NO_ID);
    to->locks = hd_verdicts_array(doc, lock_count, sizeof *to->locks);
    to->lock_count = lock_count;
    for (size_t i = 0; i < lock_count; i++) {
        to->locks[i] = hd_verdicts_string(
            doc, hd_front_lock_name(hd_report_front(report), locks[i], buffer, sizeof buffer));
    }
}

static void fill_transaction(struct hd_verdicts *doc, struct hd_verdict_warning *to,
                             const struct hd_report *report, uint32_t region) {
    const struct hd_front *front = hd_report_front(report);
    const struct hd_region *r = hd_front_region(front, region);
    char buffer[512];
    to->has_transaction = true;
    fill_place(doc, &to->transaction, hd_report_trace(report), r->site, r->label);
    /* The name of an annotated region, not of the function it stands in. */
    to->transaction.function = hd_verdicts_string(
        doc, hd_front_region_name(front, region, buffer, sizeof buffer));
}

/* ---- locals that had the same bytes in turn -------------------------------------------- */

static bool on_stack(const struct hd_trace *trace, const struct hd_access *access) {
    if (access->obj == HD_NO_ID || access->kind >= HD_KIND_COUNT ||
        hd_kind_obj(access->kind) != HD_OPERAND_VARIABLE) {
        return false;
    }
    uint32_t variable = hd_trace_granule_variable(trace, access->obj);
    uint32_t object = hd_trace_variable(trace, variable)->object;
    return object != HD_NO_ID && hd_trace_object(trace, object)->kind == HD_OBJECT_STACK;
}

static bool has_function(const struct hd_verdict_warning *warning, const char *name, size_t length) {
    for (size_t i = 0; i < warning->access_count; i++) {
        const char *function = warning->accesses[i].place.function;
        if (function && strlen(function) == length && strncmp(function, name, length) == 0) return true;
    }
    return false;
}

/* `one.x/other.y`: the one whose function is at work in the warning, if that is one. */
static const char *local_meant(struct hd_verdicts *doc, const struct hd_verdict_warning *warning,
                               const char *names) {
    const char *found = NULL;
    for (const char *at = names; *at; at += strcspn(at, "/"), at += *at == '/') {
        if (!has_function(warning, at, strcspn(at, ".#/"))) continue;
        if (found) return names;
        found = at;
    }
    return found ? hd_verdicts_print_string(doc, "%.*s", (int)strcspn(found, "/"), found) : names;
}

void hd_warning_fill(struct hd_verdicts *doc, struct hd_verdict_warning *to,
                     const struct hd_report *report, const struct hd_warning *from) {
    const char *checker = from->checker;
    to->kind = hd_warning_kind_word(from->kind);
    to->checkers = hd_verdicts_strings(doc, &checker, 1);
    to->checker_count = 1;
    if (from->region != HD_NO_ID) fill_transaction(doc, to, report, from->region);
    to->pattern = hd_verdicts_string(doc, from->pattern);
    to->accesses = hd_verdicts_array(doc, from->access_count, sizeof *to->accesses);
    to->access_count = from->access_count;
    for (uint32_t i = 0; i < from->access_count; i++) {
        fill_access(doc, &to->accesses[i], report, &from->accesses[i]);
    }
    for (uint32_t i = 0; i < from->access_count; i++) {
        const char **variable = &to->accesses[i].variable;
        if (*variable && on_stack(hd_report_trace(report), &from->accesses[i])) {
            *variable = local_meant(doc, to, *variable);
        }
    }
    to->evidence.reason = hd_verdicts_print_string(
        doc, "%s%s%s", from->why ? from->why : "",
        from->incomplete ? "; the transaction had not ended in the trace" : "",
        from->conditional ? "; unless a deadlock gets in the way" : "");
}

/* Agreement counts most; then whether somebody writes. */
static int64_t score(const struct hd_warning *w, size_t checkers) {
    int64_t writes = 0;
    for (uint32_t i = 0; i < w->access_count; i++) {
        writes |= hd_kind_writes(w->accesses[i].kind);
    }
    return (int64_t)checkers * 2 + writes + (w->witness_count > 0);
}

size_t hd_warnings_fill(struct hd_verdicts *doc, const struct hd_report *report,
                        uint32_t *index) {
    uint32_t total = hd_report_count(report), groups = hd_report_groups(report);
    size_t shown = 0;
    enum { MOST = 16 };
    struct group {
        const char *first;
        const char *names[MOST];
        size_t count;
    } *group = hd_verdicts_array(doc, groups, sizeof *group);
    for (uint32_t i = 0; i < total; i++) {
        struct group *g = &group[hd_report_group(report, i)];
        const char *name = hd_report_warning(report, i)->checker;
        size_t k = 0;
        while (k < g->count && strcmp(g->names[k], name) != 0) k++;
        if (k == g->count && k < MOST) g->names[g->count++] = name;
        if (!g->first) g->first = name;
    }
    for (uint32_t i = 0; i < total; i++) {
        const struct hd_warning *w = hd_report_warning(report, i);
        const struct group *g = &group[hd_report_group(report, i)];
        if (strcmp(w->checker, g->first) != 0) continue;
        struct hd_verdict_warning *to = hd_verdicts_warning(doc);
        hd_warning_fill(doc, to, report, w);
        to->checkers = hd_verdicts_strings(doc, g->names, g->count);
        to->checker_count = g->count;
        to->score = score(w, g->count);
        index[shown++] = i;
    }
    return shown;
}
