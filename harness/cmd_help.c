/* cmd_help.c - `heddle help [COMMAND]`: the verbs, or the options of one.
 *
 * A command prints its own help from its own tables: asking for it is the same
 * as calling the command with --help. */
#include "command.h"
#include "option.h"

#include <stdio.h>
#include <string.h>

static void overview(void) {
    printf(
        "usage: heddle COMMAND [options] ...\n\n"
        "Runs concurrent C programs under a scheduler of its own, predicts what can go\n"
        "wrong, and goes and looks. Build the program with heddle-cc first.\n\n");
    for (const struct hd_command *command = hd_commands; command->name; command++) {
        printf("  %-9s %s\n", command->name, command->help);
    }
    printf("\nheddle help COMMAND   its options\n"
           "heddle --version      the version\n\n"
           "exit status: 0 nothing harmful found, 1 a failure or a harmful warning,\n"
           "2 bad usage or input, 3 heddle could not do it\n");
}

int hd_cmd_help(int argc, char **argv) {
    if (argc < 2 || argv[1][0] == '-') {
        overview();
        return HD_EXIT_CLEAN;
    }
    if (strcmp(argv[1], "help") == 0) {
        printf("usage: heddle help [COMMAND]\n");
        return HD_EXIT_CLEAN;
    }
    char flag[] = "--help";
    char *asked[] = {argv[1], flag, NULL};
    return hd_command_run(argv[1], 2, asked);
}
