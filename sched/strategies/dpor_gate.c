/* dpor_gate.c - could an operation that waits have been done earlier, and what
 * would have been in its way?
 *
 * To reverse a race of `early` and `late` at the state S before `early`: the set
 * F of what comes after and does not depend on `early` is done, then `late`. If
 * `late` may have to wait, F can be too much: of two readers in a deadlock with
 * a writer one is `early`, the other is in F and keeps the writer out as well. So
 * it is not F but the largest part W of F that `late` can follow: closed under
 * "comes before", and with the gate of its place open in the end.
 *
 * There is such a largest part, since two parts that leave the gate open leave it
 * open together. Every thread must have given back what it took, and a thread's
 * operations in a part are the first so many that it did; of two parts the larger
 * number leaves it without the lock, too. So whoever takes the lock and does not
 * give it back within the part is put out, with all that comes after it; that may
 * be somebody else's giving back, so it is done until nobody is put out.
 *
 * Why W is enough. Suppose the search is through with S and there is an execution
 * w from S none of whose classes was begun: no thread in `done`, those tried or
 * asleep at S, is a weak initial of w. For p in done let v(p) be the longest
 * prefix of w that p is a weak initial of, q the step of w after v(p), and cost(p)
 * the fewest further steps after p.v(p) until q can be done (infinite if there is
 * no such way). Take p with the longest v, and of those one with the lowest
 * cost; z is a cheapest way, or any way to the end. By induction the class of
 * S.p.v.z.q, or of S.p.v.z where q stays pending, was run, and p's step and q's
 * depend on each other. All of v is independent of p's step and lets q pass, so v
 * is part of W, and W.q was put into the tree: some r in done is a weak initial of
 * W.q, hence of v. If r's step is not one that q depends on, r is a weak initial
 * of v.q: then v(p) was not the longest. Otherwise it is a step in W, q follows
 * v.r by what is left of W, which lacks p and is part of z: cost(r) is lower than
 * cost(p). Neither can be. (Steps of W after q are independent of q: what depends
 * on q depends on p.)
 *
 * The look for races goes backward through everything that the later operation
 * depends on, and stops where it surely could have been done: what is before that
 * cannot be the p of a cheapest way, q could have been done earlier. So SURELY
 * must not be said where it is not so; NEVER must not, either; MAYBE may always be
 * said, and costs executions that end when they are found to be redundant.
 *
 * The gates of locks and semaphores are known exactly (hd_place.gate), before
 * every operation on them. A deadline, a signal or a request to end can open the
 * way too: then the whole of F is tried as well. For all else that blocks: where
 * the later thread stood before its operation already, whether it was enabled at
 * the earlier node tells, unless something independent of the earlier one had to
 * do with it too. Where it did not stand there yet, the kinds of both tell. */
#include "dpor.h"

/* ---- the gate of a lock ---------------------------------------------------------- */

static bool is_open(int32_t gate, const struct hd_late *late) {
    if (late->kind == HD_PEND) return gate > 0;
    if (late->mode == HD_MODE_WRITE) return hd_gate_holders(gate) == 0;
    return hd_gate_holders(gate) >= 0 && hd_gate_waiters(gate) == 0;
}

void hd_dpor_gate(struct hd_late *late, uint32_t touch, int32_t gate) {
    late->touch = touch;
    late->gate = gate;
    late->gated = late->gated && gate != HD_NO_GATE &&
                  (late->kind == HD_ACQUIRE || late->kind == HD_PEND);
    /* It was done although the gate was shut: something else let it pass. */
    if (late->node != UINT32_MAX && !is_open(gate, late)) late->gated = false;
}

static bool is_stopped(const struct hd_dpor *self, uint32_t index) {
    for (uint32_t i = 0; i < self->stop_count; i++) {
        uint32_t stop = self->stops[i];
        if (stop == index || hd_node_before(&self->nodes[stop], &self->nodes[index].clock)) {
            return true;
        }
    }
    return false;
}

bool hd_dpor_stays(const struct hd_dpor *self, uint32_t early, const struct hd_late *late,
                   uint32_t index) {
    if (index <= early) return index < early;
    const struct hd_node *node = &self->nodes[index];
    return index != late->node && !node->vain &&
           !hd_node_before(&self->nodes[early], &node->clock) && !is_stopped(self, index);
}

/* How much it shuts the later one out. */
static int weight(int32_t gate, const struct hd_late *late) {
    int holders = hd_gate_holders(gate), alone = holders < 0;
    return late->mode == HD_MODE_READ ? alone + hd_gate_waiters(gate) : alone ? 1 : holders;
}

/* Who took the later one's lock before it, and who gave it back. Waiting for it, where
 * readers let him go first, is to have taken it for them. Returns how shut
 * it was before all that: a constructor may have taken it. */
