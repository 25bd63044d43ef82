/* dpor_race.c - after an execution: which operations could have come in another
 * order?
 *
 * Two operations race if they depend on each other and nothing in between
 * orders them. To reverse a race, everything after the earlier operation that
 * does not depend on it is done, then the later one.
 *
 * A later operation that blocks cannot come first if it was the earlier one that
 * made it possible (an unlock before a lock): then the race is with what came
 * before that on the same place. Where the later thread stood before its
 * operation already, whether it was enabled at the earlier node tells, unless
 * something independent of the earlier one had to do with it too. Where it did
 * not stand there yet, the kinds of both tell; if even they do not, the
 * reversal is tried and the look backward goes on.
 *
 * Threads that never got to do what they stand before (a deadlock, or the end of
 * the process) race as if they had done it. */
#include "dpor.h"

#include "sched/report.h"

enum together { NEVER, MAYBE, SURELY };

/* What came right before the acquisition of this kind of thing left it free. */
static enum together by_kind(const struct hd_node *early, const struct hd_late *late) {
    bool writes = early->mode == HD_MODE_WRITE;
    if (late->timed) return MAYBE; /* its deadline may have passed there */
    switch (late->kind) {
    case HD_ACQUIRE:
        if (early->kind == HD_RELEASE || early->kind == HD_WAIT) return NEVER;
        if ((early->kind == HD_ACQUIRE || early->kind == HD_WAKE) && writes) return SURELY;
        return MAYBE;
    case HD_PEND: return early->kind == HD_PEND && writes ? SURELY : MAYBE;
    case HD_JOIN: return early->kind == HD_STOP ? NEVER : MAYBE;
    default: return MAYBE;
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

/* Could the later one have been done at the earlier one's node? */
static enum together together(const struct hd_dpor *self, uint32_t early,
                              const struct hd_late *late, bool same_place) {
    const struct hd_node *node = &self->nodes[early];
    if (late->previous <= early && late->thread < 64) {
        bool enabled = node->enabled >> late->thread & 1;
        if (enabled && !late->timed) return SURELY;
        if (meddled(self, early, late)) return MAYBE;
        return enabled ? SURELY : NEVER;
    }
    if (!late->blocking) return SURELY;
    return same_place ? by_kind(node, late) : MAYBE;
}

struct race {
    uint32_t node;
    enum together possible;
};

#define MOST 256 /* races of one operation; more are told by others that follow */

struct races {
    struct race list[MOST];
    uint32_t count;
};

static bool hidden(const struct hd_dpor *self, const struct races *races, uint32_t early) {
    for (uint32_t i = 0; i < races->count; i++) {
        if (races->list[i].node != early && races->list[i].possible == SURELY &&
            hd_node_before(&self->nodes[early], &self->nodes[races->list[i].node].clock)) {
            return true;
        }
    }
    return false;
}

static enum together consider(const struct hd_dpor *self, struct races *races, uint32_t early,
                              const struct hd_late *late, bool same_place) {
    enum together possible = together(self, early, late, same_place);
    if (possible == NEVER || races->count == MOST || hidden(self, races, early)) return possible;
    for (uint32_t i = 0; i < races->count; i++) {
        if (races->list[i].node == early) return possible;
    }
    races->list[races->count++] = (struct race){early, possible};
    return possible;
}

/* Races with what was done on one place, from its latest touch back. */
static void on_place(const struct hd_dpor *self, struct races *races, uint32_t touch,
                     unsigned mode, const struct hd_late *late) {
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
        if (consider(self, races, earlier->node, late, true) == SURELY && write) return;
    }
}

static void make_room(struct hd_dpor *self) {
    if (self->sequence_room >= self->room) return;
    self->sequence_room = self->room;
    self->sequence = hd_lasting(self->sequence_room * sizeof *self->sequence);
}

static bool touches(const struct hd_node *node, uint64_t key) {
    for (unsigned i = 0; i < node->foot.count; i++) {
        if (node->foot.key[i] == key) return true;
    }
    return false;
}

/* Did it take this, and did its thread not give it back? */
static bool keeps(const struct hd_dpor *self, uint32_t index, uint64_t key) {
    const struct hd_node *node = &self->nodes[index];
    if (node->kind != HD_ACQUIRE && node->kind != HD_PEND && node->kind != HD_WAKE) return false;
    if (!touches(node, key)) return false;
    for (uint32_t i = index + 1; i < self->depth; i++) {
        const struct hd_node *later = &self->nodes[i];
        if (later->is_value || later->thread != node->thread || !touches(later, key)) continue;
        return later->kind != HD_RELEASE && later->kind != HD_WAIT;
    }
    return true;
}

/* Of what does not depend on `early`, may this one come before the later one?
 * One that never got to its operation was kept from it: who took what it wants and
 * kept it, and what follows from that, would keep it from it again (a second reader, where
 * the first is the race). Those are put at the end of the sequence's room. */
static bool in_the_way(struct hd_dpor *self, uint32_t index, const struct hd_late *late,
                       uint32_t *stops) {
    const struct hd_node *node = &self->nodes[index];
    bool stop = false;
    for (uint32_t i = 0; i < *stops && !stop; i++) {
        stop = hd_node_before(&self->nodes[self->sequence[self->sequence_room - 1 - i]], &node->clock);
    }
    for (unsigned i = 0; i < late->foot.count && !stop; i++) {
        stop = late->foot.key[i] != HD_KEY_TIME && keeps(self, index, late->foot.key[i]);
    }
    if (stop) self->sequence[self->sequence_room - 1 - (*stops)++] = index;
    return stop;
}

/* Do what does not depend on `early`, then the later one. */
static void reverse(struct hd_dpor *self, uint32_t early, const struct hd_late *late) {
    make_room(self);
    uint32_t count = 0, stops = 0;
    bool kept = false; /* answers go with their operation */
    bool able = late->thread < 64 && self->nodes[early].enabled >> late->thread & 1;
    bool choosy = able && late->blocking && late->node == UINT32_MAX;
    for (uint32_t i = early + 1; i < self->depth; i++) {
        const struct hd_node *node = &self->nodes[i];
        if (!node->is_value) {
            kept = !node->vain && i != late->node &&
                   !hd_node_before(&self->nodes[early], &node->clock) &&
                   !(choosy && in_the_way(self, i, late, &stops));
        }
        if (kept) self->sequence[count++] = i;
    }
    hd_wake_insert(self, &self->nodes[early], count, late);
}

static void reverse_all(struct hd_dpor *self, const struct races *races,
                        const struct hd_late *late) {
    for (uint32_t i = 0; i < races->count; i++) {
        if (!hidden(self, races, races->list[i].node)) reverse(self, races->list[i].node, late);
    }
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
        for (unsigned i = 0; i < event->foot.count; i++) event->foot.mode[i] = HD_MODE_WRITE;
    }
    if (self->timed) hd_foot_add(&event->foot, HD_KEY_TIME, HD_MODE_WRITE);
}

