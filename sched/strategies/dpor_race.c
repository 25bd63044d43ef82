/* dpor_race.c - after an execution: which operations could have come in another
 * order?
 *
 * Two operations race if they depend on each other and nothing in between
 * orders them. To reverse a race, everything after the earlier operation that
 * does not depend on it is done, then the later one.
 *
 * A later operation that blocks cannot come first if it was the earlier one that
 * made it possible (an unlock before a lock): then the race is with what came
 * before that on the same place. dpor_gate.c says whether, and who would be in the
 * way.
 *
 * Threads that never got to do what they stand before (a deadlock, or the end of
 * the process) race as if they had done it. */
#include "dpor.h"

#include "sched/report.h"

#define LONG 4096 /* nodes: an execution whose races take their time */

static bool hidden(const struct hd_dpor *self, uint32_t early) {
    for (uint32_t i = 0; i < self->race_count; i++) {
        const struct hd_race *race = &self->races[i];
        if (race->node != early && race->possible == HD_SURELY &&
            hd_node_before(&self->nodes[early], &self->nodes[race->node].clock)) {
            return true;
        }
    }
    return false;
}

static enum hd_together consider(struct hd_dpor *self, uint32_t early, const struct hd_late *late,
                                 const struct hd_touch_note *note) {
    struct hd_race race = {.node = early};
    race.possible = (uint8_t)hd_dpor_together(self, early, late, note, &race.choosy);
    if (race.possible == HD_NEVER_THERE || hidden(self, early)) return race.possible;
    for (uint32_t i = 0; i < self->race_count; i++) {
        if (self->races[i].node == early) return race.possible;
    }
    HD_DPOR_GROW(self->races, self->race_count, self->race_room);
    self->races[self->race_count++] = race;
    return race.possible;
}

/* Races with what was done on one place, from its latest touch back. */
static void on_place(struct hd_dpor *self, uint32_t touch, unsigned mode,
                     const struct hd_late *late, bool waits_there) {
    for (; touch; touch = self->touches[touch - 1].before) {
        const struct hd_touch_note *earlier = &self->touches[touch - 1];
        bool write = earlier->mode == HD_MODE_WRITE;
        if (!write && mode == HD_MODE_READ) continue;
        if (earlier->node == late->node) continue;
        if (self->nodes[earlier->node].thread == late->thread ||
            hd_node_known(self, earlier->node, late->previous)) {
            if (write) return;
            continue;
        }
        if (consider(self, earlier->node, late, waits_there ? earlier : NULL) == HD_SURELY && write) {
            return;
        }
    }
}

static void make_room(struct hd_dpor *self) {
    if (self->sequence_room >= self->room) return;
    self->sequence_room = self->room;
    self->sequence = hd_lasting(self->sequence_room * sizeof *self->sequence);
}

static void insert(struct hd_dpor *self, uint32_t early, const struct hd_late *late) {
    uint32_t count = 0, slot = self->nodes[early].slot, epoch = self->nodes[early].epoch;
    bool kept = false; /* answers go with their operation */
    for (uint32_t i = early + 1; i < self->depth; i++) {
        const struct hd_node *node = &self->nodes[i];
        if (!node->is_value) {
            kept = hd_clock_get(&node->clock, slot) < epoch && i != late->node && !node->vain &&
                   (self->stop_count == 0 || hd_dpor_stays(self, early, late, i));
        }
        if (kept) self->sequence[count++] = hd_move_of(self, i);
    }
    hd_wake_insert(self, &self->nodes[early], count, late);
}

/* Do what does not depend on `early` and is not in the way, then the later one. */
static void reverse(struct hd_dpor *self, const struct hd_race *race, const struct hd_late *late) {
    make_room(self);
    self->stop_count = 0;
    if (race->choosy && hd_dpor_clear(self, race->node, late) && self->stop_count > 0) {
        insert(self, race->node, late);
        if (!late->timed && !late->called) return;
    }
    self->stop_count = 0;
    insert(self, race->node, late);
}

static void reverse_all(struct hd_dpor *self, const struct hd_late *late) {
    for (uint32_t i = 0; i < self->race_count; i++) {
        if (!hidden(self, self->races[i].node)) reverse(self, &self->races[i], late);
    }
    self->race_count = 0;
}

/* Earlier, or elsewhere, an operation may do more than it did: succeed where it
 * failed, run into a deadline. */
static void widen(const struct hd_dpor *self, struct hd_late *event) {
    switch (event->kind) {
    case HD_READ:
    case HD_WRITE:
    case HD_VREAD:
    case HD_VWRITE: return;
    case HD_JOIN:
    case HD_BLEAVE: break;
    default:
        if (event->gated) break; /* it does what it says, or waits */
        for (unsigned i = 0; i < event->foot.count; i++) event->foot.mode[i] = HD_MODE_WRITE;
    }
    if (self->timed) hd_foot_add(&event->foot, HD_KEY_TIME, HD_MODE_WRITE);
}

static struct hd_late late_of(const struct hd_dpor *self, uint32_t index) {
    const struct hd_node *node = &self->nodes[index];
    struct hd_late late = {.thread = node->thread,
                           .home = node->home,
                           .node = index,
                           .previous = node->previous,
                           .kind = node->kind,
                           .mode = node->mode,
                           .blocking = node->blocking,
                           .gated = node->gated,
                           .timed = node->timed,
                           .called = hd_rt->threads[node->thread]->called,
                           .foot = node->foot};
    if (node->called) late.foot.all = true; /* without it: whatever it stands before */
    if (node->touch_count) { /* the first is of the place that it stood before */
        const struct hd_touch_note *note = &self->touches[node->touches];
        hd_dpor_gate(&late, note->before, note->gate);
    }
    return late;
}

