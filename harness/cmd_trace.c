/* cmd_trace.c - `heddle trace`: print a trace, or turn it into another form.
 *
 * Any form is read, told apart by content; text goes to standard output unless
 * asked otherwise. --import makes a binary trace, the form that is quickest to
 * read again. */
#include "command.h"
#include "file.h"
#include "option.h"
#include "sched/trace/trace.h"

#include <errno.h>
#include <string.h>

enum form { TEXT, JSON, STD, BINARY };
enum import { IMPORT_ANY, IMPORT_STD, IMPORT_TEXT };

static const char *const forms[] = {"text", "json", "std", "binary", NULL};
static const char *const imports[] = {"any", "std", "text", NULL};

struct choices {
    unsigned format, import;
    const char *out;
};

static const struct hd_option options[] = {
    {.name = "format",
     .kind = HD_OPTION_CHOICE,
     .argument = "FORM",
     .words = forms,
     .standard = "text",
     .offset = offsetof(struct choices, format),
     .help = "text, json (an object a line), std (T1|r(x)|place) or binary"},
    {.name = "import",
     .kind = HD_OPTION_CHOICE,
     .argument = "FORM",
     .words = imports,
     .standard = "any",
     .offset = offsetof(struct choices, import),
     .help = "take FILE for std or text, and write a binary trace"},
    {.name = "out",
     .letter = 'o',
     .kind = HD_OPTION_TEXT,
     .argument = "FILE",
     .offset = offsetof(struct choices, out),
     .help = "where to write, - is standard output"},
    {.name = NULL},
};

/* What the system refused heddle (a full disk) is not the user's mistake. */
static int fail(const struct hd_error *err) {
    fprintf(stderr, "heddle: %s\n", err->text);
    switch (err->cause) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
        return HD_EXIT_CANNOT;
    default:
        return HD_EXIT_USAGE;
    }
}

static int write_form(struct hd_trace *trace, unsigned form, FILE *out,
                      struct hd_error *err) {
    switch ((enum form)form) {
    case JSON:
        return hd_trace_write_json(trace, out, err);
    case STD:
        return hd_trace_write_std(trace, out, err);
    default:
        return hd_trace_write_text(trace, out, err);
    }
}

/* To a file that appears whole, so that it may be the one that is read. */
static int write_file(struct hd_trace *trace, const struct choices *c,
                      struct hd_error *err) {
    struct hd_file file;
    if (hd_file_create(&file, c->out, err) < 0) return -1;
    int rc = c->format == BINARY
                 ? hd_trace_write_binary(trace,
                                         file.temporary ? file.temporary : file.path, err)
                 : write_form(trace, c->format, file.stream, err);
    if (rc == 0) {
        rc = hd_file_commit(&file, err);
        if (rc < 0 && err->cause == 0) err->cause = EIO;
    }
    hd_file_drop(&file);
    return rc;
}

int hd_cmd_trace(int argc, char **argv) {
    struct choices c = {0};
    const struct hd_option_set sets[] = {{options, &c, 0}, {NULL, NULL, 0}};
    const struct hd_usage usage = {
        .verb = "trace",
        .operands = "TRACE",
        .about = "Print a trace, or convert it. Reads the binary form, text and std;\n"
                 "- is standard input.",
        .sets = sets,
        .mixed = true,
    };
    int first;
    int status = hd_options_read(&usage, argc, argv, &first);
    if (status != HD_OPTIONS_GO_ON) return status;
    if (argc - first != 1) {
        fprintf(stderr, "heddle: trace: expected one TRACE, there are %d\n",
                argc - first);
        return HD_EXIT_USAGE;
    }
    if (c.out && strcmp(c.out, "-") == 0) c.out = NULL;
    if (c.import != IMPORT_ANY && c.format == TEXT) c.format = BINARY;
    if (c.format == BINARY && !c.out) {
        fprintf(stderr,
                "heddle: trace: a binary trace needs a file to go to (-o FILE)\n");
        return HD_EXIT_USAGE;
    }

    struct hd_error err = {0};
    struct hd_trace *trace = c.import == IMPORT_STD ? hd_trace_open_std(argv[first], &err)
                                                    : hd_trace_open(argv[first], &err);
    if (!trace) return fail(&err);
    int rc =
        c.out ? write_file(trace, &c, &err) : write_form(trace, c.format, stdout, &err);
    hd_trace_free(trace);
    return rc < 0 ? fail(&err) : HD_EXIT_CLEAN;
}
