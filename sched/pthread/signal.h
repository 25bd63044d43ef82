/* signal.h - signals to threads, between the files that deal with them. */
#ifndef HD_SIGNAL_H
#define HD_SIGNAL_H

#include "block.h"
#include "state.h"

static inline uint64_t hd_signal_bit(int number) { return 1UL << (number - 1); }
static inline uint64_t hd_signal_bits(const sigset_t *set) {
    return *(const uint64_t *)(const void *)set;
}
static inline void hd_signal_set(sigset_t *set, uint64_t bits) {
    sigemptyset(set);
    *(uint64_t *)(void *)set = bits;
}

/* Send to one thread. Point, effect; handlers of the calling thread itself run
 * before it returns. */
int hd_signal_send(struct hd_thread *target, int number, const siginfo_t *info, void *pc);
/* Other signals are blocked from now on; what waited for that is delivered. */
void hd_signal_mask(struct hd_thread *self, uint64_t mask);
/* Other signals are blocked while it waits; what waited for that ends the wait. Returns
 * the former mask. */
uint64_t hd_signal_mask_meanwhile(struct hd_thread *self, uint64_t mask);
/* A longjmp leaves everything below `sp`: handlers there are over, and the mask is
 * what it was before them if the jump restores it. */
void hd_signal_jumped(struct hd_thread *self, uintptr_t sp, bool with_mask);
/* Take one of `wanted` that is pending for this thread; 0: none is. */
int hd_signal_take(struct hd_thread *self, uint64_t wanted, siginfo_t *info);

#endif
