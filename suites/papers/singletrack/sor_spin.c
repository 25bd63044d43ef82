/* sor_spin.c - over-relaxation, neighbours waiting for each other (SingleTrack).
 *
 * The barrier of sor_torn.c, made right: how far a thread has come is an atomic
 * 64-bit number. It is stored once and looked at until it is high enough, so the
 * points that are read are always those of the sweep before: one result. But
 * looking and storing conflict, and the determinism checker knows nothing of what
 * the number means: a warning on `come`, and both orders happen. Benign. That the
 * block is not atomic is confirmed without an impact: its threads wait for each other,
 * so no execution has it in one step, and there is none to compare with.
 *
 * label: benign
 * expect: determinism come confirmed benign
 * expect: atomicity sor confirmed
 * expect: race double refuted
 * native: deterministic
 * tsan: clean
 * twin: sor_torn.c */
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct sor_meet {
    struct {
        _Atomic uint64_t come; /* high half: iteration, low half: colour */
    } threads[4];
};

static void sor_meet_init(struct sor_meet *meet, int threads) {
    for (int i = 0; i < threads; i++) {
        atomic_init(&meet->threads[i].come, 0);
    }
}

static void sor_meet_destroy(struct sor_meet *meet) { (void)meet; }

static void sor_wait_for(struct sor_meet *meet, int other, uint64_t here) {
    while (atomic_load(&meet->threads[other].come) < here) {
        sched_yield();
    }
}

static void sor_meet(struct sor_meet *meet, int me, int threads, size_t sweep) {
    uint64_t here = (uint64_t)(sweep / 2 + 1) << 32 | sweep % 2;
    atomic_store(&meet->threads[me].come, here);
    if (me > 0) {
        sor_wait_for(meet, me - 1, here);
    }
    if (me + 1 < threads) {
        sor_wait_for(meet, me + 1, here);
    }
}

#include "sor_kernel.h"

enum { TEST_SWEEPS = 2 };
#include "sor_main.h"