static int collect_deeds(struct hd_dpor *self, const struct hd_late *late) {
    int after = weight(late->gate, late);
    self->deed_count = 0;
    for (uint32_t touch = late->touch; touch; touch = self->touches[touch - 1].before) {
        const struct hd_touch_note *note = &self->touches[touch - 1];
        int before = weight(note->gate, late);
        if (after != before) {
            HD_DPOR_GROW(self->deeds, self->deed_count, self->deed_room);
            self->deeds[self->deed_count++] = (struct hd_deed){note->node, after > before};
        }
        after = before;
    }
    return after;
}

static bool is_given_back(const struct hd_dpor *self, uint32_t early, const struct hd_late *late,
                          uint32_t deed) {
    uint16_t thread = self->nodes[self->deeds[deed].node].thread;
    int has = 1;
    while (deed-- > 0 && has > 0) {
        const struct hd_deed *next = &self->deeds[deed];
        if (self->nodes[next->node].thread != thread) continue;
        if (hd_dpor_stays(self, early, late, next->node)) has += next->takes ? 1 : -1;
    }
    return has == 0;
}

bool hd_dpor_clear(struct hd_dpor *self, uint32_t early, const struct hd_late *late) {
    int shut = collect_deeds(self, late);
    self->stop_count = 0;
    for (uint32_t i = self->deed_count; i-- > 0;) {
        const struct hd_deed *deed = &self->deeds[i];
        if (!deed->takes || !hd_dpor_stays(self, early, late, deed->node) ||
            is_given_back(self, early, late, i)) {
            continue;
        }
        if (deed->node < early) return false;
        HD_DPOR_GROW(self->stops, self->stop_count, self->stop_room);
        self->stops[self->stop_count++] = deed->node;
        i = self->deed_count; /* others may have to go now: from the beginning */
    }
    for (uint32_t i = 0; i < self->deed_count; i++) {
        if (hd_dpor_stays(self, early, late, self->deeds[i].node)) {
            shut += self->deeds[i].takes ? 1 : -1;
        }
    }
    return shut == 0 && (late->previous <= early + 1 || !is_stopped(self, late->previous - 1));
}

/* ---- everything else -------------------------------------------------------------- */

static enum hd_together by_kind(const struct hd_node *early, const struct hd_late *late) {
    if (late->timed || late->called) return HD_MAYBE; /* that may have been enough there */
    switch (late->kind) {
    case HD_ACQUIRE: return early->kind == HD_RELEASE ? HD_NEVER_THERE : HD_MAYBE;
    case HD_JOIN: return early->kind == HD_STOP ? HD_NEVER_THERE : HD_MAYBE;
    default: return HD_MAYBE;
    }
}

/* What was not done yet does not tell all that it depends on: who wakes it, or
 * cancels it. */
static bool matters_to(const struct hd_node *node, const struct hd_late *late) {
    if (hd_foot_conflict(&node->foot, &late->foot)) return true;
    if (late->node != UINT32_MAX) return false;
    if (node->kind == HD_NONE && node->mode == HD_MODE_WRITE) return true;
    return late->kind == HD_WAKE && (node->kind == HD_NOTIFY || node->kind == HD_NOTIFYALL);
}

/* Among what comes after `early` and does not depend on it: is there anything
 * that could make the later one possible, or not? */
static bool meddled(const struct hd_dpor *self, uint32_t early, const struct hd_late *late) {
    uint32_t end = late->node < self->depth ? late->node : self->depth;
    for (uint32_t i = early + 1; i < end; i++) {
        const struct hd_node *node = &self->nodes[i];
        if (!node->is_value && matters_to(node, late) &&
            !hd_node_before(&self->nodes[early], &node->clock)) {
            return true;
        }
    }
    return false;
}

static enum hd_together without_gate(const struct hd_dpor *self, uint32_t early,
                                     const struct hd_late *late, bool same_place) {
    const struct hd_node *node = &self->nodes[early];
    if (late->previous <= early && late->thread < 64) {
        bool enabled = node->enabled >> late->thread & 1;
        if (enabled && !late->timed) return HD_SURELY;
        if (meddled(self, early, late)) return HD_MAYBE;
        return enabled ? HD_SURELY : late->called ? HD_MAYBE : HD_NEVER_THERE;
    }
    if (!late->blocking) return HD_SURELY;
    return same_place ? by_kind(node, late) : HD_MAYBE;
}

enum hd_together hd_dpor_together(struct hd_dpor *self, uint32_t early, const struct hd_late *late,
                                  const struct hd_touch_note *note, bool *choosy) {
    *choosy = false;
    if (!late->gated) return without_gate(self, early, late, note != NULL);
    bool open;
    if (note && (note->mode == HD_MODE_WRITE || late->kind == HD_PEND)) {
        open = is_open(note->gate, late); /* nothing else that touches it is independent */
    } else if (late->kind == HD_ACQUIRE) {
        *choosy = true;
        open = hd_dpor_clear(self, early, late);
    } else {
        return without_gate(self, early, late, false);
    }
    if (open) return HD_SURELY;
    if (!late->timed && !late->called) return HD_NEVER_THERE;
    return without_gate(self, early, late, note != NULL);
}