/* Is it clear without a closer look that what was done there before is ordered? */
static bool ordered(const struct hd_dpor *self, const struct hd_node *node,
                    const struct hd_touch_note *touch) {
    if (!touch->before) return true;
    const struct hd_touch_note *last = &self->touches[touch->before - 1];
    return last->mode == HD_MODE_WRITE && (self->nodes[last->node].thread == node->thread ||
                                           hd_node_known(self, last->node, node->previous));
}

static void races_of_node(struct hd_dpor *self, uint32_t index) {
    const struct hd_node *node = &self->nodes[index];
    uint32_t first = 0;
    while (first < node->touch_count && ordered(self, node, &self->touches[node->touches + first])) {
        first++;
    }
    if (first == node->touch_count) return;
    struct hd_late late = late_of(self, index);
    widen(self, &late);
    for (uint32_t i = first; i < node->touch_count; i++) {
        const struct hd_touch_note *touch = &self->touches[node->touches + i];
        on_place(self, touch->before, touch->mode, &late, i == 0);
    }
    reverse_all(self, &late);
}

/* The execution ended with this operation: it depends on all others. */
static void races_of_end(struct hd_dpor *self, uint32_t index) {
    struct hd_node *node = &self->nodes[index];
    node->foot.all = true;
    struct hd_late late = late_of(self, index);
    for (uint32_t i = index; i-- > 0;) {
        if (!self->nodes[i].settled || self->nodes[i].thread == node->thread) continue;
        if (hd_node_known(self, i, node->previous)) continue;
        consider(self, i, &late, NULL);
    }
    reverse_all(self, &late);
}

/* Who could still do something when the execution ended might have done it right
 * before. The end is part of that sequence: others that sleep at the node and do
 * not mind the first step may never come to theirs. */
static void before_end(struct hd_dpor *self, const struct hd_late *pending, uint32_t end) {
    make_room(self);
    struct hd_node *node = &self->nodes[end];
    struct hd_late last = late_of(self, end);
    self->nodes[self->depth] = (struct hd_node){
        .thread = pending->thread, .home = pending->home, .foot = pending->foot,
        .slot = hd_rt->threads[pending->thread]->slot,
        .epoch = hd_rt->threads[pending->thread]->epoch + 1,
        .clock = hd_rt->threads[pending->thread]->clock};
    self->sequence[0] = hd_move_of(self, self->depth);
    hd_wake_insert(self, node, 1, &last);
}

static void races_of_pending(struct hd_dpor *self, struct hd_thread *thread, uint32_t end) {
    struct hd_late late = {.thread = thread->id,
                            .home = thread->home,
                            .node = UINT32_MAX,
                            .previous = self->last[thread->id],
                            .kind = thread->op.kind,
                            .mode = thread->op.mode,
                            .called = thread->called,
                            .gated = thread->ready && !thread->awaiting,
                            .blocking = thread->ready != NULL || thread->awaiting,
                            .timed = thread->deadline != HD_NEVER};
    const struct hd_op *op = &thread->op;
    if (op->place && op->mode != HD_MODE_NONE) hd_foot_add(&late.foot, op->place->key, op->mode);
    if (op->also) hd_foot_add(&late.foot, op->also->key, HD_MODE_WRITE);
    if (op->place) hd_dpor_gate(&late, op->place->last_touch, op->place->gate);
    widen(self, &late);
    bool choosy;
    if (end && hd_dpor_together(self, end - 1, &late, NULL, &choosy) == HD_SURELY) {
        before_end(self, &late, end - 1);
        return;
    }
    if (op->place && op->mode != HD_MODE_NONE) {
        on_place(self, op->place->last_touch, late.foot.mode[0], &late, true);
    }
    if (op->also) on_place(self, op->also->last_touch, HD_MODE_WRITE, &late, false);
    reverse_all(self, &late);
}

/* A long execution has more races than there is time for. */
static bool late(void) {
    if (!hd_rt->stop_at || hd_real_now() < hd_rt->stop_at) return false;
    hd_rt->incomplete = true;
    return true;
}

void hd_dpor_races(struct hd_dpor *self) {
    if (self->depth == 0) return;
    uint32_t first = self->prefix ? self->prefix - 1 : 0;
    while (first > 0 && self->nodes[first].is_value) first--;
    for (uint32_t i = first; i < self->depth; i++) {
        if ((i % 256 == 255 || self->depth > LONG) && late()) return;
        if (!self->nodes[i].is_value && !self->nodes[i].vain) races_of_node(self, i);
    }
    if (hd_rt->outcome.blocked) return;
    uint32_t end = 0; /* node + 1 of the operation with which it ended */
    if (hd_rt->runnable_count > 0) {
        end = self->depth;
        while (end > 0 && self->nodes[end - 1].is_value) end--;
        if (end) races_of_end(self, end - 1);
    }
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread->state == HD_THREAD_FINISHED) continue;
        if (end && self->nodes[end - 1].thread == thread->id) continue;
        races_of_pending(self, thread, end);
    }
}
