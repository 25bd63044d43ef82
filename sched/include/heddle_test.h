/* heddle_test.h - exploring a function or a unit test from within a program.
 *
 * Included by heddle.h (heddle_explore) and heddle_unity.h. */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Zero or NULL: the default. HEDDLE_OPTIONS in the environment comes after and
 * overrides. */
struct heddle_options {
    unsigned long long executions; /* 1000 */
    double seconds;                /* 2 */
    const char *strategy;          /* as heddle --strategy takes it; "portfolio" */
    unsigned long long seed;       /* 1 */
    const char *name;              /* for HEDDLE_TEST and files; "explore-1", ... */
};

/* Strings are valid until the next exploration. */
struct heddle_result {
    unsigned long long executions;
    unsigned long long failures; /* 0 or 1: the first one ends the exploration */
    int exhausted;               /* there is no other schedule */
    unsigned threads;            /* most in any execution; 1: there was nothing to explore */
    const char *kind;            /* "assertion", "crash", "deadlock", ...; NULL: no failure;
                                    "confirmed harmful": nothing failed, a checker found that */
    const char *message;
    const char *schedule; /* of the failure, in plain form */
    const char *again;    /* the command that runs it again */
    const char *output;   /* what the failing execution printed, else the first one */
    int answer;           /* what the first execution's function returned (tests) */
};

/* What a test framework says of one test. */
struct heddle_test_ {
    const char *name;
    int (*run)(void *argument);  /* one execution; its answer, made of these bits and more */
    int (*left)(void *argument); /* it was left by a longjmp of any thread: the answer */
    void *argument;
    const char *words; /* options; NULL: none */
    const char *mark;  /* in the line of the output that tells of a failure */
    const char *lead;  /* what that line may begin with that is no part of it; NULL: nothing */
    const void *frame; /* the jmp_buf that a failed assertion goes to; NULL: any */
};
/* In an answer; that of a framework's test is never 0. */
enum { HEDDLE_FAILED_ = 1, HEDDLE_IGNORED_ = 2 };

enum {
    HEDDLE_DONE_,    /* explored: see the result */
    HEDDLE_SKIPPED_, /* another test is asked for */
    HEDDLE_INLINE_,  /* the whole program is being explored: just run it */
    HEDDLE_CANNOT_,  /* the message says why */
};
#ifdef __HEDDLE__
/* The heddle command is near this file. */
extern const char heddle_header_[] __attribute__((weak));
const char heddle_header_[] = __FILE__;
int heddle_test_(const struct heddle_test_ *test, struct heddle_result *result);
#endif

#ifdef __cplusplus
}
#endif

#endif
