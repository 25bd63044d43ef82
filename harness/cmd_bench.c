/* cmd_bench.c - `heddle bench`: the tables of `make bench`, or some of them.
 *
 * The measuring is a script with its own small programs, which an installation
 * does not have: it is looked for from the running command's place in a build
 * tree. */
#define _GNU_SOURCE
#include "command.h"
#include "option.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "x/build/bin/heddle" -> "x/build" */
static char *cut(char *path, int parts) {
    for (; parts > 0; parts--) {
        char *slash = strrchr(path, '/');
        if (slash) *slash = '\0';
    }
    return path;
}

int hd_cmd_bench(int argc, char **argv) {
    struct hd_usage usage = {
        .verb = "bench",
        .operands = "[PART...]",
        .about = "Measure heddle itself against baselines of this machine: switch, record, explore,\n"
                 "search, threads, units, checkers, power; papers, the tables of four papers, or one of\n"
                 "them (papers-accuracy ...); all of it if none is named. Needs the source tree; tables\n"
                 "go to standard output and to results/bench/ there.",
        .sets = (const struct hd_option_set[]){{0}},
    };
    int first;
    int rc = hd_options_read(&usage, argc, argv, &first);
    if (rc != HD_OPTIONS_GO_ON) return rc;

    char build[PATH_MAX] = "", source[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", build, sizeof build - 1);
    build[length < 0 ? 0 : length] = '\0';
    cut(build, 2);
    snprintf(source, sizeof source, "%s", build);
    cut(source, 1);
    if (chdir(source) != 0 || access("harness/bench.sh", R_OK) != 0) {
        fprintf(stderr, "heddle: bench: its programs are in heddle's source; say make bench there\n");
        return HD_EXIT_CANNOT;
    }
    setenv("BUILD", build, 1);
    char **line = calloc((size_t)argc + 3, sizeof *line);
    if (!line) return HD_EXIT_CANNOT;
    line[0] = "sh";
    line[1] = "harness/bench.sh";
    memcpy(line + 2, argv + first, (size_t)(argc - first) * sizeof *line);
    execvp("sh", line);
    fprintf(stderr, "heddle: bench: cannot start sh: %s\n", strerror(errno));
    return HD_EXIT_CANNOT;
}
