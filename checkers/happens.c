/* happens.c - happens-before of the observed run: threads, locks, barriers, conditions. */
#include "checkers/happens.h"

struct hd_happens_episode {
    struct hd_happens_episode *next;
    uint32_t barrier, number, inside;
    struct hd_clock clock;
};

struct hd_happens *hd_happens_new(const struct hd_pass *pass) {
    struct hd_arena *arena = pass->arena;
    struct hd_happens *hb = hd_arena_get(arena, sizeof *hb);
    uint32_t threads = hd_trace_threads(pass->trace), locks = hd_front_locks(pass->front);
    hb->arena = arena;
    hb->trace = pass->trace;
    hb->thread_count = threads;
    hb->threads = hd_arena_array(arena, threads, sizeof *hb->threads);
    hb->seen = hd_arena_array(arena, threads, sizeof *hb->seen);
    hb->fenced = hd_arena_array(arena, threads, sizeof *hb->fenced);
    hb->signals = hd_arena_array(arena, threads, sizeof *hb->signals);
    hb->asleep = hd_arena_array(arena, threads, sizeof *hb->asleep);
    hb->released = hd_arena_array(arena, locks, sizeof *hb->released);
    hb->readers = hd_arena_array(arena, locks, sizeof *hb->readers);
    hb->sems = hd_arena_array(arena, locks, sizeof *hb->sems);
    hb->cells =
        hd_arena_array(arena, hd_trace_granules(pass->trace), sizeof *hb->cells);
    hb->joined = hd_arena_array(arena, threads, sizeof *hb->joined);
    return hb;
}

void hd_happens_meet(struct hd_happens *hb, uint32_t thread) {
    struct hd_clock *clock = &hb->threads[thread];
    if (clock->count) {
        return;
    }
    if (!clock->room && hb->spare_count) {
        *clock = hb->spare[--hb->spare_count];
    }
    hd_clock_set(hb->arena, clock, thread, hb->joined[thread] + 1);
}

/* A thread that is over: whoever comes next may have its clock's memory. A clock
 * each for ten thousand threads that came and went would be too much. */
static void retire(struct hd_happens *hb, uint32_t thread) {
    struct hd_clock *clock = &hb->threads[thread];
    hb->joined[thread] = clock->at[thread];
    hd_clock_clear(clock);
    HD_ARENA_FIT(hb->arena, hb->spare, hb->spare_room, hb->spare_count);
    hb->spare[hb->spare_count++] = *clock;
    *clock = (struct hd_clock){0};
}

static void learn(struct hd_happens *hb, uint32_t thread, const struct hd_clock *from) {
    hd_clock_join(hb->arena, &hb->threads[thread], from);
}

static void acquire(struct hd_happens *hb, uint32_t thread, uint32_t lock, bool shared) {
    learn(hb, thread, &hb->released[lock]);
    if (!shared && hb->readers[lock].count) {
        learn(hb, thread, &hb->readers[lock]);
    }
}

static void release(struct hd_happens *hb, uint32_t thread, uint32_t lock, bool shared) {
    if (shared) {
        hd_clock_join(hb->arena, &hb->readers[lock], &hb->threads[thread]);
    } else {
        hd_clock_copy(hb->arena, &hb->released[lock], &hb->threads[thread]);
        hd_clock_clear(&hb->readers[lock]);
    }
    hd_happens_tick(hb, thread);
}

/* In which mode the acquisition that a step closes was made. */
static bool held_shared(const struct hd_step *step) {
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
        if (hold->acq == step->acq) {
            return !HD_LOCK_IS_EXCLUSIVE(hold->element);
        }
    }
    return false;
}

static void arrive(struct hd_happens *hb, const struct hd_step *step) {
    struct hd_happens_episode *e = hb->episodes;
    while (e && (e->barrier != step->obj || e->number != step->aux)) {
        e = e->next;
    }
    if (!e) {
        e = hb->spare_episodes;
        if (e) {
            hb->spare_episodes = e->next;
        } else {
            e = hd_arena_get(hb->arena, sizeof *e);
        }
        e->barrier = step->obj;
        e->number = step->aux;
        e->inside = 0;
        hd_clock_clear(&e->clock);
        e->next = hb->episodes;
        hb->episodes = e;
    }
    e->inside++;
    hd_clock_join(hb->arena, &e->clock, &hb->threads[step->thread]);
    hd_happens_tick(hb, step->thread);
}

