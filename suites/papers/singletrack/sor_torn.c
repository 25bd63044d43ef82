/* sor_torn.c - over-relaxation with a barrier that relies on whole 64-bit writes
 * (SingleTrack).
 *
 * The known defect of the paper's sor: neighbours tell each other by a 64-bit
 * number how far they have come, and storing it is two writes of 32 bits, as on
 * the machines of its time and as Java allows for a long. The number is the
 * iteration in the high half and the colour in the low half: from (1, 1) to
 * (2, 0) it is (2, 1) for a moment, and a neighbour that waits for (2, 1) goes on
 * a sweep early and reads points that are not there yet. That the number is
 * volatile and not atomic is a data race besides. Found by the paper's
 * SingleTrack, which gave a warning for each of the enclosing blocks.
 *
 * label: harmful
 * expect: determinism sor_run confirmed harmful
 * expect: atomicity sor confirmed harmful
 * expect: race double confirmed harmful
 * expect: failure assertion
 * budget: 500
 * native: may fail
 * tsan: race sor_meet sor_part
 * twin: sor.c
 * twin: sor_spin.c */
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

struct sor_meet {
    struct {
        volatile uint32_t come[2]; /* low half: colour; high half: iteration */
    } threads[4];
};

static void sor_meet_init(struct sor_meet *meet, int threads) {
    for (int i = 0; i < threads; i++) {
        meet->threads[i].come[0] = meet->threads[i].come[1] = 0;
    }
}

static void sor_meet_destroy(struct sor_meet *meet) { (void)meet; }

static void sor_wait_for(struct sor_meet *meet, int other, uint64_t here) {
    volatile uint32_t *come = meet->threads[other].come;
    while (((uint64_t)come[1] << 32 | come[0]) < here) {
        sched_yield();
    }
}

static void sor_meet(struct sor_meet *meet, int me, int threads, size_t sweep) {
    uint64_t here = (uint64_t)(sweep / 2 + 1) << 32 | sweep % 2;
    meet->threads[me].come[1] = (uint32_t)(here >> 32);
    meet->threads[me].come[0] = (uint32_t)here;
    if (me > 0) {
        sor_wait_for(meet, me - 1, here);
    }
    if (me + 1 < threads) {
        sor_wait_for(meet, me + 1, here);
    }
}

#include "sor_kernel.h"

enum { TEST_SWEEPS = 5 };
#include "sor_main.h"
