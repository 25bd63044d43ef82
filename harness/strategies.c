/* strategies.c - the names that --strategy takes, and what may follow them. */
#include "strategies.h"

#include "option.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

const struct hd_strategy_name hd_strategy_names[] = {
    {"dpor", HD_ARGUMENT_NONE, 0, "",
     "every class of equivalent schedules once; complete"},
    {"bounded", HD_ARGUMENT_COUNT, 0, ":K", "every schedule with at most K preemptions"},
    {"random", HD_ARGUMENT_PROBABILITY, 1, "[:P]",
     "random walk; P is the probability of a switch"},
    {"pct", HD_ARGUMENT_DEPTH, 1, "[:D]",
     "random priorities with D - 1 changes; D is 3 if not given"},
    {"pos", HD_ARGUMENT_NONE, 0, "",
     "random priorities to operations, drawn anew when they conflict"},
    {"surw", HD_ARGUMENT_NONE, 0, "",
     "random walk weighted by the operations that are still to come"},
    {"round-robin", HD_ARGUMENT_NONE, 0, "",
     "every runnable thread in turn; one run, for a first trace"},
    {"replay", HD_ARGUMENT_FILE, 0, ":FILE", "what a schedule says, step for step"},
    {"portfolio", HD_ARGUMENT_NONE, 0, "",
     "dpor, bounded:2, pct, pos, surw and random share the budget by what they yield"},
    {"goal", HD_ARGUMENT_FILE, 0, ":FILE",
     "hold threads at places until others have passed theirs"},
    {"all", HD_ARGUMENT_FILE, 1, "[:visible|:K]",
     "every schedule, without any reduction; for comparison on tiny programs"},
    {NULL, HD_ARGUMENT_NONE, 0, NULL, NULL},
};

static int check_argument(const struct hd_strategy_name *strategy, const char *argument,
                          struct hd_error *err) {
    uint64_t number;
    double decimal;
    switch (strategy->kind) {
    case HD_ARGUMENT_NONE:
        hd_fail(err, 0, "%s takes no argument", strategy->name);
        return -1;
    case HD_ARGUMENT_COUNT:
        if (hd_number_read(argument, &number) && number <= 1000) return 0;
        hd_fail(err, 0, "expected a number of preemptions from 0 to 1000 after %s:",
                strategy->name);
        return -1;
    case HD_ARGUMENT_DEPTH:
        if (hd_number_read(argument, &number) && number >= 1 && number <= 1000) return 0;
        hd_fail(err, 0, "expected a depth from 1 to 1000 after %s:", strategy->name);
        return -1;
    case HD_ARGUMENT_PROBABILITY:
        if (hd_decimal_read(argument, &decimal) && decimal <= 1) return 0;
        hd_fail(err, 0, "expected a probability from 0 to 1 after %s:", strategy->name);
        return -1;
    case HD_ARGUMENT_FILE:
        if (*argument) return 0;
        hd_fail(err, 0, "expected a file after %s:", strategy->name);
        return -1;
    }
    return -1;
}

int hd_strategy_check(const char *text, struct hd_error *err) {
    char name[64];
    size_t length = strcspn(text, ":");
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, text, length);
    name[length] = '\0';
    struct hd_suggestion near = hd_suggestion_for(name);
    for (const struct hd_strategy_name *strategy = hd_strategy_names; strategy->name;
         strategy++) {
        if (strcmp(strategy->name, name) != 0) {
            hd_suggestion_offer(&near, strategy->name);
            continue;
        }
        if (text[length] == ':') return check_argument(strategy, text + length + 1, err);
        if (strategy->kind == HD_ARGUMENT_NONE || strategy->optional) return 0;
        hd_fail(err, 0, "an argument is missing: %s%s", strategy->name,
                strategy->argument);
        return -1;
    }
    if (near.best) {
        hd_fail(err, 0, "no such strategy; there is %s (heddle list strategies)",
                near.best);
    } else {
        char all[300] = "";
        size_t used = 0;
        for (const struct hd_strategy_name *each = hd_strategy_names; each->name; each++) {
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", each->name);
        }
        hd_fail(err, 0, "no such strategy; there are %s", all);
    }
    return -1;
}

int hd_recording_next(const char **text, struct hd_recording *out, struct hd_error *err) {
    size_t length = strcspn(*text, ",*");
    const char *rest = *text + length;
    char digits[24] = "1";
    if (length == 0 || length >= sizeof out->strategy) {
        hd_fail(err, 0, "expected STRATEGY[*N],...");
        return -1;
    }
    memcpy(out->strategy, *text, length);
    out->strategy[length] = '\0';
    if (*rest == '*') {
        size_t count = strcspn(++rest, ",");
        if (count < sizeof digits) memcpy(digits, rest, count);
        digits[count < sizeof digits ? count : 0] = '\0';
        rest += count;
    }
    if (!hd_number_read(digits, &out->executions) || out->executions == 0) {
        hd_fail(err, 0, "expected a number of executions after %s*", out->strategy);
        return -1;
    }
    *text = *rest ? rest + 1 : rest;
    return hd_strategy_check(out->strategy, err);
}
