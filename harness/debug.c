/* debug.c - `heddle replay --gdb`: the same schedule, under the user's eyes.
 *
 * All threads are fibers of one OS thread and the schedule is followed by the runtime
 * inside the program, so gdb has nothing to do with scheduling: however long the
 * user looks, the same thing happens next. */
#define _GNU_SOURCE
#include "debug.h"

#include "child.h"
#include "temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(char **program, struct hd_error *err) {
    size_t count = 0;
    while (program[count]) count++;
    const char **line = calloc(count + 4, sizeof *line);
    if (!line) {
        hd_fail(err, 0, "out of memory");
        return -1;
    }
    line[0] = "gdb";
    line[1] = "-q";
    line[2] = "--args";
    memcpy(line + 3, program, count * sizeof *line);
    fflush(NULL);
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execvp(line[0], (char **)line);
        fprintf(stderr, "heddle: cannot start gdb: %s\n", strerror(errno));
        _exit(127);
    }
    free(line);
    if (child < 0) {
        hd_fail_system(err, errno, "cannot start gdb");
        return -1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int hd_debug(char **program, const struct hd_schedule *schedule,
             const struct hd_options *options, struct hd_error *err) {
    struct hd_temporary file;
    if (hd_temporary_schedule(&file, schedule, err) < 0) return -1;
    char *words = NULL;
    size_t size;
    int rc = -1;
    FILE *out = open_memstream(&words, &size);
    if (out) {
        fprintf(out, "seed=%llu steps=%llu%s", (unsigned long long)options->seed,
                (unsigned long long)options->steps,
                options->spurious_wakeups ? " spurious-wakeups" : "");
        hd_child_option(out, "strategy", file.strategy);
    }
    if (out && fclose(out) == 0) {
        setenv("HEDDLE_OPTIONS", words, 1);
        rc = start(program, err);
    } else {
        hd_fail(err, 0, "out of memory");
    }
    free(words);
    hd_temporary_drop(&file);
    return rc;
}
