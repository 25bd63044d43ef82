/* option_help.c - the help of a command, made from its tables. */
#include "option.h"

#include <string.h>

enum { HELP_COLUMN = 28 };

static void one(const struct hd_option *option, FILE *out) {
    char left[96];
    int used = option->letter ? snprintf(left, sizeof left, "  -%c, --%s", option->letter,
                                         option->name)
                              : snprintf(left, sizeof left, "      --%s", option->name);
    if (option->kind != HD_OPTION_FLAG) {
        snprintf(left + used, sizeof left - (size_t)used, " %s", option->argument);
    }
    fprintf(out, "%-*s", HELP_COLUMN - 1, left);
    if (strlen(left) >= HELP_COLUMN) fprintf(out, "\n%*s", HELP_COLUMN - 1, "");
    for (const char *line = option->help; *line;) {
        size_t length = strcspn(line, "\n");
        if (line != option->help) fprintf(out, "\n%*s", HELP_COLUMN - 1, "");
        fprintf(out, " %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    const char *standard = option->standard;
    if (standard && standard[0] == '(') {
        fprintf(out, " %s", standard);
    } else if (standard) {
        fprintf(out, " (default: %s)", standard);
    }
    fputc('\n', out);
}

void hd_options_help(const struct hd_usage *usage, FILE *out) {
    fprintf(out, "usage: heddle %s [options] %s\n\n%s\n\noptions:\n", usage->verb,
            usage->operands, usage->about);
    for (const struct hd_option_set *set = usage->sets; set->options; set++) {
        for (const struct hd_option *option = set->options; option->name; option++) {
            if (set->groups && option->groups && !(set->groups & option->groups))
                continue;
            one(option, out);
        }
    }
    fprintf(out, "  -h, --help                this text\n");
}
