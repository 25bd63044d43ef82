/* blocks_match.c - comparing blocks: can-occur-between, and the patterns.
 *
 * After Wang and Stoller, sections 6.1 and 6.2. An operation fits between two
 * others if nothing that it holds is held all the way between them (or, by
 * switch, at the weakest moment between them, or by a search of the progress
 * graph). Readers of a reader-writer lock do not keep each other out. */
#define _GNU_SOURCE /* qsort_r */
#include "checkers/blocks_match.h"

#include <stdlib.h>
#include <string.h>

/* One access of a block as an intruder, or a whole block: what decides. */
struct hd_blocks_class {
    struct hd_blocks_block like; /* a block of this class */
    uint8_t op, role;            /* intruders: the access */
    uint32_t held, at;
    uint32_t first, count; /* members */
};

struct hd_blocks_member {
    uint32_t block;
    uint32_t phase; /* hd_period_phase of its thread */
    uint8_t side;   /* intruders: which access of the block */
};

/* ---- periods ----------------------------------------------------------- */

/* Most of a program that works in rounds is told apart by this alone. */
static bool apart(const struct hd_blocks_member *a, const struct hd_blocks_member *b) {
    return a->phase != b->phase && a->phase && b->phase;
}

/* Sightings of a block are in the order of its thread's periods, and which
 * periods of one thread are before a given one of another is a prefix: so one
 * walk over both lists finds a concurrent pair if there is one. */
bool hd_blocks_concurrent(const struct hd_blocks_match *m, uint32_t a, uint32_t b,
                          uint32_t *sight_a, uint32_t *sight_b) {
    const struct hd_blocks_block *x = hd_blocks_get(m->store, a),
                                 *y = hd_blocks_get(m->store, b);
    const struct hd_blocks_sight *sights = m->store->sights;
    if (x->thread == y->thread) return false;
    uint32_t p = sights[x->last].next, q = sights[y->last].next; /* the first of each */
    while (m->periods) {
        while (hd_period_before(m->periods, sights[q].period, sights[p].period)) {
            if (q == y->last) return false;
            q = sights[q].next;
        }
        if (!hd_period_before(m->periods, sights[p].period, sights[q].period)) break;
        if (p == x->last) return false;
        p = sights[p].next;
    }
    *sight_a = p;
    *sight_b = q;
    return true;
}

/* ---- locks ------------------------------------------------------------- */

static bool graph_allows(struct hd_blocks_match *m, const struct hd_blocks_block *a,
                         const struct hd_blocks_block *b,
                         const struct hd_blocks_mark *marks, size_t count) {
    const struct hd_blocks_skeleton side[2] = {m->shapes->all[a->shape],
                                               m->shapes->all[b->shape]};
    enum hd_blocks_answer answer = hd_blocks_graph(side, marks, count);
    if (answer == HD_BLOCKS_TOO_LARGE) m->large++;
    return answer != HD_BLOCKS_NO;
}

/* Do these lock sets of somebody else fit, one after the other, inside a block? */
static bool fit_inside(struct hd_blocks_match *m, const struct hd_blocks_block *block,
                       const uint32_t *held, uint32_t count) {
    if (m->locks == HD_BLOCKS_BY_GAP) {
        return hd_blocks_gap_lets(m->gaps, block->gap, held, count);
    }
    if (block->held12 == HD_LOCKSET_EMPTY) return true;
    for (uint32_t i = 0; i < count; i++) {
        if (hd_lockset_exclude(m->store->sets, block->held12, held[i])) return false;
    }
    return true;
}

static bool intruder_fits(struct hd_blocks_match *m, const struct hd_blocks_class *victim,
                          const struct hd_blocks_class *intruder) {
    if (!fit_inside(m, &victim->like, &intruder->held, 1)) return false;
    if (m->locks != HD_BLOCKS_BY_GRAPH) return true;
    const struct hd_blocks_mark marks[3] = {
        {0, victim->like.at[0]}, {1, intruder->at}, {0, victim->like.at[1]}};
    return graph_allows(m, &victim->like, &intruder->like, marks, 3);
}

