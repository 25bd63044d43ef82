/* registry.c - every checker there is, in the order `heddle list` prints them. */
#include "checkers/checker.h"

#include <string.h>

extern const struct hd_checker_ops hd_checker_blocks;
extern const struct hd_checker_ops hd_checker_reduction;
extern const struct hd_checker_ops hd_checker_reduction_online;
extern const struct hd_checker_ops hd_checker_races;
extern const struct hd_checker_ops hd_checker_determinism;
extern const struct hd_checker_ops hd_checker_velodrome;
extern const struct hd_checker_ops hd_checker_deadlock;
extern const struct hd_checker_ops hd_checker_views;
extern const struct hd_checker_ops hd_checker_transactions;
extern const struct hd_checker_ops hd_checker_stale;
extern const struct hd_checker_ops hd_checker_guards;

const struct hd_checker_ops *const hd_checkers[] = {
    &hd_checker_blocks,
    &hd_checker_reduction,
    &hd_checker_reduction_online,
    &hd_checker_races,
    &hd_checker_determinism,
    &hd_checker_velodrome,
    &hd_checker_deadlock,
    &hd_checker_views,
    &hd_checker_transactions,
    &hd_checker_stale,
    &hd_checker_guards,
    NULL,
};

const struct hd_checker_ops *hd_checker_find(const char *name, size_t length) {
    for (const struct hd_checker_ops *const *ops = hd_checkers; *ops; ops++) {
        if (strlen((*ops)->name) == length && !memcmp((*ops)->name, name, length)) {
            return *ops;
        }
    }
    return NULL;
}
