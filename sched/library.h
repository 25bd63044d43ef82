/* library.h - exploring a function instead of main.
 *
 * A unit test, or a function given to heddle_explore, is explored in the middle
 * of a program that is already running. The frames of whoever asked are on the
 * main thread's stack and are part of what every execution starts from: they are
 * put back like everything else. The stack then looks so:
 *
 *     top    -> main's frames, ..., the caller's        put back (from `kept` up)
 *               heddle_explore, hd_explore, ...         heddle's own, left alone
 *     floor  -> thread 0 of the executions
 *     low
 *
 * Rules:
 *   (1) An exploration runs in a child process, or is the last thing that this
 *       process does: nobody goes back to the execution that asked for it.
 *   (2) Only the main thread may ask. Other threads that exist at that moment
 *       are not there in the exploration, as after a fork. */
#ifndef HD_LIBRARY_H
#define HD_LIBRARY_H

#include "include/heddle_test.h"
#include "runtime.h"

struct hd_test_name {
    struct hd_test_name *next;
    uint32_t times;
    char name[];
};

struct hd_library_state {
    const struct heddle_test_ *test; /* what an execution runs; NULL: main */
    char *floor, *kept;              /* of the main thread's stack, see above */

    char named[256];          /* HEDDLE_TEST: only this one; empty: all */
    bool alone;               /* nothing but that test: what the options say is for it */
    struct hd_config wanted;  /* if alone: those options */
    bool *found;              /* it was; shared with processes forked since */
    const char *mark;         /* of a test that runs as part of the program */
    uint32_t calls;           /* of heddle_explore */
    struct hd_test_name *names; /* of tests so far */

    /* for the closing line */
    uint32_t tests, lone, complete, large;
    uint64_t executions;

    /* of the last exploration, for its result */
    char *text;
    size_t room;
    uint64_t endings; /* different ones */
    uint64_t events;  /* of all executions */

    /* library_name.c: how to call heddle, and its file */
    const char *command, *command_path;
    bool has_command;
    bool side_told; /* that checkers could not be asked */
    char program[512];
    char lost[128]; /* message about a child that is */
};

/* NULL until a test is named or run. */
#define hd_library (hd_rt->library)

void hd_library_boot(void);    /* before main: is a test named? */
void hd_library_close(void);   /* after main */
void hd_library_entry(void) __attribute__((noreturn)); /* thread 0 of an execution */
void hd_library_over(void); /* the execution is */

/* library_run.c: this process is the test's from here on, and ends with it. `frame`:
 * the lowest address of the caller's frames. */
void hd_library_here(const struct heddle_test_ *test, char *frame);
void hd_library_child(const struct heddle_test_ *test, struct hd_config *config, char *frame,
                      int pipe);
/* While we wait for another process, nobody need look whether we get on (watch.h). */
void hd_library_wait(bool waiting);
/* An exploration in a child process; HEDDLE_DONE_ or HEDDLE_CANNOT_. */
int hd_library_apart(const struct heddle_test_ *test, struct hd_config *config, char *frame,
                     struct heddle_result *result);
bool hd_library_wanted(void); /* a test was asked for by its name */
void hd_library_afresh(void); /* another strategy will be opened */

#define HD_LIBRARY_GAP 65536 /* of the stack, for heddle's own frames */

/* library_result.c: what the child says, until it has said all; then the rest of
 * `result`. False: it did not come to its end; `over`: there will be no more. */
bool hd_library_listen(int fd, uint64_t milliseconds, bool *over, struct heddle_result *result);
/* Keep the schedule in a file and say how to run it again. */
void hd_library_keep(const struct heddle_test_ *test, struct heddle_result *result);
/* results/PROGRAM.TEST.suffix */
void hd_library_file(const struct heddle_test_ *test, const char *suffix, char *path,
                     size_t size);
const char *hd_library_word(const char *word); /* as a shell takes it */
char *hd_library_program(void); /* a path by which this program can be started */

/* library_name.c: the heddle command, as a user types it (a word of a shell, found or
 * not), and a message in its words. */
const char *hd_library_command(void);
const char *hd_library_name(const char *text);
/* Run it: what it printed, up to `room`. Its exit status; -1: it could not be run. */
int hd_library_ask(char *const *words, char *const *environment, char *text, size_t room);

/* library_side.c: what checkers have to say of a test that passed. */
void hd_library_side(const struct heddle_test_ *test, const struct hd_config *config, char *frame,
                     struct heddle_result *result);

#endif
