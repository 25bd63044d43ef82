/* cmd_run.c - `heddle run`: one execution under one schedule. */
#include "command.h"
#include "session.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>

struct seen {
    struct hd_session *session;
    bool failed;
    bool diverged;
    struct hd_error err;
};

static bool take_note(void *argument, const char *text) {
    struct seen *seen = argument;
    if (!seen->session->options->quiet) {
        fprintf(stderr, "heddle: note: %s\n", hd_session_text(seen->session, text));
    }
    return true;
}

static bool take_ending(void *argument, const struct hd_ending *ending) {
    struct seen *seen = argument;
    struct hd_session *session = seen->session;
    const struct hd_options *options = session->options;
    if (ending->diverged) {
        fprintf(stderr, "heddle: the schedule could not be followed: %s\n", ending->diverged);
        seen->diverged = true;
    } else if (ending->failure) {
        seen->failed = true;
        struct hd_place place = hd_session_place(session, ending);
        fprintf(stderr, "heddle: %s in thread %s", ending->failure,
                ending->thread ? ending->thread : "?");
        if (place.file) fprintf(stderr, " at %s:%u", place.file, place.line);
        fprintf(stderr, ": %s\n", hd_session_text(session, ending->message));
    } else if (ending->status != 0) {
        seen->failed = true;
        fprintf(stderr, "heddle: the program ended with exit status %d\n", ending->status);
    }
    if (options->schedule &&
        hd_schedule_write_json(ending->schedule, options->schedule, &seen->err) < 0) {
        return true;
    }
    if (!options->quiet) {
        fprintf(stderr, "heddle: %llu threads, %llu events, %llu visible operations (seed %llu)\n",
                (unsigned long long)ending->threads, (unsigned long long)ending->events,
                (unsigned long long)ending->steps, (unsigned long long)options->seed);
    }
    return true;
}

/* replay:FILE takes either form of schedule; the runtime reads plain lines. */
static int plain_replay(const char *strategy, struct hd_temporary *plain, struct hd_error *err) {
    struct hd_schedule *schedule = hd_schedule_open(strategy + 7, err);
    if (!schedule) return -1;
    int rc = hd_temporary_schedule(plain, schedule, err);
    hd_schedule_free(schedule);
    return rc;
}

int hd_cmd_run(int argc, char **argv) {
    struct hd_options options = {0};
    struct hd_usage usage = {
        .verb = "run",
        .operands = "PROG [ARGS...]",
        .about = "One execution under one schedule.",
        .sets = (const struct hd_option_set[]){
            {hd_common_options, &options, HD_GROUP_RUN | HD_GROUP_TALK}, {0}},
    };
    int first;
    int rc = hd_options_read(&usage, argc, argv, &first);
    if (rc != HD_OPTIONS_GO_ON) return rc;
    const char *strategy = options.strategy ? options.strategy : "round-robin";
    struct hd_temporary plain = {0};
    struct hd_session session;
    struct seen seen = {.session = &session};
    rc = hd_session_open(&session, &options, argv + first, argc - first, strategy);
    if (rc < 0) return rc == -2 ? HD_EXIT_CANNOT : HD_EXIT_USAGE;
    rc = HD_EXIT_CANNOT;
    if (strncmp(strategy, "replay:", 7) == 0) {
        if (plain_replay(strategy, &plain, &seen.err) < 0) {
            fprintf(stderr, "heddle: %s\n", seen.err.text);
            rc = HD_EXIT_USAGE;
            goto out;
        }
        strategy = plain.strategy;
    }
    struct hd_child child = {
        .strategy = strategy,
        .seed = options.seed,
        .steps = options.steps,
        .trace = options.trace,
        .every_access = options.every_access,
        .transactions = options.transactions,
        .values = options.values,
        .spurious = options.spurious_wakeups,
        .ending = take_ending,
        .note = take_note,
        .argument = &seen,
    };
    struct hd_error err = {0};
    if (hd_child_run(&session.program, &child, &err) < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        goto out;
    }
    if (child.gave_up) goto out;
    if (child.refused) {
        rc = HD_EXIT_USAGE;
        goto out;
    }
    if (child.told == 0) {
        fprintf(stderr, "heddle: the program was lost (signal %d) before it could say how it ended\n",
                child.died);
        rc = HD_EXIT_FOUND;
        goto out;
    }
    if (seen.err.text[0]) {
        fprintf(stderr, "heddle: %s\n", seen.err.text);
        goto out;
    }
    char note[512] = "";
    if (options.trace && hd_names_apply(options.trace, note, sizeof note, &err) < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        goto out;
    }
    if (note[0] && !options.quiet) fprintf(stderr, "heddle: note: %s\n", note);
    rc = seen.diverged ? HD_EXIT_CANNOT : seen.failed ? HD_EXIT_FOUND : HD_EXIT_CLEAN;

out:
    hd_temporary_drop(&plain);
    hd_session_close(&session);
    return rc;
}
