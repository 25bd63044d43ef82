/* main.c - the table of verbs, nothing else. */
#include "child.h"
#include "command.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

/* A build may leave a verb's file out; the table says so instead of failing to
 * link. */
#pragma weak hd_cmd_test
#pragma weak hd_cmd_run
#pragma weak hd_cmd_explore
#pragma weak hd_cmd_check
#pragma weak hd_cmd_replay
#pragma weak hd_cmd_trace
#pragma weak hd_cmd_name
#pragma weak hd_cmd_bench

const struct hd_command hd_commands[] = {
    {"test", hd_cmd_test,
     "record, check, explore what was flagged, decide every warning"},
    {"run", hd_cmd_run, "one execution under one schedule"},
    {"explore", hd_cmd_explore, "search for failing schedules with a strategy"},
    {"check", hd_cmd_check, "the offline checkers on a trace file"},
    {"replay", hd_cmd_replay, "run the witness of a verdict, or a schedule, again"},
    {"trace", hd_cmd_trace, "print or convert a trace"},
    {"name", hd_cmd_name, "a message of the runtime with names in place of addresses"},
    {"list", hd_cmd_list, "the strategies or checkers there are to choose from"},
    {"bench", hd_cmd_bench, "measure heddle itself"},
    {"help", hd_cmd_help, "this list, or the options of a command"},
    {NULL, NULL, NULL},
};

int hd_command_run(const char *name, int argc, char **argv) {
    struct hd_suggestion near = hd_suggestion_for(name);
    for (const struct hd_command *command = hd_commands; command->name; command++) {
        if (strcmp(command->name, name) != 0) {
            hd_suggestion_offer(&near, command->name);
            continue;
        }
        if (command->run) return command->run(argc, argv);
        fprintf(stderr, "heddle: %s: not in this build\n", name);
        return HD_EXIT_CANNOT;
    }
    fprintf(stderr, "heddle: %s: no such command", name);
    if (near.best) fprintf(stderr, "; there is %s", near.best);
    fprintf(stderr, " (heddle help)\n");
    return HD_EXIT_USAGE;
}

int main(int argc, char **argv) {
    hd_child_inherited();
    if (argc < 2) {
        fprintf(stderr, "heddle: a command is missing (heddle help)\n");
        return HD_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("heddle " HD_VERSION);
        return HD_EXIT_CLEAN;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return hd_command_run("help", 1, argv + 1);
    }
    return hd_command_run(argv[1], argc - 1, argv + 1);
}
