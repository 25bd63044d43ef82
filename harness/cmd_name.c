/* cmd_name.c - `heddle name`: a message of the runtime in the programmer's words.
 *
 * The runtime has no debug information and speaks of [prog+0x11d6]; a unit test
 * that is run by itself asks here before it prints a failure. */
#include "command.h"
#include "names.h"
#include "option.h"

#include <stdio.h>
#include <string.h>

int hd_cmd_name(int argc, char **argv) {
    struct hd_options options = {0};
    struct hd_usage usage = {
        .verb = "name",
        .operands = "PROG TEXT",
        .about = "Print TEXT with names in place of addresses like [prog+0x11d6] of PROG.",
        .sets = (const struct hd_option_set[]){{hd_common_options, &options, HD_GROUP_TALK}, {0}},
    };
    int first;
    int rc = hd_options_read(&usage, argc, argv, &first);
    if (rc != HD_OPTIONS_GO_ON) return rc;
    if (argc - first != 2) {
        fprintf(stderr, "heddle: expected a program and a text (heddle help name)\n");
        return HD_EXIT_USAGE;
    }
    struct hd_name_book *book = hd_book_new();
    if (!book) {
        fprintf(stderr, "heddle: out of memory\n");
        return HD_EXIT_CANNOT;
    }
    char text[8192];
    hd_book_add(book, argv[first]);
    hd_book_text(book, argv[first + 1], text, sizeof text);
    puts(text);
    hd_book_free(book);
    return HD_EXIT_CLEAN;
}
