/* line.h - a warning in one line, for tests.
 *
 *     race balance W-R: T0 write balance bank.c:11, T1 read balance bank.c:21
 *     atomicity deposit R-W-R: T1 read balance, T2 write balance, T1 read balance
 *     deadlock a -> b -> a: T1 acquire a, T1 acquire b, T2 acquire b, T2 acquire a
 *
 * Kind; what it accuses (the transaction, or the first variable; nothing where
 * the pattern says it); the pattern; the operations, with their places if known. */
#ifndef HD_TEST_LINE_H
#define HD_TEST_LINE_H

#include "checkers/run.h"

#include <stdio.h>
#include <string.h>

static inline void hd_line_add(char *out, size_t size, const char *a, const char *b) {
    size_t at = strlen(out);
    snprintf(out + at, size - at, "%s%s", a, b);
}

static inline const char *hd_line_op(unsigned kind) {
    switch (kind) {
    case HD_READ:
    case HD_VREAD: return "read";
    case HD_WRITE:
    case HD_VWRITE: return "write";
    case HD_VRMW: return "update";
    case HD_ACQUIRE: return "acquire";
    case HD_RELEASE: return "release";
    default: return kind < HD_KIND_COUNT ? hd_kind_word(kind) : "event";
    }
}

static inline const char *hd_line_object(const struct hd_report *report,
                                         const struct hd_access *a, char *buffer, size_t size) {
    const struct hd_trace *trace = hd_report_trace(report);
    if (a->obj == HD_NO_ID || a->kind >= HD_KIND_COUNT) return "?";
    switch (hd_kind_obj(a->kind)) {
    case HD_OPERAND_VARIABLE:
        return hd_trace_variable_name(trace, hd_trace_granule_variable(trace, a->obj), buffer,
                                      size);
    case HD_OPERAND_SYNC: return hd_front_lock_name(hd_report_front(report), a->obj, buffer, size);
    case HD_OPERAND_THREAD: return hd_trace_thread(trace, a->obj);
    default: return "";
    }
}

static inline void hd_line(const struct hd_report *report, const struct hd_warning *w, char *out,
                           size_t size) {
    const struct hd_trace *trace = hd_report_trace(report);
    char buffer[256];
    snprintf(out, size, "%s", hd_warning_kind_word(w->kind));
    if (w->region != HD_NO_ID) {
        hd_line_add(out, size, " ",
                    hd_front_region_name(hd_report_front(report), w->region, buffer, sizeof buffer));
    } else if (w->access_count && w->kind != HD_DEADLOCK) {
        hd_line_add(out, size, " ",
                    hd_line_object(report, &w->accesses[0], buffer, sizeof buffer));
    }
    if (w->pattern) hd_line_add(out, size, " ", w->pattern);
    for (uint32_t i = 0; i < w->access_count; i++) {
        const struct hd_access *a = &w->accesses[i];
        hd_line_add(out, size, i ? ", " : ": ", hd_trace_thread(trace, a->thread));
        hd_line_add(out, size, " ", hd_line_op(a->kind));
        hd_line_add(out, size, " ", hd_line_object(report, a, buffer, sizeof buffer));
        if (a->site != HD_NO_ID && hd_trace_site(trace, a->site)->file) {
            snprintf(buffer, sizeof buffer, "%s:%u", hd_trace_site(trace, a->site)->file,
                     hd_trace_site(trace, a->site)->line);
            hd_line_add(out, size, " ", buffer);
        }
    }
}

#endif
