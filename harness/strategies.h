/* strategies.h - the strategies by name, as the command line knows them.
 *
 * The strategies themselves live in the runtime, inside the program under
 * test. This is what `heddle list strategies` prints, and what --strategy is
 * checked against before a program is started. */
#ifndef HD_STRATEGIES_H
#define HD_STRATEGIES_H

#include "sched/trace/error.h"

#include <stdint.h>

enum hd_strategy_argument {
    HD_ARGUMENT_NONE,
    HD_ARGUMENT_COUNT,       /* a number of at least 0 */
    HD_ARGUMENT_DEPTH,       /* a number of at least 1 */
    HD_ARGUMENT_PROBABILITY, /* a decimal from 0 to 1 */
    HD_ARGUMENT_FILE,
};

struct hd_strategy_name {
    const char *name;
    enum hd_strategy_argument kind;
    int optional;         /* the argument may be left out */
    const char *argument; /* what help calls it */
    const char *help;
};

/* In help order, ended by an entry without a name. */
extern const struct hd_strategy_name hd_strategy_names[];

/* NAME[:ARG]. 0, or -1 with what is wrong (without the option's name). */
int hd_strategy_check(const char *text, struct hd_error *err);

/* One entry of --record: a strategy and how many executions of it. */
struct hd_recording {
    char strategy[256];
    uint64_t executions;
};

/* The next entry of a list, and `*text` behind it. 0, or -1 with err. */
int hd_recording_next(const char **text, struct hd_recording *out, struct hd_error *err);

#endif
