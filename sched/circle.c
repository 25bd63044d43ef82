/* circle.c - see circle.h. */
#include "circle.h"

#include "count.h"
#include "report.h"
#include "runtime.h"
#include "spin.h"

enum { LAP = 4096, LOOKS = 2 };

struct hd_circle {
    struct hd_thread *thread;
    uint64_t state, writes;
    uint32_t epoch, accesses;
    void *anchor, *least; /* where it was looked at; the first place of the lap, in the code */
};

/* By anybody. */
static uint64_t written(void) {
    uint64_t sum = 1;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) sum += hd_rt->threads[i]->writes;
    return sum;
}

static uint64_t state_at(struct hd_thread *self, void *pc) {
    struct hd_op op = self->op;
    self->op.pc = pc;
    uint64_t state = hd_spin_state(self);
    self->op = op;
    return state;
}

bool hd_circle_begin(struct hd_thread *self, void *pc) {
    if (!hd_rt->circle) hd_rt->circle = hd_lasting(sizeof *hd_rt->circle);
    struct hd_circle *circle = hd_rt->circle;
    uint64_t state = state_at(self, pc);
    if (!state) return false;
    hd_stamp(); /* what it writes again counts again */
    *circle = (struct hd_circle){.thread = self, .state = state, .writes = self->writes,
                                 .epoch = self->epoch, .anchor = pc, .least = pc};
    return true;
}

static bool all_circle(uint64_t sum) {
    for (uint32_t i = 0; i < hd_rt->runnable_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[hd_rt->runnable[i]];
        if (thread->circles < LOOKS || thread->circled != sum) return false;
    }
    return true;
}

static void found(struct hd_thread *self, void *least) {
    uint64_t sum = written();
    if (self->circled != sum) self->circles = 0;
    self->circled = sum;
    self->circle_at = least;
    self->circles++;
    if (all_circle(sum)) hd_report_circles();
}

bool hd_circle_watch(struct hd_thread *self, void *pc) {
    struct hd_circle *circle = hd_rt->circle;
    if (circle->thread != self || circle->epoch != self->epoch) return false;
    if (circle->writes != self->writes || ++circle->accesses > LAP) return false;
    if (pc < circle->least) circle->least = pc;
    if (pc != circle->anchor || state_at(self, pc) != circle->state) return true;
    found(self, circle->least);
    return false;
}
