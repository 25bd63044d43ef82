/* cmd_list.c - `heddle list strategies|checkers`: what there is to choose from.
 *
 * A line each; the first word is the name to type. */
#include "command.h"
#include "option.h"
#include "strategies.h"

#include <stdio.h>
#include <string.h>

static int list_strategies(void) {
    for (const struct hd_strategy_name *strategy = hd_strategy_names; strategy->name; strategy++) {
        char usage[48] = "";
        if (strategy->argument[0]) snprintf(usage, sizeof usage, " (%s%s)", strategy->name, strategy->argument);
        printf("%-12s %s%s\n", strategy->name, strategy->help, usage);
    }
    return HD_EXIT_CLEAN;
}

int hd_cmd_list(int argc, char **argv) {
    static const struct hd_option_set sets[] = {{NULL, NULL, 0}};
    static const struct hd_usage usage = {
        .verb = "list",
        .operands = "strategies|checkers",
        .about = "What there is to choose from, a line each.",
        .sets = sets,
        .mixed = true,
    };
    int first;
    int status = hd_options_read(&usage, argc, argv, &first);
    if (status != HD_OPTIONS_GO_ON) return status;
    if (argc - first == 1 && strcmp(argv[first], "strategies") == 0) return list_strategies();
    fprintf(stderr, "heddle: list: expected strategies or checkers\n");
    return HD_EXIT_USAGE;
}
