/* period.c - thread periods by vector clocks.
 *
 * A clock here is a list of leaves of 32 components each, shared between a
 * thread and the periods it started: taking a period copies the list, and a leaf
 * is copied only when a component in it changes. So ten thousand threads that
 * one parent starts and joins cost kilobytes a period, not a full vector. */
#include "checkers/period.h"

#include "sched/trace/bug.h"

#include <string.h>

#define LEAF 32

struct leaf {
    uint32_t at[LEAF];
};

struct vector {
    struct leaf **leaves; /* NULL: all zero */
    uint64_t *owned;      /* bit per leaf: nobody else has it */
    uint32_t count;
};

struct thread {
    struct vector clock;
    uint32_t period; /* its id, or UINT32_MAX while nobody asked */
    uint32_t self;   /* clock[t] */
    bool arrived;    /* at a barrier, not yet gone */
    bool known;      /* it was seen before: started, or doing something */
    bool joined;
    uint32_t phase;  /* in which it was started; 0: see hd_period_phase */
};

struct period {
    struct leaf **leaves;
    uint32_t count;
    uint32_t thread;
    uint32_t index;
};

/* A barrier's episode while somebody is in it. */
struct episode {
    struct episode *next;
    uint32_t barrier, number;
    uint32_t inside;
    uint32_t *clock; /* join of all who arrived, one component per thread */
};

struct hd_periods {
    struct hd_arena *arena;
    uint32_t threads;
    struct thread *thread;
    struct period *period;
    size_t count, room;
    struct episode *open, *spare;
    uint32_t phase;    /* from 1 */
    uint32_t unjoined; /* threads */
    bool odd;          /* the trace starts or joins in a way that no program does */
};

struct hd_periods *hd_periods_new(struct hd_arena *arena, uint32_t threads) {
    struct hd_periods *periods = hd_arena_get(arena, sizeof *periods);
    periods->arena = arena;
    periods->threads = threads;
    periods->phase = 1;
    periods->thread = hd_arena_array(arena, threads, sizeof *periods->thread);
    for (uint32_t t = 0; t < threads; t++) {
        periods->thread[t].period = UINT32_MAX;
    }
    return periods;
}

static uint32_t get(struct leaf *const *leaves, uint32_t count, uint32_t thread) {
    uint32_t i = thread / LEAF;
    return i < count && leaves[i] ? leaves[i]->at[thread % LEAF] : 0;
}

static void fit(struct hd_periods *periods, struct vector *v, uint32_t count) {
    if (count <= v->count) {
        return;
    }
    uint32_t to = v->count * 2 > count ? v->count * 2 : count;
    v->leaves = hd_arena_grow(periods->arena, v->leaves, v->count, to, sizeof *v->leaves);
    v->owned = hd_arena_grow(periods->arena, v->owned, (v->count + 63) / 64, (to + 63) / 64,
                             sizeof *v->owned);
    v->count = to;
}

/* Leaf i, ready to be written. */
static struct leaf *own(struct hd_periods *periods, struct vector *v, uint32_t i) {
    fit(periods, v, i + 1);
    if (!v->leaves[i] || !(v->owned[i / 64] >> i % 64 & 1)) {
        struct leaf *leaf = hd_arena_get(periods->arena, sizeof *leaf);
        if (v->leaves[i]) {
            *leaf = *v->leaves[i];
        }
        v->leaves[i] = leaf;
        v->owned[i / 64] |= 1ull << i % 64;
    }
    return v->leaves[i];
}

static void set(struct hd_periods *periods, struct vector *v, uint32_t thread, uint32_t value) {
    own(periods, v, thread / LEAF)->at[thread % LEAF] = value;
}

