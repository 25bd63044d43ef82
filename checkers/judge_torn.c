/* judge_torn.c - who was really interrupted (definition in judge.h).
 *
 * Searches in steps: a node that is reached by one step is left only by later ones.
 * All pairs go forward in time, so such a way never comes back to a step that it has
 * passed; of several ways to a node, the one that arrives first can do whatever the
 * others can. */
#include "checkers/judge_state.h"

/* ---- the order of all locks ---------------------------------------------------- */

static void weak_pair(struct hd_judge *j, const struct hd_judge_point *from,
                      const struct hd_judge_point *to) {
    struct pair *p =
        from->thread == to->thread ? NULL : hd_judge_pair(j, from, to->node, to->step);
    if (p) p->weak = true;
}

/* What the last exclusive section, and the shared ones since, let go. */
static void make_weak(struct hd_judge *j, const struct object *lock) {
    const struct turn *since = lock->turns;
    struct hd_judge_point last = {NULL, 0, 0};
    for (const struct turn *turn = lock->turns; turn; turn = turn->next) {
        const struct section *s = turn->section;
        if (!turn->takes) {
            if (s->shared) continue;
            last = s->given;
            since = turn->next;
            continue;
        }
        if (last.node) weak_pair(j, &last, &s->taken);
        for (const struct turn *t = since; t != turn && !s->shared; t = t->next) {
            if (!t->takes && t->section->shared) weak_pair(j, &t->section->given, &s->taken);
        }
    }
}

/* ---- ways in steps --------------------------------------------------------------- */

struct search {
    struct hd_judge *j;
    const struct node *home;
    struct node *head, *tail; /* of the queue, linked by `below` */
    bool all;                 /* every node is passed forward only, weak pairs count */
};

/* Whole nodes can be left by any step: one arrival is as good as another. */
static void arrive(struct search *s, const struct pair *pair, const struct way *before) {
    struct node *n = pair->to;
    bool seen = n->visit == s->j->visit;
    bool forward = s->all || n->torn;
    if (seen && !(forward && pair->in < n->way->pair->in)) return;
    struct way *way = hd_judge_get(s->j, sizeof *way);
    if (!way) return;
    *way = (struct way){pair, before};
    n->way = way;
    if (seen && n->stacked) return; /* in the queue already */
    n->visit = s->j->visit;
    n->stacked = true;
    n->below = NULL;
    if (s->tail) s->tail->below = n;
    else s->head = n;
    s->tail = n;
}

static void begin(struct search *s) {
    s->j->visit++;
    s->head = s->tail = NULL;
}

/* Goes on until a pair comes back home later than `after`. */
static const struct way *follow(struct search *s, uint64_t after) {
    while (s->head && !s->j->full) {
        struct node *n = s->head;
        const struct way *way = n->way;
        s->head = n->below;
        if (!s->head) s->tail = NULL;
        n->stacked = false;
        for (const struct pair *p = n->out; p; p = p->next_out) {
            if (p->weak && !s->all) continue;
            if ((s->all || n->torn) && p->out < way->pair->in) continue;
            if (p->to != s->home) {
                arrive(s, p, way);
            } else if (p->in > after) {
                struct way *last = hd_judge_get(s->j, sizeof *last);
                if (last) *last = (struct way){p, way};
                return last;
            }
        }
    }
    return NULL;
}

bool hd_judge_interrupted(struct hd_judge *j, struct node *n) {
    struct search s = {.j = j, .home = n, .all = true};
    if (!j->has_weak) {
        j->has_weak = true;
        for (const struct object *o = j->locks; o; o = o->next_same) make_weak(j, o);
    }
    size_t used = j->used;
    begin(&s);
    for (const struct pair *p = n->out; p; p = p->next_out) arrive(&s, p, NULL);
    bool did = follow(&s, 0) != NULL;
    if (!j->full) j->used = used; /* nobody looks at these ways again */
    return did;
}

const struct way *hd_judge_way_round(struct hd_judge *j, struct node *n) {
    struct search s = {.j = j, .home = n};
    for (const struct pair *p = n->out; p; p = p->next_out) {
        size_t used = j->used;
        if (p->weak) continue;
        begin(&s);
        arrive(&s, p, NULL);
        const struct way *way = follow(&s, p->out);
        if (way) return way;
        if (!j->full) j->used = used;
    }
    return NULL;
}
