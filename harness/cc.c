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
#include "harness/cc_mark.h"
#include "harness/cc_memory.h"
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

/* Whoever uses a response file has a line that may be too long for exec; and gcc hands
 * its own children one only if it got one. */
static char **shortened(const struct hd_words *line, size_t commands) {
    char *text = hd_cc_join(line->word + commands);
    const char *path = hd_cc_memory_file("heddle-arguments", text, strlen(text));
    if (!path) return line->word;
    struct hd_words out = {0};
    for (size_t i = 0; i < commands; i++)
        hd_words_add(&out, line->word[i]);
    hd_words_add(&out, hd_cc_format("@%s", path));
    return out.word;
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
    if (args.lto && hd_cc_args_has(&args, HD_CC_SOURCE)) {
        hd_words_add(&args.notes,
                     "-flto left out: instrumentation must be in the objects");
    }
    hd_cc_line(&tool, &args, hd_cc_links(&args) ? hd_cc_mark(&args) : NULL, &line);
    say_notes(&args);
    execv(tool.program,
          args.from_file ? shortened(&line, tool.command.count) : line.word);
    hd_cc_stop(2, "cannot run %s: %s", tool.program, strerror(errno));
}
