/* happens_atomic.c - atomics and fences: who learns what from whom. */
#include "checkers/happens.h"

enum effect { NOTHING = 0, RELAXED = 1, ACQUIRES = 2, RELEASES = 4 };

static unsigned effect(uint32_t order) {
    switch (order) {
    case HD_VOLATILE: return NOTHING;
    case HD_RELAXED: return RELAXED;
    case HD_CONSUME:
    case HD_ACQUIRE_ORDER: return ACQUIRES;
    case HD_RELEASE_ORDER: return RELEASES;
    default: return ACQUIRES | RELEASES; /* and where a trace does not say */
    }
}

void hd_happens_atomic(struct hd_happens *hb, const struct hd_step *step) {
    unsigned what = effect(step->aux);
    if (what == NOTHING) {
        return;
    }
    uint32_t t = step->thread;
    struct hd_clock *cell = &hb->cells[step->obj], *now = &hb->threads[t];
    if (hd_kind_reads(step->kind)) {
        hd_clock_join(hb->arena, what & ACQUIRES ? now : &hb->seen[t], cell);
    }
    if (!hd_kind_writes(step->kind)) {
        return;
    }
    const struct hd_clock *told = what & RELEASES ? now : &hb->fenced[t];
    if (step->kind == HD_VRMW) { /* goes on with the chain that it reads from */
        hd_clock_join(hb->arena, cell, told);
    } else {
        hd_clock_copy(hb->arena, cell, told);
    }
    if (what & RELEASES) {
        hd_happens_tick(hb, t);
    }
}

void hd_happens_fence(struct hd_happens *hb, const struct hd_step *step) {
    unsigned what = effect(step->aux);
    uint32_t t = step->thread;
    if (what & ACQUIRES) {
        hd_clock_join(hb->arena, &hb->threads[t], &hb->seen[t]);
        hd_clock_clear(&hb->seen[t]);
    }
    if (what & RELEASES) {
        hd_clock_copy(hb->arena, &hb->fenced[t], &hb->threads[t]);
        hd_happens_tick(hb, t);
    }
}