/* `b` inside `a`, or `a` first and then each in turn. */
static bool order_fits(struct hd_blocks_match *m, const struct hd_blocks_block *a,
                       const struct hd_blocks_block *b, unsigned order) {
    if (order == HD_BLOCKS_1221) {
        const uint32_t held[3] = {b->held[0], b->held[1], b->mid};
        if (!fit_inside(m, a, held, 3)) return false;
    } else if (!fit_inside(m, a, &b->held[0], 1) || !fit_inside(m, b, &a->held[1], 1)) {
        return false;
    }
    if (m->locks != HD_BLOCKS_BY_GRAPH) return true;
    struct hd_blocks_mark marks[4] = {
        {0, a->at[0]}, {1, b->at[0]}, {1, b->at[1]}, {0, a->at[1]}};
    if (order == HD_BLOCKS_1212) {
        marks[2] = (struct hd_blocks_mark){0, a->at[1]};
        marks[3] = (struct hd_blocks_mark){1, b->at[1]};
    }
    return graph_allows(m, a, b, marks, 4);
}

/* ---- classes ----------------------------------------------------------- */

static bool can_be_victim(const struct hd_blocks_match *m,
                          const struct hd_blocks_block *b) {
    return b->region != HD_NO_ID &&
           !(m->sated && hd_blocks_sated_is(m->sated, b->region));
}

static bool can_enclose(const struct hd_blocks_block *b) {
    return b->op[1] != HD_BLOCKS_DUMMY && !(b->flags & HD_BLOCKS_INSTANT);
}

/* Is there a lock that everyone here holds all the time, and nobody as a reader
 * among readers? Then nothing can come between anything. */
static bool one_lock_for_all(struct hd_blocks_match *m,
                             const struct hd_blocks_group *group) {
    struct hd_locksets *sets = m->store->sets;
    uint32_t common = HD_LOCKSET_ALL, was = HD_LOCKSET_ALL;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t id = m->store->grouped[group->first + i];
        const struct hd_blocks_block *b = hd_blocks_get(m->store, id);
        uint32_t held = b->op[1] != HD_BLOCKS_DUMMY ? b->held12 : b->held[0];
        if (held == was) continue;
        common = hd_lockset_meet(sets, common, was = held);
        if (common == HD_LOCKSET_EMPTY) return false;
    }
    uint32_t count;
    const uint32_t *elements = hd_lockset_elements(sets, common, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (HD_LOCK_IS_EXCLUSIVE(elements[i])) return true;
    }
    return false;
}