static void leave(struct hd_happens *hb, const struct hd_step *step) {
    struct hd_happens_episode **link = &hb->episodes;
    while (*link && ((*link)->barrier != step->obj || (*link)->number != step->aux)) {
        link = &(*link)->next;
    }
    struct hd_happens_episode *e = *link;
    if (!e) {
        return;
    }
    learn(hb, step->thread, &e->clock);
    if (!--e->inside) {
        *link = e->next;
        e->next = hb->spare_episodes;
        hb->spare_episodes = e;
    }
}

static void notify(struct hd_happens *hb, const struct hd_step *step) {
    if (!hb->sleepers) {
        return;
    }
    for (uint32_t t = 0; t < hb->thread_count; t++) {
        if (hb->asleep[t] == step->obj + 1) {
            hd_clock_join(hb->arena, &hb->signals[t], &hb->threads[step->thread]);
        }
    }
    hd_happens_tick(hb, step->thread);
}

static void sleep_or_wake(struct hd_happens *hb, const struct hd_step *step) {
    uint32_t t = step->thread;
    if (step->kind == HD_WAIT) {
        hb->sleepers += !hb->asleep[t];
        hb->asleep[t] = step->obj + 1;
        hd_clock_clear(&hb->signals[t]);
        if (step->acq != HD_NO_ID) {
            release(hb, t, step->aux, held_shared(step));
        }
        return;
    }
    if (hb->asleep[t]) {
        hb->sleepers--;
        hb->asleep[t] = 0;
        learn(hb, t, &hb->signals[t]);
    }
    if (step->acq != HD_NO_ID && !(step->marks & HD_MARK_REENTRANT)) {
        acquire(hb, t, step->aux, false);
    }
}

void hd_happens_step(struct hd_happens *hb, const struct hd_step *step) {
    uint32_t t = step->thread;
    bool reentrant = step->marks & HD_MARK_REENTRANT;
    hd_happens_meet(hb, t);
    switch (step->kind) {
    case HD_ACQUIRE:
        if (!reentrant) {
            acquire(hb, t, step->obj, step->flags & HD_FLAG_READ);
        }
        break;
    case HD_RELEASE:
        if (!reentrant) {
            release(hb, t, step->obj, held_shared(step));
        }
        break;
    case HD_TXBEGIN:
        if (!reentrant) {
            acquire(hb, t, hd_trace_syncs(hb->trace), false);
        }
        break;
    case HD_TXEND:
        if (!reentrant) {
            release(hb, t, hd_trace_syncs(hb->trace), false);
        }
        break;
    case HD_WAIT:
    case HD_WAKE: sleep_or_wake(hb, step); break;
    case HD_NOTIFY:
    case HD_NOTIFYALL: notify(hb, step); break;
    case HD_FORK:
        hd_happens_meet(hb, step->obj);
        learn(hb, step->obj, &hb->threads[t]);
        hd_happens_tick(hb, t);
        break;
    case HD_JOIN:
        hd_happens_meet(hb, step->obj);
        learn(hb, t, &hb->threads[step->obj]);
        retire(hb, step->obj);
        break;
    case HD_BARRIER: arrive(hb, step); break;
    case HD_BLEAVE: leave(hb, step); break;
    case HD_POST: hd_happens_post(hb, step); break;
    case HD_PEND: hd_happens_pend(hb, step); break;
    case HD_ONCE:
        learn(hb, t, &hb->released[step->obj]);
        if (!(step->flags & HD_FLAG_TRY)) {
            release(hb, t, step->obj, false);
        }
        break;
    case HD_FENCE: hd_happens_fence(hb, step); break;
    case HD_VREAD:
    case HD_VWRITE:
    case HD_VRMW: hd_happens_atomic(hb, step); break;
    }
}
