/* cmd_list.c - `heddle list strategies|checkers`: what there is to choose from.
 *
 * A line each; the first word is the name to type. */
#include "checkers/checker.h"
#include "command.h"
#include "option.h"
#include "strategies.h"
#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int list_strategies(void) {
    for (const struct hd_strategy_name *strategy = hd_strategy_names; strategy->name;
         strategy++) {
        char usage[48] = "";
        if (strategy->argument[0])
            snprintf(usage, sizeof usage, " (%s%s)", strategy->name, strategy->argument);
        printf("%-12s %s%s\n", strategy->name, strategy->help, usage);
    }
    return HD_EXIT_CLEAN;
}

static void say_switches(const struct hd_switch *each, const char *between) {
    for (; each && each->name; each++) {
        bool number = strcmp(each->values, "N") == 0 && each->fallback;
        printf("%s%s=%s", between, each->name, each->values);
        if (number) printf(" (default: %s)", each->fallback);
        between = ", ";
    }
}

static int list_checkers(void) {
    for (const struct hd_checker_ops *const *ops = hd_checkers; *ops; ops++) {
        printf("%-16s %s", (*ops)->name, (*ops)->finds);
        say_switches((*ops)->switches, "; ");
        putchar('\n');
    }
    return HD_EXIT_CLEAN;
}

/* One checker at length: where it comes from, what its switches do. */
static int list_checker(const char *name) {
    struct hd_suggestion near = hd_suggestion_for(name);
    for (const struct hd_checker_ops *const *ops = hd_checkers; *ops; ops++) {
        if (strcmp((*ops)->name, name) != 0) {
            hd_suggestion_offer(&near, (*ops)->name);
            continue;
        }
        printf("%s: %s\n", name, (*ops)->finds);
        if ((*ops)->after) printf("after %s\n", (*ops)->after);
        const struct hd_switch *each = (*ops)->switches;
        if (each && each->name) printf("switches, the first value is the default:\n");
        for (; each && each->name; each++) {
            printf("  %s=%s", each->name, each->values);
            if (each->fallback) printf(" (default: %s)", each->fallback);
            printf("\n      %s\n", each->help);
        }
        return HD_EXIT_CLEAN;
    }
    fprintf(stderr, "heddle: list checkers %s: no such checker", name);
    if (near.best) fprintf(stderr, "; there is %s", near.best);
    fprintf(stderr, " (heddle list checkers)\n");
    return HD_EXIT_USAGE;
}

int hd_cmd_list(int argc, char **argv) {
    static const struct hd_option_set sets[] = {{NULL, NULL, 0}};
    static const struct hd_usage usage = {
        .verb = "list",
        .operands = "strategies | checkers [NAME]",
        .about = "What there is to choose from, a line each; or one checker at length.",
        .sets = sets,
        .mixed = true,
    };
    int first;
    int status = hd_options_read(&usage, argc, argv, &first);
    if (status != HD_OPTIONS_GO_ON) return status;
    int operands = argc - first;
    char **names = argv + first;
    if (operands == 1 && strcmp(names[0], "strategies") == 0) return list_strategies();
    if (operands == 1 && strcmp(names[0], "checkers") == 0) return list_checkers();
    if (operands == 2 && strcmp(names[0], "checkers") == 0) return list_checker(names[1]);
    fprintf(stderr, "heddle: list: expected strategies, checkers or checkers NAME\n");
    return HD_EXIT_USAGE;
}
