/* bench_fields.c - which variables the warnings of blocks are about.
 *
 *     build/bench/fields CHECKERS TRACE
 *
 * Every finding, a line each: `1 NAME` if its accesses are to one variable, `2 NAME
 * NAME` if they are to two; `more` if a function had as many findings as are kept
 * (warning.h), so that there may be others. Functions are what is meant to be atomic. */
#include "checkers/run.h"

#include <stdio.h>

static void print(const struct hd_trace *trace, const struct hd_warning *w) {
    char buffer[2][512];
    uint32_t first = HD_NO_ID, second = HD_NO_ID;
    for (uint32_t i = 0; i < w->access_count; i++) {
        uint32_t variable = hd_trace_granule_variable(trace, w->accesses[i].obj);
        if (first == HD_NO_ID) first = variable;
        if (variable != first) second = variable;
    }
    if (second == HD_NO_ID) {
        printf("1 %s\n",
               hd_trace_variable_name(trace, first, buffer[0], sizeof buffer[0]));
    } else {
        printf("2 %s %s\n",
               hd_trace_variable_name(trace, first, buffer[0], sizeof buffer[0]),
               hd_trace_variable_name(trace, second, buffer[1], sizeof buffer[1]));
    }
}

int main(int argc, char **argv) {
    struct hd_error err = {.text = ""};
    struct hd_trace *trace = argc == 3 ? hd_trace_open(argv[2], &err) : NULL;
    struct hd_report *report = NULL;
    if (!trace) {
        fprintf(stderr, "fields: %s\n",
                argc == 3 ? err.text : "usage: fields CHECKERS TRACE");
        return 2;
    }
    const struct hd_check_options options = {.checkers = argv[1],
                                             .transactions = "functions"};
    if (hd_check(trace, &options, &report, &err) < 0) {
        fprintf(stderr, "fields: %s\n", err.text);
        hd_trace_free(trace);
        return 3;
    }
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *w = hd_report_warning(report, i);
        if (w->kind != HD_ATOMICITY) continue;
        if (w->variant_count >= HD_WARNING_VARIANTS) puts("more");
        for (; w; w = w->next_variant)
            print(trace, w);
    }
    hd_report_free(report);
    hd_trace_free(trace);
    return 0;
}