static int compare(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

/* Classes of victims and of pairs are ordered by all that decides about them. */
static int compare_blocks(const struct hd_blocks_block *a,
                          const struct hd_blocks_block *b) {
    int c = compare(a->var[0], b->var[0]);
    if (!c) c = compare(a->op[0] * 4u + a->op[1], b->op[0] * 4u + b->op[1]);
    if (!c) c = compare(a->flags, b->flags);
    if (!c) c = compare(a->held12, b->held12);
    if (!c) c = compare(a->held[0], b->held[0]);
    if (!c) c = compare(a->held[1], b->held[1]);
    if (!c) c = compare(a->mid, b->mid);
    if (!c) c = compare(a->gap, b->gap);
    if (!c) c = compare(a->shape, b->shape);
    if (!c) c = compare(a->at[0], b->at[0]);
    if (!c) c = compare(a->at[1], b->at[1]);
    return c;
}

static int by_block(const void *a, const void *b, void *context) {
    const struct hd_blocks_member *x = a, *y = b;
    int c = compare_blocks(hd_blocks_get(context, x->block),
                           hd_blocks_get(context, y->block));
    return c ? c : compare(x->block, y->block);
}

static unsigned role_of(const struct hd_blocks_block *b, int side) {
    if (b->op[side] == HD_BLOCKS_W) {
        return b->flags & (side ? HD_BLOCKS_FINAL2 : HD_BLOCKS_FINAL1) ? HD_BLOCKS_FINAL
                                                                       : 0;
    }
    return side == 0 || b->op[0] == HD_BLOCKS_R ? HD_BLOCKS_INITIAL : 0;
}

static int compare_intruders(const struct hd_blocks_block *a, int x,
                             const struct hd_blocks_block *b, int y) {
    int c = compare(a->op[x] * 4u + role_of(a, x), b->op[y] * 4u + role_of(b, y));
    if (!c) c = compare(a->held[x], b->held[y]);
    if (!c) c = compare(a->shape, b->shape);
    if (!c) c = compare(a->at[x], b->at[y]);
    return c;
}

static int by_intruder(const void *a, const void *b, void *context) {
    const struct hd_blocks_member *x = a, *y = b;
    int c = compare_intruders(hd_blocks_get(context, x->block), x->side,
                              hd_blocks_get(context, y->block), y->side);
    if (!c) c = compare(x->block, y->block);
    return c ? c : compare(x->side, y->side);
}

/* Most groups are small. */
static void sort(struct hd_blocks_match *m, uint32_t from, uint32_t to,
                 int (*compare_members)(const void *, const void *, void *)) {
    if (to - from > 24) {
        qsort_r(m->members + from, to - from, sizeof *m->members, compare_members,
                m->store);
        return;
    }
    for (uint32_t i = from + 1; i < to; i++) {
        struct hd_blocks_member member = m->members[i];
        uint32_t k = i;
        for (; k > from && compare_members(&m->members[k - 1], &member, m->store) > 0;
             k--) {
            m->members[k] = m->members[k - 1];
        }
        m->members[k] = member;
    }
}

static uint32_t add_member(struct hd_blocks_match *m, uint32_t count, uint32_t block,
                           int side) {
    HD_ARENA_FIT(m->arena, m->members, m->member_room, count);
    uint16_t thread = hd_blocks_get(m->store, block)->thread;
    m->members[count] = (struct hd_blocks_member){
        .block = block,
        .phase = m->periods ? hd_period_phase(m->periods, thread) : 0,
        .side = (uint8_t)side};
    return count + 1;
}

/* Cuts members [from, to), sorted, into classes; returns the number of classes. */
static uint32_t cut(struct hd_blocks_match *m, uint32_t from, uint32_t to,
                    uint32_t classes, bool intruders) {
    for (uint32_t i = from; i < to; i++) {
        const struct hd_blocks_member *now = &m->members[i], *was = now - 1;
        const struct hd_blocks_block *b = hd_blocks_get(m->store, now->block);
        const struct hd_blocks_block *before =
            i > from ? hd_blocks_get(m->store, was->block) : NULL;
        bool fresh =
            !before || (intruders ? compare_intruders(b, now->side, before, was->side)
                                  : compare_blocks(b, before)) != 0;
        if (fresh) {
            HD_ARENA_FIT(m->arena, m->classes, m->class_room, classes);
            m->classes[classes++] =
                (struct hd_blocks_class){.like = *b,
                                         .op = b->op[now->side],
                                         .role = role_of(b, now->side),
                                         .held = b->held[now->side],
                                         .at = b->at[now->side],
                                         .first = i};
        }
        m->classes[classes - 1].count++;
    }
    return classes;
}

/* ---- one variable ------------------------------------------------------ */

static void try_intruders(struct hd_blocks_match *m, const struct hd_blocks_class *victim,
                          const struct hd_blocks_class *intruder, int pattern) {
    for (uint32_t i = victim->first; i < victim->first + victim->count; i++) {
        const struct hd_blocks_member *v = &m->members[i];
        struct hd_blocks_block *block = hd_blocks_get(m->store, v->block);
        if ((block->found >> pattern & 1) || !can_be_victim(m, block)) continue;
        for (uint32_t k = intruder->first; k < intruder->first + intruder->count; k++) {
            if (apart(v, &m->members[k])) continue;
            struct hd_blocks_found found = {.pattern = pattern,
                                            .victim = v->block,
                                            .other = m->members[k].block,
                                            .middle = m->members[k].side};
            if (!hd_blocks_concurrent(m, found.victim, found.other, &found.victim_sight,
                                      &found.other_sight)) {
                continue;
            }
            block->found |= (uint8_t)(1 << pattern);
            m->found(m->context, &found);
            break;
        }
    }
}

static void match_variable(struct hd_blocks_match *m,
                           const struct hd_blocks_group *group) {
    uint32_t victims = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t id = m->store->grouped[group->first + i];
        const struct hd_blocks_block *b = hd_blocks_get(m->store, id);
        if (!can_be_victim(m, b) || !can_enclose(b)) continue;
        victims = add_member(m, victims, id, 0);
    }
    uint32_t all = victims;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t id = m->store->grouped[group->first + i];
        const struct hd_blocks_block *b = hd_blocks_get(m->store, id);
        if (!(b->flags & HD_BLOCKS_PSEUDO1)) all = add_member(m, all, id, 0);
        if (b->op[1] != HD_BLOCKS_DUMMY) all = add_member(m, all, id, 1);
    }
    if (!victims || all == victims) return;
    sort(m, 0, victims, by_block);
    sort(m, victims, all, by_intruder);
    uint32_t victim_classes = cut(m, 0, victims, 0, false);
    uint32_t classes = cut(m, victims, all, victim_classes, true);
    for (uint32_t v = 0; v < victim_classes; v++) {
        for (uint32_t i = victim_classes; i < classes; i++) {
            const struct hd_blocks_class *victim = &m->classes[v],
                                         *intruder = &m->classes[i];
            int pattern =
                hd_blocks_pattern1(victim->like.op[0], intruder->op, victim->like.op[1],
                                   intruder->role, m->printed);
            if (!pattern || !intruder_fits(m, victim, intruder)) continue;
            try_intruders(m, victim, intruder, pattern);
        }
    }
}

