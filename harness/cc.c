/* cc.c - heddle-cc and heddle-c++: the compiler, with heddle's flags.
 *
 * Reads the command line, adds what instrumentation and linking need, and becomes the
 * compiler (execv): its exit status, its signals and its words are what the caller
 * gets. Everything that is decided here is in cc_args.c (what is asked) and
 * cc_flags.c (what is added).
 *
 * Not seen: sources that a plugin or another front end compiles; -x cuda, hip and
 * Fortran are compiled plain. */
#include "harness/cc_args.h"
#include "harness/cc_flags.h"
#include "harness/cc_tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say_notes(const struct hd_cc_args *args) {
    for (size_t i = 0; i < args->notes.count; i++) {
        fprintf(stderr, "heddle-cc: note: %s\n", args->notes.word[i]);
    }
}

int main(int argc, char **argv) {
    struct hd_cc_args args = {0};
    struct hd_cc_tool tool = {0};
    struct hd_words line = {0};

    if (argc < 1) return 2;
    hd_cc_args_read(&args, argv + 1);
    if (args.unknown) {
        hd_cc_stop(2, "%s: no such option; there is --heddle-as-compiled", args.unknown);
    }
    hd_cc_tool_find(&tool, argv[0]);
    hd_cc_line(&tool, &args, NULL, &line);
    say_notes(&args);
    execv(line.word[0], line.word);
    hd_cc_stop(2, "cannot run %s: %s", line.word[0], strerror(errno));
}
