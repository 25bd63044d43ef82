/* fair.h - who has waited too long for a turn.
 *
 * A thread that polls under a lock, or sleeps again and again for a moment, goes
 * on for ever where the strategy lets it: nothing of what it does blocks. Where a
 * strategy is free to choose, a schedule that no machine would show is not worth
 * its million steps. */
#ifndef HD_FAIR_H
#define HD_FAIR_H

#include "sched/runtime.h"
#include "sched/strategy.h"

#define HD_PATIENCE 1000 /* steps of others; far more than a search tells apart */

/* For how many steps it has not had a turn, beyond `patience`; 0: it can wait. */
static inline uint64_t hd_starved(const struct hd_thread *thread, uint64_t patience) {
    uint64_t until = thread->ran_at + patience;
    return hd_rt->steps > until ? hd_rt->steps - until : 0;
}

/* Who has waited longest, if that is too long; -1: nobody. */
static inline int hd_most_starved(const struct hd_choice *choice, uint64_t patience) {
    int found = -1;
    uint64_t most = 0;
    for (size_t i = 0; hd_rt->steps > patience && i < choice->count; i++) {
        uint64_t starved = hd_starved(hd_rt->threads[choice->runnable[i]], patience);
        if (starved <= most) continue;
        most = starved;
        found = choice->runnable[i];
    }
    return found;
}

#endif
