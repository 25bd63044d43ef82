/* session.h - what the commands that run a program share: the program, its
 * names, and turning endings into entries of a verdict document. */
#ifndef HD_SESSION_H
#define HD_SESSION_H

#include "child.h"
#include "names.h"
#include "option.h"
#include "strangers.h"
#include "verdict.h"

#include <stdbool.h>
#include <sys/types.h>

struct hd_session {
    const struct hd_options *options;
    struct hd_program program;
    struct hd_name_book *book;
    struct hd_verdicts *doc;
    const struct hd_verdicts *before; /* what is in the file already, that is gone on with; or NULL */
    const char *test; /* the unit test that the program is at present, or NULL */
    struct hd_strangers strangers;
    bool finished;   /* ids are given and counts made */
    char path[4096]; /* the program's, as it is run */
    char out[4096];  /* where verdicts go */
};

/* argv: the program and its arguments. Negative: said why on standard error; -1
 * it was asked wrongly, -2 heddle cannot. */
int hd_session_open(struct hd_session *self, const struct hd_options *options, char **argv,
                    int argc, const char *strategy);
void hd_session_close(struct hd_session *self);

/* A message of the runtime with names; valid until the next call. */
const char *hd_session_text(struct hd_session *self, const char *text);
/* Where it failed. */
struct hd_place hd_session_place(struct hd_session *self, const struct hd_ending *ending);

/* What an execution's outcome is, by --observe: `exit 0, stdout "n=2\n"`. Kept
 * in the document. */
const char *hd_session_outcome(struct hd_session *self, const struct hd_ending *ending);

/* The failure of an ending as an entry: a new one, or one more execution of one
 * that is there. NULL if it did not fail. */
struct hd_verdict_failure *hd_session_failure(struct hd_session *self,
                                              const struct hd_ending *ending);
enum hd_failure_kind hd_session_failure_kind(const char *word);

/* Write, print and say the document; the exit status. */
int hd_session_finish(struct hd_session *self, const char *command);

/* The document, finished, to the file: 0; 1: what is there says more and stays; -1 with err. */
int hd_session_write(const struct hd_session *self, struct hd_error *err);

/* Should heddle itself be killed, the file holds what is known so far. A copy of this
 * process writes it: the work goes on, and the document here stays as it is. True in
 * the copy, which writes and exits; *writer is who it is, waited for before the file is
 * written for good. Nothing happens while the last one is still at it. */
bool hd_session_copy(pid_t *writer);

#define HD_SESSION_FIRST 0.1 /* seconds until the first of these, ... */
#define HD_SESSION_LONGEST 5.0 /* ... each twice as long after the last, but no longer */
static inline double hd_session_next(double at) {
    if (at < HD_SESSION_FIRST) return HD_SESSION_FIRST;
    return at + (at < HD_SESSION_LONGEST ? at : HD_SESSION_LONGEST);
}

#endif
