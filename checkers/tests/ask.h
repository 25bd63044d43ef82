/* ask.h - random sets, and what a checker says of them.
 *
 * What the comparisons with the oracle share: drawing a case and a run of it, its
 * text, asking a checker, and telling apart whom it accuses. */
#ifndef HD_ASK_H
#define HD_ASK_H

#include "checkers/run.h"
#include "checkers/tests/oracle.h"

/* The set at hand. */
struct hd_ask {
    struct hd_oracle_case it;
    struct hd_oracle_run run;
    char text[1 << 16];     /* of the run */
    struct hd_trace *trace; /* of the text; NULL: nobody has asked yet */
    char message[(1 << 16) + 512];
};

/* `usual` many, with SOAK=1 ten times as many. */
uint32_t hd_ask_count(uint32_t usual);
/* First thing in main: thousands of small passes should not give memory back each
 * time, and parsed texts are kept in memory. */
void hd_ask_ready(void);

/* A set that cannot deadlock, and a run of it. */
void hd_ask_draw_live(struct hd_ask *a, const struct hd_oracle_shape *shape,
                      struct hd_oracle_rng *rng);
/* Any set that can take a step, and a run of it. */
void hd_ask_draw(struct hd_ask *a, const struct hd_oracle_shape *shape,
                 struct hd_oracle_rng *rng);
/* A run that ends well; false: fifty did not. */
bool hd_ask_draw_complete(struct hd_ask *a, const struct hd_oracle_shape *shape,
                          struct hd_oracle_rng *rng);
/* The run's text again, after the case was changed. */
void hd_ask_write(struct hd_ask *a);

/* Whom a checker accuses. hd_oracle_text names the region with label N of thread T
 * fN_T, so a bit stands for a region. */
struct hd_asked {
    uint32_t count; /* warnings */
    uint32_t by_thread[HD_ORACLE_THREADS];
};
struct hd_asked hd_ask(struct hd_ask *a, const char *checker, const char *policy);
bool hd_asked_within(const struct hd_asked *a, const struct hd_asked *b);

/* The report of a checker, for the caller to free before the next draw. Ends the
 * program if there is none. */
struct hd_report *hd_ask_report(struct hd_ask *a, const char *checker, const char *policy);

/* "set N: WHAT", and the text: to fail with. */
const char *hd_ask_disagree(struct hd_ask *a, uint32_t n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
