/* resume.h - going on with a search that was ended before its time.
 *
 * A verdict file holds the program, its arguments and the configuration. The
 * search is a function of these, so it is begun again and comes to where it was
 * by itself, without anything being told twice: what a search has to remember
 * (which classes were seen, what is left to try) is as large as the search, and
 * is not in the file. The result is that of a search that was not interrupted; until
 * it is there, and if it does not get there, the file stays as it is. */
#ifndef HD_RESUME_H
#define HD_RESUME_H

#include "option.h"
#include "session.h"

struct hd_resume {
    struct hd_verdicts *doc; /* owned */
    char **argv;             /* the program and its arguments, as hd_session_open takes them */
    int argc;
};

/* Reads options->resume, which `verb` must have written, and sets the options that
 * the file decides: seed, strategy, steps, outcomes, checkers, what is recorded,
 * which tests, the budget of executions (unless another one than the default is
 * given), where verdicts go (unless -o says). argv, argc: what was given on the
 * command line, if anything: it must be the same program. 0, or -1 with err. */
int hd_resume_read(struct hd_resume *self, const char *verb, struct hd_options *options,
                   char **argv, int argc, struct hd_error *err);
/* Is the program still the one that the file is of? 0, or -1 with err. What the session
 * writes replaces the file only if it says no less. */
int hd_resume_fits(const struct hd_resume *self, struct hd_session *session,
                   struct hd_error *err);
/* Executions that the file tells of: to do them again costs none of the budget of time. */
uint64_t hd_resume_done(const struct hd_resume *self);
/* The search ended before its time: say what goes on with it. */
void hd_resume_hint(const char *verb, const struct hd_session *session);
void hd_resume_free(struct hd_resume *self);

#endif