static struct hd_late late_of(const struct hd_dpor *self, uint32_t index) {
    const struct hd_node *node = &self->nodes[index];
    return (struct hd_late){.thread = node->thread,
                            .home = node->home,
                            .node = index,
                            .previous = node->previous,
                            .kind = node->kind,
                            .blocking = node->blocking,
                            .timed = node->timed,
                            .foot = node->foot};
}

static void races_of_node(struct hd_dpor *self, uint32_t index) {
    const struct hd_node *node = &self->nodes[index];
    struct hd_late late = late_of(self, index);
    struct races races;
    races.count = 0;
    widen(self, &late);
    for (uint32_t i = 0; i < node->touch_count; i++) {
        const struct hd_touch_note *touch = &self->touches[node->touches + i];
        on_place(self, &races, touch->before, touch->mode, &late);
    }
    reverse_all(self, &races, &late);
}

/* The execution ended with this operation: it depends on all others. */
static void races_of_end(struct hd_dpor *self, uint32_t index) {
    struct hd_node *node = &self->nodes[index];
    node->foot.all = true;
    struct hd_late late = late_of(self, index);
    struct races races;
    races.count = 0;
    for (uint32_t i = index; i-- > 0;) {
        if (!self->nodes[i].settled || self->nodes[i].thread == node->thread) continue;
        if (hd_node_known(self, i, node->previous)) continue;
        consider(self, &races, i, &late, false);
    }
    reverse_all(self, &races, &late);
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
    self->sequence[0] = self->depth;
    hd_wake_insert(self, node, 1, &last);
}

static void races_of_pending(struct hd_dpor *self, struct hd_thread *thread, uint32_t end) {
    struct hd_late late = {.thread = thread->id,
                            .home = thread->home,
                            .node = UINT32_MAX,
                            .previous = self->last[thread->id],
                            .kind = thread->op.kind,
                            .blocking = thread->ready != NULL || thread->awaiting,
                            .timed = thread->deadline != HD_NEVER};
    const struct hd_op *op = &thread->op;
    if (op->place && op->mode != HD_MODE_NONE) hd_foot_add(&late.foot, op->place->key, op->mode);
    if (op->also) hd_foot_add(&late.foot, op->also->key, HD_MODE_WRITE);
    widen(self, &late);
    struct races races;
    races.count = 0;
    if (end && together(self, end - 1, &late, false) == SURELY) {
        before_end(self, &late, end - 1);
        return;
    }
    if (op->place && op->mode != HD_MODE_NONE) {
        on_place(self, &races, op->place->last_touch, late.foot.mode[0], &late);
    }
    if (op->also) on_place(self, &races, op->also->last_touch, HD_MODE_WRITE, &late);
    reverse_all(self, &races, &late);
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
        if ((i % 256 == 255 || self->depth > MOST * 16) && late()) return;
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
