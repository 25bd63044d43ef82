/* over_reporting.c - two statistics that have nothing to do with each other (Lourenço et
 * al.: Over-reporting).
 *
 * The paper takes it from von Praun and Gross: a correct program that view
 * consistency objects to; how it looked in detail is not told. Here a server counts
 * hits and bytes, a transaction for each; a report adds up both in one. They are
 * never held against each other, so a report in between is as good as one before
 * or after, and no one call is to do both: a note says so. Published: no anomaly, 1
 * warning.
 *
 * anomalies: 0
 * label: benign
 * expect: atomicity serve confirmed benign
 * native: deterministic
 * tsan: clean
 * twin: over_reporting_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static struct { int hits, bytes; } statistics;
static int reported_hits, reported_bytes;

void count_hit(void) {
    ATOMIC(guard) { statistics.hits++; }
}

void count_bytes(int bytes) {
    ATOMIC(guard) { statistics.bytes += bytes; }
}

void serve(int bytes) {
    count_hit();
    count_bytes(bytes);
}

void report(void) {
    ATOMIC(guard) {
        reported_hits = statistics.hits;
        reported_bytes = statistics.bytes;
    }
}

static void *thread(void *number) {
    if (*(int *)number == 0) {
        serve(80);
    } else {
        report();
    }
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) { statistics.hits = statistics.bytes = 0; }

static const char *wrong(void) {
    bool counted = statistics.hits == 1 && statistics.bytes == 80;
    bool reported = reported_hits <= 1 && reported_bytes <= 80;
    return counted && reported ? NULL : "miscounted";
}

#include "rounds.h"
