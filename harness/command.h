/* command.h - the verbs of `heddle`, and how each of them ends.
 *
 * A verb is a function in its own cmd_*.c. argv[0] is the verb itself; what it
 * returns is the exit status of the command. Results go to standard output,
 * talk to standard error. */
#ifndef HD_COMMAND_H
#define HD_COMMAND_H

enum hd_exit {
    HD_EXIT_CLEAN = 0,  /* nothing harmful was found */
    HD_EXIT_FOUND = 1,  /* a failure was seen, or a warning confirmed as harmful */
    HD_EXIT_USAGE = 2,  /* bad usage or bad input */
    HD_EXIT_CANNOT = 3, /* heddle could not do it */
};

struct hd_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help; /* one line */
};

/* In help order, ended by an entry without a name. */
extern const struct hd_command hd_commands[];

int hd_cmd_test(int argc, char **argv);
int hd_cmd_run(int argc, char **argv);
int hd_cmd_explore(int argc, char **argv);
int hd_cmd_check(int argc, char **argv);
int hd_cmd_replay(int argc, char **argv);
int hd_cmd_trace(int argc, char **argv);
int hd_cmd_name(int argc, char **argv);
int hd_cmd_list(int argc, char **argv);
int hd_cmd_bench(int argc, char **argv);
int hd_cmd_help(int argc, char **argv);

/* Run a verb by name; an unknown one is answered with a suggestion. */
int hd_command_run(const char *name, int argc, char **argv);

#endif
