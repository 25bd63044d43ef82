/* judge_decide.c - cycles, and whom they accuse (definition in judge.h).
 *
 * First without locks; then with the pairs that they give, now that it is known which
 * sections reach across an end of a transaction. Each time the strong components: a
 * node outside of any is on no cycle. Then, for each transaction in one, a search from the operations that
 * leave it, the earliest first: so every node is reached by the earliest step that
 * can lead there, and one look at the pairs that come back decides. */
#include "checkers/judge_state.h"

/* ---- locks ------------------------------------------------------------------ */

/* The last sections of a thread since the last one that is ordered with all. */
struct lately {
    struct lately *next;
    uint32_t thread;
    struct hd_judge_point any;
    struct hd_judge_point inside; /* exclusive, within one transaction */
    struct hd_judge_point across; /* shared, across an end */
};

static struct lately *lately_of(struct hd_judge *j, struct lately **list, uint32_t thread,
                                bool make) {
    struct lately *l = *list;
    while (l && l->thread != thread) l = l->next;
    if (!l && make && (l = hd_judge_get(j, sizeof *l))) {
        l->thread = thread;
        l->next = *list;
        *list = l;
    }
    return l;
}

static void take_lock(struct hd_judge *j, const struct section *s,
                      const struct hd_judge_point *last, struct lately **list) {
    uint32_t thread = s->taken.thread;
    const struct lately *own = lately_of(j, list, thread, false);
    if (last->node && last->thread != thread && !(own && own->any.node)) {
        hd_judge_pair(j, last, s->taken.node, s->taken.step);
    }
    for (struct lately *l = *list; l; l = l->next) {
        if (l->thread == thread) continue;
        const struct hd_judge_point *from = NULL;
        if (s->across && !s->shared) from = &l->any;
        else if (s->across) from = &l->inside;
        else if (!s->shared) from = &l->across;
        if (from) hd_judge_pair(j, from, s->taken.node, s->taken.step);
    }
}

static void give_lock(struct hd_judge *j, const struct section *s, struct hd_judge_point *last,
                      struct lately **list) {
    if (s->across && !s->shared) {
        *last = s->given;
        *list = NULL;
        return;
    }
    struct lately *l = lately_of(j, list, s->given.thread, true);
    if (!l) return;
    l->any = s->given;
    if (!s->shared) l->inside = s->given;
    else if (s->across) l->across = s->given;
}

/* True if there are any. */
static bool lock_pairs(struct hd_judge *j) {
    bool some = false;
    for (struct object *o = j->locks; o; o = o->next_same) {
        struct hd_judge_point last = {NULL, 0, 0};
        struct lately *list = NULL;
        bool any = false;
        for (const struct turn *turn = o->turns; turn; turn = turn->next) {
            any |= turn->section->across;
        }
        for (const struct turn *turn = o->turns; any && turn; turn = turn->next) {
            if (turn->takes) take_lock(j, turn->section, &last, &list);
            else give_lock(j, turn->section, &last, &list);
        }
        some |= any;
    }
    return some;
}

/* ---- strong components (Tarjan, without recursion) --------------------------- */

struct tarjan {
    uint32_t next, components;
    struct node *stack; /* linked by `below` */
};

static void visit(struct tarjan *t, struct node *n) {
    n->index = n->low = ++t->next;
    n->cursor = n->out;
    n->stacked = true;
    n->below = t->stack;
    t->stack = n;
}

/* A component of one node is none: `component` stays 0. */
static void pop(struct tarjan *t, struct node *root) {
    uint32_t number = t->stack == root ? 0 : ++t->components;
    struct node *n;
    do {
        n = t->stack;
        t->stack = n->below;
        n->stacked = false;
        n->component = number;
    } while (n != root);
}

static void search(struct tarjan *t, struct node *root) {
    struct node *n = root;
    root->from = NULL;
    visit(t, root);
    while (n) {
        struct pair *p = n->cursor;
        if (p) {
            n->cursor = p->next_out;
            if (!p->to->index) {
                p->to->from = n;
                visit(t, p->to);
                n = p->to;
            } else if (p->to->stacked && p->to->index < n->low) {
                n->low = p->to->index;
            }
            continue;
        }
        struct node *up = n->from;
        if (n->low == n->index) pop(t, n);
        if (up && n->low < up->low) up->low = n->low;
        n = up;
    }
}

static uint32_t components(struct hd_judge *j) {
    struct tarjan t = {0, 0, NULL};
    for (struct node *n = j->nodes; n; n = n->next) n->index = n->component = 0;
    for (struct node *n = j->nodes; n; n = n->next) {
        if (!n->index) search(&t, n);
    }
    return t.components;
}

/* ---- victims ------------------------------------------------------------------- */

/* Sort what leaves a node by step, earliest first: merges of ever longer runs. */
static struct pair *sort_out(struct pair *list) {
    for (size_t run = 1;; run *= 2) {
        struct pair *rest = list, **end = &list;
        size_t merges = 0;
        while (rest) {
            struct pair *a = rest, *b = a;
            size_t left = 0, right = run;
            merges++;
            while (left < run && b) left++, b = b->next_out;
            while (left || (right && b)) {
                bool from_a = left && (!right || !b || a->out <= b->out);
                struct pair *p = from_a ? a : b;
                if (from_a) left--, a = a->next_out;
                else right--, b = b->next_out;
                *end = p;
                end = &p->next_out;
            }
            rest = b;
        }
        *end = NULL;
        if (merges <= 1) return list;
    }
}