/* The larger of each two components. Where one leaf covers the other it is shared. */
static void join(struct hd_periods *periods, struct vector *to, struct vector *from) {
    fit(periods, to, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        const struct leaf *b = from->leaves[i], *a = to->leaves[i];
        if (!b || a == b) {
            continue;
        }
        bool more = false, less = false;
        for (uint32_t k = 0; a && k < LEAF; k++) {
            more |= b->at[k] > a->at[k];
            less |= b->at[k] < a->at[k];
        }
        if (!a || (more && !less)) {
            to->leaves[i] = from->leaves[i];
            to->owned[i / 64] &= ~(1ull << i % 64);
            from->owned[i / 64] &= ~(1ull << i % 64);
        } else if (more) {
            struct leaf *mine = own(periods, to, i);
            for (uint32_t k = 0; k < LEAF; k++) {
                mine->at[k] = mine->at[k] > b->at[k] ? mine->at[k] : b->at[k];
            }
        }
    }
}

static void advance(struct hd_periods *periods, uint32_t thread) {
    struct thread *t = &periods->thread[thread];
    t->self++;
    set(periods, &t->clock, thread, t->self);
    t->period = UINT32_MAX;
}

/* Other threads' components may have been joined in; one's own is the truth. */
static void refresh(struct hd_periods *periods, uint32_t thread) {
    struct thread *t = &periods->thread[thread];
    uint32_t known = get(t->clock.leaves, t->clock.count, thread);
    t->self = known > t->self ? known : t->self;
    t->period = UINT32_MAX;
}

/* ---- phases -------------------------------------------------------------- */

/* It does something. The first thread of all was started by nobody; another one like
 * that, or one that goes on after it was joined, is in no phase's order. */
static void acts(struct hd_periods *periods, uint32_t thread) {
    struct thread *t = &periods->thread[thread];
    if (t->joined || (!t->known && periods->unjoined)) periods->odd = true;
    if (!t->known) periods->unjoined++;
    t->known = true;
}

static void starts(struct hd_periods *periods, uint32_t thread, uint32_t child) {
    acts(periods, thread);
    struct thread *c = &periods->thread[child];
    if (c->known) periods->odd = true;
    c->known = true;
    c->phase = periods->phase;
    periods->unjoined++;
}

static void joins(struct hd_periods *periods, uint32_t thread, uint32_t child) {
    acts(periods, thread);
    struct thread *c = &periods->thread[child];
    if (!c->known || c->joined || child == thread) {
        periods->odd = true;
        return;
    }
    c->joined = true;
    /* Each of the others was joined by one that is joined itself, or by this one. */
    if (--periods->unjoined == 1) {
        periods->phase++;
        periods->thread[thread].phase = 0; /* it is on both sides */
    }
}

uint32_t hd_period_phase(const struct hd_periods *periods, uint32_t thread) {
    return periods->odd ? 0 : periods->thread[thread].phase;
}

/* ---- events -------------------------------------------------------------- */

void hd_period_fork(struct hd_periods *periods, uint32_t thread, uint32_t child) {
    starts(periods, thread, child);
    advance(periods, thread);
    if (child != thread) {
        join(periods, &periods->thread[child].clock, &periods->thread[thread].clock);
        refresh(periods, child);
    }
}

void hd_period_join(struct hd_periods *periods, uint32_t thread, uint32_t child) {
    joins(periods, thread, child);
    if (child != thread) {
        advance(periods, child);
    }
    advance(periods, thread);
    if (child != thread) {
        join(periods, &periods->thread[thread].clock, &periods->thread[child].clock);
        refresh(periods, thread);
    }
}

static struct episode *find_episode(struct hd_periods *periods, uint32_t barrier,
                                    uint32_t number, bool make) {
    for (struct episode *e = periods->open; e; e = e->next) {
        if (e->barrier == barrier && e->number == number) {
            return e;
        }
    }
    if (!make) {
        return NULL;
    }
    struct episode *e = periods->spare;
    if (e) {
        periods->spare = e->next;
        memset(e->clock, 0, periods->threads * sizeof *e->clock);
    } else {
        e = hd_arena_get(periods->arena, sizeof *e);
        e->clock = hd_arena_array(periods->arena, periods->threads, sizeof *e->clock);
    }
    e->barrier = barrier;
    e->number = number;
    e->inside = 0;
    e->next = periods->open;
    periods->open = e;
    return e;
}

