/* round_robin.c - everyone runs until it cannot, then the next.
 *
 * The dullest schedule there is, on purpose: it shows that a program runs at
 * all, and it gives the offline checkers a first trace to read. A thread goes
 * on while it can; when it blocks or steps aside, the next one up follows.
 * Deadlines pass only when nobody could run otherwise, or the only one who can
 * steps aside. There is no second run, because it could only repeat the first. */
#include "sched/runtime.h"
#include "sched/strategy.h"

static bool begin_run(uint64_t run) { return run == 0; }

/* Also where a replay goes on when its schedule has ended. */
int hd_round_robin_pick(const struct hd_choice *choice) {
    if (choice->current_runnable && !choice->yielding &&
        !hd_rt->threads[choice->current]->by_time) {
        return choice->current;
    }
    int late = -1, first = -1;
    for (size_t i = 0; i < choice->count; i++) {
        int id = choice->runnable[i];
        if (hd_rt->threads[id]->by_time) {
            if (late < 0) late = id;
        } else if (id > choice->current) {
            return id;
        } else if (first < 0) {
            first = id;
        }
    }
    /* One who steps aside and finds only sleepers lets time pass: he may be
     * waiting for one of them. */
    if (first == choice->current && choice->yielding && late >= 0) return late;
    return first >= 0 ? first : late;
}

const struct hd_strategy_ops hd_strategy_round_robin = {
    .name = "round-robin",
    .help = "every thread in turn, as long as it can run; one run, for a first trace",
    .partial = true,
    .begin_run = begin_run,
    .pick = hd_round_robin_pick,
};