/* ---- two variables ----------------------------------------------------- */

static void try_pairs(struct hd_blocks_match *m, const struct hd_blocks_class *a,
                      const struct hd_blocks_class *b, unsigned order) {
    bool same = a->like.var[0] == b->like.var[0];
    uint8_t bit = (uint8_t)(order == HD_BLOCKS_1212 ? 4 : same ? 1 : 2);
    for (uint32_t i = a->first; i < a->first + a->count; i++) {
        const struct hd_blocks_member *v = &m->members[i];
        struct hd_blocks_block *block = hd_blocks_get(m->store, v->block);
        if ((block->found & bit) || !can_be_victim(m, block)) continue;
        for (uint32_t k = b->first; k < b->first + b->count; k++) {
            if (apart(v, &m->members[k])) continue;
            struct hd_blocks_found found = {.order = order,
                                            .same = same,
                                            .victim = v->block,
                                            .other = m->members[k].block};
            if (!hd_blocks_concurrent(m, found.victim, found.other, &found.victim_sight,
                                      &found.other_sight)) {
                continue;
            }
            block->found |= bit;
            m->found(m->context, &found);
            break;
        }
    }
}

/* Each ordered pair of classes once: the orders in which the other comes first
 * are those of the pair turned around. Where one fits inside the other there is
 * no need to speak of crossing too. */
static void match_pair(struct hd_blocks_match *m, const struct hd_blocks_group *group) {
    uint32_t all = 0;
    bool victims = false;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t id = m->store->grouped[group->first + i];
        const struct hd_blocks_block *b = hd_blocks_get(m->store, id);
        victims = victims || (can_be_victim(m, b) && can_enclose(b));
        all = add_member(m, all, id, 0);
    }
    if (!victims) return;
    sort(m, 0, all, by_block);
    uint32_t classes = cut(m, 0, all, 0, false);
    for (uint32_t i = 0; i < classes; i++) {
        const struct hd_blocks_block *a = &m->classes[i].like;
        if (!can_enclose(a)) continue;
        for (uint32_t k = 0; k < classes; k++) {
            const struct hd_blocks_block *b = &m->classes[k].like;
            unsigned orders = hd_blocks_pattern2(a->op[0], a->op[1], b->op[0], b->op[1],
                                                 a->var[0] == b->var[0]);
            if ((orders & HD_BLOCKS_1221) && order_fits(m, a, b, HD_BLOCKS_1221)) {
                try_pairs(m, &m->classes[i], &m->classes[k], HD_BLOCKS_1221);
            } else if ((orders & HD_BLOCKS_1212) && can_enclose(b) &&
                       order_fits(m, a, b, HD_BLOCKS_1212) &&
                       !order_fits(m, b, a, HD_BLOCKS_1221)) {
                try_pairs(m, &m->classes[i], &m->classes[k], HD_BLOCKS_1212);
            }
        }
    }
}

static void fetch(const struct hd_blocks_store *store,
                  const struct hd_blocks_group *group) {
    for (uint32_t i = 0; i < group->count && i < 32; i++) {
        __builtin_prefetch(hd_blocks_get(store, store->grouped[group->first + i]));
    }
}

void hd_blocks_match_all(struct hd_blocks_match *m) {
    hd_blocks_store_group(m->store);
    for (uint32_t g = 0; g < m->store->group_count; g++) {
        const struct hd_blocks_group *group = &m->store->groups[g];
        if (g + 1 < m->store->group_count) fetch(m->store, group + 1);
        if (group->thread != HD_BLOCKS_NONE || one_lock_for_all(m, group)) continue;
        if (group->var[0] == group->var[1]) {
            match_variable(m, group);
        } else {
            match_pair(m, group);
        }
    }
}