void hd_period_arrive(struct hd_periods *periods, uint32_t thread, uint32_t barrier,
                      uint32_t number) {
    struct thread *t = &periods->thread[thread];
    struct episode *e = find_episode(periods, barrier, number, true);
    acts(periods, thread);
    advance(periods, thread);
    t->arrived = true;
    for (uint32_t i = 0; i < t->clock.count; i++) {
        for (uint32_t k = 0; t->clock.leaves[i] && k < LEAF && i * LEAF + k < periods->threads;
             k++) {
            uint32_t value = t->clock.leaves[i]->at[k], *to = &e->clock[i * LEAF + k];
            *to = value > *to ? value : *to;
        }
    }
    e->inside++;
}

void hd_period_leave(struct hd_periods *periods, uint32_t thread, uint32_t barrier,
                     uint32_t number) {
    struct thread *t = &periods->thread[thread];
    struct episode *e = find_episode(periods, barrier, number, false);
    if (!e || !t->arrived) {
        return;
    }
    t->arrived = false;
    for (uint32_t i = 0; i < periods->threads; i++) {
        if (e->clock[i] > get(t->clock.leaves, t->clock.count, i)) {
            set(periods, &t->clock, i, e->clock[i]);
        }
    }
    refresh(periods, thread);
    if (!--e->inside) { /* all gone: nobody can come back to this episode */
        struct episode **link = &periods->open;
        while (*link != e) {
            link = &(*link)->next;
        }
        *link = e->next;
        e->next = periods->spare;
        periods->spare = e;
    }
}

uint32_t hd_period_now(struct hd_periods *periods, uint32_t thread) {
    struct thread *t = &periods->thread[thread];
    if (t->period != UINT32_MAX) {
        return t->period;
    }
    acts(periods, thread);
    struct vector *v = &t->clock;
    HD_ARENA_FIT(periods->arena, periods->period, periods->room, periods->count);
    struct period *p = &periods->period[periods->count];
    p->thread = thread;
    p->index = t->self;
    p->count = v->count;
    p->leaves = hd_arena_array(periods->arena, v->count, sizeof *p->leaves);
    if (v->count) {
        memcpy(p->leaves, v->leaves, v->count * sizeof *p->leaves);
        memset(v->owned, 0, (v->count + 63) / 64 * sizeof *v->owned);
    }
    return t->period = (uint32_t)periods->count++;
}

uint32_t hd_periods_count(const struct hd_periods *periods) { return (uint32_t)periods->count; }

uint32_t hd_period_thread(const struct hd_periods *periods, uint32_t period) {
    return periods->period[period].thread;
}

uint32_t hd_period_index(const struct hd_periods *periods, uint32_t period) {
    return periods->period[period].index;
}

uint32_t hd_period_self(const struct hd_periods *periods, uint32_t thread) {
    return periods->thread[thread].self;
}

uint32_t hd_period_passed(const struct hd_periods *periods, uint32_t thread, uint32_t other) {
    const struct vector *clock = &periods->thread[thread].clock;
    return get(clock->leaves, clock->count, other);
}

bool hd_period_before(const struct hd_periods *periods, uint32_t p, uint32_t q) {
    const struct period *a = &periods->period[p], *b = &periods->period[q];
    if (a->thread == b->thread) {
        return a->index < b->index;
    }
    return get(b->leaves, b->count, a->thread) > a->index;
}

bool hd_period_par(const struct hd_periods *periods, uint32_t p, uint32_t q) {
    return periods->period[p].thread != periods->period[q].thread &&
           !hd_period_before(periods, p, q) && !hd_period_before(periods, q, p);
}
