/* spurious.c - waits on conditions that end for nothing, when asked for.
 *
 * Whether a wait does so is settled when it begins: the thread then lets go of the
 * mutex and takes it again, and never is among the waiters. If it were for a while, a
 * signal meant for another would go to another all the same; and one that could go to
 * nobody else would be its own, for which it waits by the other answer. So at every
 * wait a signal, the deadline and nothing are all possible.
 *
 * A loop that is woken for nothing again and again would never end, so:
 *
 *   (1) Who comes back to the same call, with the same registers, the same stack and
 *       the same condition, and has written nothing in between, has gone round in a
 *       circle that can be left out of any execution without a difference to anybody:
 *       it waits for something now. Unless it had locks on the way, this mutex or
 *       others, that somebody tried: he may have found them taken.
 *   (2) Otherwise, a count that goes up say, it is woken for nothing three times in a
 *       row, until a signal or a deadline wakes it. Where that leaves something out,
 *       the search is not complete, and says so. */
#include "block.h"
#include "state.h"

#include "../class.h"
#include "../spin.h"

/* Never twice the same if the state is not to be found out. */
static uint64_t state_of(const struct hd_vain *vain, const struct hd_primitive *condition, void *pc) {
    uint64_t state = hd_spin_state(hd_rt->current);
    uint64_t hash = hd_mix(hd_mix(state, (uintptr_t)pc), condition->place.key);
    return hd_mix(hash, state ? vain->wrote : vain->count);
}

static bool is_circle(const struct hd_vain *vain, uint64_t state) {
    for (unsigned i = 0; i < vain->count; i++) {
        if (vain->states[i] == state) return true;
    }
    return false;
}

static bool may_wake(const struct hd_vain *vain, uint64_t state, bool seen) {
    if (!seen && is_circle(vain, state)) return false;
    if (vain->count < HD_VAIN_MOST) return true;
    hd_rt->incomplete = true;
    if (hd_rt->explore) {
        hd_note("a thread is woken for nothing at most %d times in a row", HD_VAIN_MOST);
    }
    return false;
}

bool hd_wakes_for_nothing(const struct hd_primitive *condition, const struct hd_primitive *mutex,
                          uint64_t writes, void *pc) {
    const struct hd_thread *self = hd_rt->current;
    struct hd_vain *vain = &hd_pthread_of(hd_rt->current)->vain;
    if (vain->count > 0) vain->wrote += writes - vain->since + (self->tried - vain->tried);
    uint64_t state = state_of(vain, condition, pc);
    if (!may_wake(vain, state, mutex->place.tried) || hd_choose(2) == 0) {
        *vain = (struct hd_vain){0};
        return false;
    }
    vain->states[vain->count++] = state;
    return true;
}

void hd_woke_for_nothing(void) {
    const struct hd_thread *self = hd_rt->current;
    struct hd_vain *vain = &hd_pthread_of(hd_rt->current)->vain;
    vain->since = self->writes;
    vain->tried = self->tried;
}
