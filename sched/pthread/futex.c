/* futex.c - futexes: what std::atomic::wait and code without libc wait with.
 *
 * A futex is any word of the program's memory, so there is no room for a tag:
 * objects are found by address. A wait is two visible operations: to compare
 * and join the waiters, in one step, and to go on once woken. Wakers wake the
 * oldest that fit, which the kernel does in practice and nobody may rely on:
 * with more than one candidate it is the schedule's choice.
 *
 * Supported: WAIT, WAKE, WAIT_BITSET, WAKE_BITSET, REQUEUE, CMP_REQUEUE,
 * WAKE_OP; private or not. Priority-inheriting ones are refused (ENOSYS), as by
 * a kernel without them. */
#include "futex.h"

#include "block.h"
#include "state.h"

#include "../shadow.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

struct sleeper {
    struct hd_thread *thread;
    struct hd_futex *at; /* where it waits now: may be moved */
    uint32_t bits;
    bool woken;
    struct sleeper *next;
};

struct hd_futex {
    struct hd_primitive object;
    uint32_t *word;
    uint32_t waiters;
    struct sleeper *first;
    struct hd_futex *chain;
};

enum { BUCKETS = 256 };

static struct hd_futex *find(uint32_t *word) {
    struct hd_pthread_state *state = hd_pthread_state();
    if (!state->futexes) state->futexes = hd_passing(BUCKETS * sizeof *state->futexes);
    uint64_t hash = ((uintptr_t)word >> 2) * 0x9e3779b97f4a7c15UL;
    struct hd_futex **bucket = &state->futexes[hash >> 56];
    for (struct hd_futex *at = *bucket; at; at = at->chain) {
        if (at->word == word) return at;
    }
    struct hd_futex *made = hd_passing(sizeof *made);
    made->word = word;
    made->object.kind = HD_SYNC_FUTEX;
    made->object.tag = word;
    made->object.place.key = (uintptr_t)word;
    made->chain = *bucket;
    *bucket = made;
    return made;
}

static void enqueue(struct hd_futex *self, struct sleeper *sleeper) {
    struct sleeper **at = &self->first;
    while (*at) at = &(*at)->next;
    sleeper->next = NULL;
    sleeper->at = self;
    *at = sleeper;
    self->waiters++;
}

static void dequeue(struct sleeper *sleeper) {
    struct sleeper **at = &sleeper->at->first;
    while (*at != sleeper) at = &(*at)->next;
    *at = sleeper->next;
    sleeper->at->waiters--;
}

static bool woken(struct hd_thread *thread, void *argument) {
    (void)thread;
    return ((const struct sleeper *)argument)->woken;
}

static long wait(uint32_t *word, uint32_t value, uint64_t deadline, uint32_t bits, void *pc) {
    if (bits == 0) return -EINVAL;
    struct hd_futex *self = find(word);
    hd_step(HD_WAIT, &self->object.place, HD_MODE_WRITE, pc);
    hd_touch(hd_var_place(hd_var_get((uintptr_t)word, 4)), HD_MODE_READ);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
    struct sleeper sleeper = {.thread = hd_rt->current, .bits = bits};
    enqueue(self, &sleeper);
    enum hd_wake how = hd_block(HD_PEND, &self->object.place, HD_MODE_WRITE, pc, woken, &sleeper,
                                deadline, HD_INTERRUPTIBLE);
    if (sleeper.woken) {
        hd_touch(&sleeper.at->object.place, HD_MODE_READ);
        hd_record_sync(HD_PEND, &sleeper.at->object, 0, 0, pc);
        return 0;
    }
    dequeue(&sleeper);
    return how == HD_TIMED_OUT ? -ETIMEDOUT : -EINTR;
}

static struct sleeper *choose(struct hd_futex *self, uint32_t bits) {
    int fit = 0;
    for (struct sleeper *at = self->first; at; at = at->next) fit += (at->bits & bits) != 0;
    if (fit == 0) return NULL;
    int nth = fit > 1 ? hd_choose(fit) : 0;
    struct sleeper *at = self->first;
    while (!(at->bits & bits) || nth-- > 0) at = at->next;
    return at;
}

