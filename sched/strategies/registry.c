/* registry.c - every strategy, in help order. */
#include "sched/strategy.h"

#include <string.h>

extern const struct hd_strategy_ops hd_strategy_dpor;
extern const struct hd_strategy_ops hd_strategy_bounded;
extern const struct hd_strategy_ops hd_strategy_random;
extern const struct hd_strategy_ops hd_strategy_pct;
extern const struct hd_strategy_ops hd_strategy_pos;
extern const struct hd_strategy_ops hd_strategy_surw;
extern const struct hd_strategy_ops hd_strategy_round_robin;
extern const struct hd_strategy_ops hd_strategy_replay;
extern const struct hd_strategy_ops hd_strategy_portfolio;
extern const struct hd_strategy_ops hd_strategy_goal;
extern const struct hd_strategy_ops hd_strategy_all;

const struct hd_strategy_ops *const hd_strategies[] = {
    &hd_strategy_dpor,
    &hd_strategy_bounded,
    &hd_strategy_random,
    &hd_strategy_pct,
    &hd_strategy_pos,
    &hd_strategy_surw,
    &hd_strategy_round_robin,
    &hd_strategy_replay,
    &hd_strategy_portfolio,
    &hd_strategy_goal,
    &hd_strategy_all,
    NULL,
};

const struct hd_strategy_ops *hd_strategy_find(const char *spec, const char **argument) {
    size_t length = strcspn(spec, ":");
    *argument = spec[length] ? spec + length + 1 : NULL;
    for (size_t i = 0; hd_strategies[i]; i++) {
        if (strlen(hd_strategies[i]->name) == length &&
            strncmp(hd_strategies[i]->name, spec, length) == 0) {
            return hd_strategies[i];
        }
    }
    return NULL;
}
