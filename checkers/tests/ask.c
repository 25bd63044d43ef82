/* ask.c - random sets, and what a checker says of them (see ask.h). */
#include "checkers/tests/ask.h"

#include "sched/trace/bug.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t hd_ask_count(uint32_t usual) { return getenv("SOAK") ? usual * 10 : usual; }

void hd_ask_ready(void) {
    setenv("TMPDIR", "/dev/shm", 0);
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
}

void hd_ask_write(struct hd_ask *a) {
    hd_oracle_text(&a->it, &a->run, a->text, sizeof a->text);
    hd_trace_free(a->trace);
    a->trace = NULL;
}

void hd_ask_draw_live(struct hd_ask *a, const struct hd_oracle_shape *shape,
                      struct hd_oracle_rng *rng) {
    do {
        hd_oracle_make(&a->it, shape, rng);
    } while (hd_oracle_deadlock(&a->it));
    hd_oracle_run_random(&a->it, rng, &a->run);
    hd_ask_write(a);
}

void hd_ask_draw(struct hd_ask *a, const struct hd_oracle_shape *shape,
                 struct hd_oracle_rng *rng) {
    do {
        hd_oracle_make(&a->it, shape, rng);
        hd_oracle_run_random(&a->it, rng, &a->run);
    } while (!a->run.count); /* everybody waits at once */
    hd_ask_write(a);
}

bool hd_ask_draw_complete(struct hd_ask *a, const struct hd_oracle_shape *shape,
                          struct hd_oracle_rng *rng) {
    hd_oracle_make(&a->it, shape, rng);
    for (int tries = 0; tries < 50; tries++) {
        hd_oracle_run_random(&a->it, rng, &a->run);
        if (a->run.complete) {
            hd_ask_write(a);
            return true;
        }
    }
    return false;
}

struct hd_report *hd_ask_report(struct hd_ask *a, const char *checker, const char *policy) {
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.checkers = checker, .transactions = policy};
    struct hd_report *report = NULL;
    if (!a->trace) {
        a->trace = hd_trace_parse(a->text, "random", &err);
    }
    HD_BUG_ON(!a->trace || hd_check(a->trace, &options, &report, &err) < 0, "%s", err.text);
    return report;
}

struct hd_asked hd_ask(struct hd_ask *a, const char *checker, const char *policy) {
    struct hd_report *report = hd_ask_report(a, checker, policy);
    struct hd_asked asked = {.count = hd_report_count(report)};
    for (uint32_t i = 0; i < asked.count; i++) {
        char buffer[64];
        unsigned n, t;
        uint32_t region = hd_report_warning(report, i)->region;
        const char *name =
            hd_front_region_name(hd_report_front(report), region, buffer, sizeof buffer);
        if (sscanf(name, "f%u_%u", &n, &t) == 2) asked.by_thread[t] |= 1u << n;
    }
    hd_report_free(report);
    return asked;
}

bool hd_asked_within(const struct hd_asked *a, const struct hd_asked *b) {
    for (uint32_t t = 0; t < HD_ORACLE_THREADS; t++) {
        if (a->by_thread[t] & ~b->by_thread[t]) return false;
    }
    return true;
}

const char *hd_ask_disagree(struct hd_ask *a, uint32_t n, const char *format, ...) {
    size_t at = (size_t)snprintf(a->message, sizeof a->message, "set %u: ", n);
    va_list args;
    va_start(args, format);
    at += (size_t)vsnprintf(a->message + at, 400, format, args);
    va_end(args);
    snprintf(a->message + at, sizeof a->message - at, "\n%s", a->text);
    return a->message;
}