static long wake(struct hd_futex *self, uint32_t count, uint32_t bits, void *pc) {
    long done = 0;
    bool all = count >= self->waiters;
    while ((uint32_t)done < count) {
        struct sleeper *lucky = NULL;
        if (all) { /* no choice to make */
            for (lucky = self->first; lucky && !(lucky->bits & bits);) lucky = lucky->next;
        } else {
            lucky = choose(self, bits);
        }
        if (!lucky) break;
        dequeue(lucky);
        lucky->woken = true;
        hd_changed_for(lucky->thread);
        hd_record_sync(HD_POST, &self->object, 0, 0, pc);
        done++;
    }
    return done;
}

static long requeue(struct hd_futex *self, uint32_t wakes, uint32_t moves, uint32_t *target,
                    void *pc) {
    long done = wake(self, wakes, UINT32_MAX, pc);
    struct hd_futex *other = find(target);
    hd_touch(&other->object.place, HD_MODE_WRITE);
    for (; moves > 0 && self->first && other != self; moves--, done++) {
        struct sleeper *moved = self->first;
        dequeue(moved);
        enqueue(other, moved);
    }
    return done;
}

/* FUTEX_WAKE_OP: change the second word, wake at the first, and at the second
 * if its former value compares. */
static long wake_op(struct hd_futex *self, uint32_t wakes, uint32_t more, uint32_t *second,
                    uint32_t code, void *pc) {
    int operation = code >> 28 & 7, compare = code >> 24 & 15;
    int32_t operand = (int32_t)(code << 8) >> 20, against = (int32_t)(code << 20) >> 20;
    if (code >> 31) operand = 1 << (operand & 31);
    int32_t old = (int32_t)*second;
    switch (operation) {
    case FUTEX_OP_SET: *second = (uint32_t)operand; break;
    case FUTEX_OP_ADD: *second += (uint32_t)operand; break;
    case FUTEX_OP_OR: *second |= (uint32_t)operand; break;
    case FUTEX_OP_ANDN: *second &= ~(uint32_t)operand; break;
    case FUTEX_OP_XOR: *second ^= (uint32_t)operand; break;
    default: return -ENOSYS;
    }
    bool also;
    switch (compare) {
    case FUTEX_OP_CMP_EQ: also = old == against; break;
    case FUTEX_OP_CMP_NE: also = old != against; break;
    case FUTEX_OP_CMP_LT: also = old < against; break;
    case FUTEX_OP_CMP_LE: also = old <= against; break;
    case FUTEX_OP_CMP_GT: also = old > against; break;
    case FUTEX_OP_CMP_GE: also = old >= against; break;
    default: return -ENOSYS;
    }
    long done = wake(self, wakes, UINT32_MAX, pc);
    if (!also) return done;
    struct hd_futex *other = find(second);
    hd_touch(&other->object.place, HD_MODE_WRITE);
    return done + wake(other, more, UINT32_MAX, pc);
}

static int deadline_of(int operation, const struct timespec *time, uint64_t *out, void *pc) {
    *out = HD_NEVER;
    if (!time) return 0;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) return hd_deadline_in(time, out, pc);
    return hd_deadline(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time,
                       out, pc);
}

long hd_futex(uint32_t *word, int operation, uint32_t value, uintptr_t fourth, uint32_t *second,
              uint32_t third, void *pc) {
    int command = operation & FUTEX_CMD_MASK;
    if (((uintptr_t)word & 3) != 0) return -EINVAL;
    if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) {
        uint64_t deadline;
        if (deadline_of(operation, (const struct timespec *)fourth, &deadline, pc) != 0) {
            return -EINVAL;
        }
        return wait(word, value, deadline, command == FUTEX_WAIT ? UINT32_MAX : third, pc);
    }
    if (command != FUTEX_WAKE && command != FUTEX_WAKE_BITSET && command != FUTEX_REQUEUE &&
        command != FUTEX_CMP_REQUEUE && command != FUTEX_WAKE_OP) {
        hd_note("futex operation %d is not modelled: refused with ENOSYS", command);
        return -ENOSYS;
    }
    if (command == FUTEX_WAKE_BITSET && third == 0) return -EINVAL;
    struct hd_futex *self = find(word);
    hd_step(HD_POST, &self->object.place, HD_MODE_WRITE, pc);
    switch (command) {
    case FUTEX_WAKE: return wake(self, value, UINT32_MAX, pc);
    case FUTEX_WAKE_BITSET: return wake(self, value, third, pc);
    case FUTEX_WAKE_OP: return wake_op(self, value, (uint32_t)fourth, second, third, pc);
    case FUTEX_CMP_REQUEUE:
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != third) return -EAGAIN;
        break;
    default: break;
    }
    return requeue(self, value, (uint32_t)fourth, second, pc);
}