/* Reach what can be reached from the victim by `first`, other ways round it. */
static void spread(struct hd_judge *j, const struct node *victim, struct pair *first) {
    struct node *head = first->to, *tail = head;
    if (head->visit == j->visit || head->component != victim->component) return;
    head->visit = j->visit;
    head->leaves = first->out;
    head->by = first;
    head->below = NULL;
    for (; head; head = head->below) {
        for (struct pair *p = head->out; p; p = p->next_out) {
            struct node *n = p->to;
            if (p->weak || n == victim || n->visit == j->visit || n->component != victim->component) {
                continue;
            }
            n->visit = j->visit;
            n->leaves = first->out;
            n->by = p;
            n->below = NULL;
            tail->below = n;
            tail = n;
        }
    }
}

/* The pairs of a cycle from the last to the first; the first leaves the victim. */
struct hop {
    const struct pair *pair;
    const struct way *way; /* or NULL: the search in nodes knows how it came here */
};

static struct hop hop_before(struct hop hop) {
    if (!hop.way) return (struct hop){hop.pair->from->by, NULL};
    return (struct hop){hop.way->before->pair, hop.way->before};
}

static struct hd_judge_victim *accuse(struct hd_judge *j, const struct node *victim,
                                      struct hop back) {
    struct hd_judge_victim *v = hd_judge_get(j, sizeof *v);
    if (!v) return NULL;
    uint32_t count = 0;
    for (struct hop h = back; h.pair->from != victim; h = hop_before(h)) count++;
    struct hd_judge_stop *stops = hd_judge_get(j, count * sizeof *stops);
    if (!stops) return NULL;
    struct hop hop = back;
    for (uint32_t at = count; at-- > 0;) {
        const struct node *n = hop.pair->from;
        uint64_t out = hop.pair->out;
        hop = hop_before(hop);
        stops[at] = (struct hd_judge_stop){n->label, n->thread, hop.pair->in, out};
    }
    *v = (struct hd_judge_victim){.label = victim->label,
                                  .thread = victim->thread,
                                  .begin = victim->begin,
                                  .leaves = hop.pair->out,
                                  .returns = back.pair->in,
                                  .stops = stops,
                                  .stop_count = count};
    return v;
}

/* The pair that comes back to the victim after it was left, the earliest; or NULL. */
static const struct pair *comes_back(struct hd_judge *j, struct node *victim) {
    uint64_t earliest = UINT64_MAX, latest = 0;
    for (const struct pair *p = victim->out; p; p = p->next_out) {
        if (!p->weak && p->to->component == victim->component && p->out < earliest) {
            earliest = p->out;
        }
    }
    for (const struct pair *p = victim->in; p; p = p->next_in) {
        if (!p->weak && p->from->component == victim->component && p->in > latest) {
            latest = p->in;
        }
    }
    if (earliest >= latest) return NULL;
    j->visit++;
    victim->out = sort_out(victim->out);
    for (struct pair *p = victim->out; p && p->out < latest; p = p->next_out) {
        if (!p->weak) spread(j, victim, p);
    }
    const struct pair *best = NULL;
    for (const struct pair *p = victim->in; p; p = p->next_in) {
        if (p->weak || p->from->visit != j->visit || p->from->leaves >= p->in) continue;
        if (!best || p->in <= best->in) best = p;
    }
    return best;
}

static bool told(const struct hd_judge_victim *v, uint64_t label) {
    while (v && v->label != label) v = v->next;
    return v;
}

static bool is_torn(struct hd_judge *j, struct node *n) {
    if (n->asked_torn) return n->torn;
    n->asked_torn = true;
    return n->torn = comes_back(j, n) && hd_judge_interrupted(j, n);
}

/* How the cycle comes back to a transaction that is a victim; no pair: it is none. */
static struct hop judge(struct hd_judge *j, struct node *victim) {
    const struct pair *back = comes_back(j, victim);
    if (!back) return (struct hop){NULL, NULL};
    if (is_torn(j, victim)) return (struct hop){comes_back(j, victim), NULL};
    bool others = false;
    for (struct node *n = j->nodes; n; n = n->next) {
        if (!n->unary && n->component == victim->component) others |= is_torn(j, n);
    }
    if (!others) return (struct hop){comes_back(j, victim), NULL};
    const struct way *way = hd_judge_way_round(j, victim);
    return (struct hop){way ? way->pair : NULL, way};
}

const struct hd_judge_victim *hd_judge_decide_for(struct hd_judge *j,
                                                  bool (*asked)(void *context, uint64_t label),
                                                  void *context) {
    struct hd_judge_victim *first = NULL, *last = NULL;
    if (j->full) return NULL;
    bool cycles = components(j);
    for (struct node *n = j->nodes; n && cycles; n = n->next) {
        if (n->unary || !n->component || (asked && !asked(context, n->label))) continue;
        n->plain = comes_back(j, n);
    }
    if (lock_pairs(j)) cycles = components(j);
    if (j->full || !cycles) return NULL;
    for (struct node *n = j->nodes; n; n = n->next) {
        if (n->unary || !n->component) continue;
        if (asked && (!asked(context, n->label) || told(first, n->label))) continue;
        struct hop back = judge(j, n);
        if (j->full) return NULL;
        if (!back.pair) continue;
        struct hd_judge_victim *v = accuse(j, n, back);
        if (!v) return NULL;
        v->by_locks = !n->plain;
        if (last) last->next = v;
        else first = v;
        last = v;
    }
    return first;
}

const struct hd_judge_victim *hd_judge_decide(struct hd_judge *j) {
    return hd_judge_decide_for(j, NULL, NULL);
}
