/* front_hold.c - what each thread holds.
 *
 * The open acquisitions of a thread are a linked list, the innermost first. Steps
 * of the current batch may point into it, so an element that is let go of waits
 * in limbo until the batch is over, and taking one out of the middle copies
 * those above it. */
#include "checkers/front_state.h"

#include <string.h>

static struct hold *fresh(struct hd_front *front) {
    struct hold *hold = front->spare;
    if (hold) {
        front->spare = hold->below;
        return hold;
    }
    return hd_arena_get(front->arena, sizeof *hold);
}

static void drop(struct hd_front *front, struct hold *hold) {
    /* `below` of the public part must stay for the batch; the private one links limbo. */
    hold->below = front->limbo;
    front->limbo = hold;
}

void hd_front_recycle(struct hd_front *front) {
    if (!front->limbo) {
        return;
    }
    struct hold *last = front->limbo;
    while (last->below) {
        last = last->below;
    }
    last->below = front->spare;
    front->spare = front->limbo;
    front->limbo = NULL;
}

static struct hold *find(struct thread *t, uint32_t lock) {
    for (struct hold *hold = t->top; hold; hold = hold->below) {
        if (hold->pub.lock == lock) {
            return hold;
        }
    }
    return NULL;
}

/* Somebody else holds what is taken. */
static void note_holders(struct hd_front *front, uint32_t id, uint32_t lock, bool shared) {
    char name[200];
    uint32_t other = front->writer[lock];
    if (lock == hd_front_tm(front)) {
        return; /* transactions of a real memory may overlap */
    }
    if (other && other != id + 1) {
        hd_note(front->notes, "lock %s is taken by thread %s while thread %s holds it",
                hd_front_lock_name(front, lock, name, sizeof name),
                hd_trace_thread(front->trace, id), hd_trace_thread(front->trace, other - 1));
    } else if (!shared && front->readers[lock]) {
        hd_note(front->notes, "lock %s is taken by thread %s while another holds it for reading",
                hd_front_lock_name(front, lock, name, sizeof name),
                hd_trace_thread(front->trace, id));
    }
}

static void push(struct hd_front *front, uint32_t id, const struct hd_event *event,
                 uint32_t lock, bool shared, uint32_t level, uint32_t acq) {
    struct thread *t = &front->threads[id];
    struct hold *hold = fresh(front);
    *hold = (struct hold){
        .pub = {.below = t->top ? &t->top->pub : NULL,
                .seq = front->seq,
                .lock = lock,
                .element = shared ? HD_LOCK_SHARED(lock) : HD_LOCK_EXCLUSIVE(lock),
                .acq = acq,
                .site = event->site,
                .before = t->held,
                .depth = t->top ? t->top->pub.depth + 1 : 1},
        .below = t->top,
        .level = level,
    };
    t->top = hold;
    t->held = hd_lockset_add(front->locksets, t->held, hold->pub.element);
    note_holders(front, id, lock, shared);
    if (shared) {
        front->readers[lock]++;
    } else {
        front->writer[lock] = id + 1;
    }
}

/* Take `gone` out of the list; what was above it is copied (see the top). */
static void pull(struct hd_front *front, uint32_t id, struct hold *gone) {
    struct thread *t = &front->threads[id];
    struct hold *rest = gone->below;
    t->held = hd_lockset_remove(front->locksets, t->held, gone->pub.element);
    if (!HD_LOCK_IS_EXCLUSIVE(gone->pub.element)) {
        front->readers[gone->pub.lock]--;
    } else if (front->writer[gone->pub.lock] == id + 1) {
        front->writer[gone->pub.lock] = 0;
    }
    if (t->top == gone) {
        t->top = rest;
    } else {
        struct hold **link = &t->top, *above = NULL;
        for (struct hold *h = t->top; h != gone;) {
            struct hold *next = h->below, *copy = fresh(front);
            *copy = *h;
            copy->pub.depth--;
            *link = copy;
            if (above) {
                above->pub.below = &copy->pub;
            }
            above = copy;
            link = &copy->below;
            drop(front, h);
            h = next;
        }
        *link = rest;
        above->pub.below = rest ? &rest->pub : NULL;
    }
    drop(front, gone);
}

static void emit_inside(struct hd_front *front, uint32_t id, const struct hd_event *event,
                        uint32_t acq, bool reentrant) {
    struct thread *t = &front->threads[id];
    if (t->txn == HD_NO_ID && t->source) {
        hd_front_inside(front, id, event);
    }
    struct hd_step *step = hd_front_emit(front, t, id, event);
    step->acq = acq;
    step->marks |= reentrant ? HD_MARK_REENTRANT : 0;
    hd_front_belong(front, t, step);
}

static void take(struct hd_front *front, uint32_t id, const struct hd_event *event,
                 uint32_t lock, bool shared, uint32_t level) {
    struct thread *t = &front->threads[id];
    struct hold *hold = find(t, lock);
    if (hold) {
        if (!shared && !HD_LOCK_IS_EXCLUSIVE(hold->pub.element)) {
            char name[200];
            hd_note(front->notes, "thread %s takes lock %s for writing while it holds it for reading",
                    hd_trace_thread(front->trace, id),
                    hd_front_lock_name(front, lock, name, sizeof name));
        }
        emit_inside(front, id, event, hold->pub.acq, true);
        hold->level += level;
        return;
    }
    if (t->top && t->top->pub.depth >= HOLDS_MOST) {
        hd_note(front->notes, "thread %s holds %d locks; further ones are not followed",
                hd_trace_thread(front->trace, id), HOLDS_MOST);
        return;
    }
    if (!t->top) {
        hd_front_lock_region(front, id, event, lock);
    }
    uint32_t acq = front->next_acq++;
    emit_inside(front, id, event, acq, false);
    push(front, id, event, lock, shared, level, acq);
}

void hd_front_acquire(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    take(front, id, event, event->obj, event->flags & HD_FLAG_READ, 1);
}

/* False: not held. */
static bool give(struct hd_front *front, uint32_t id, const struct hd_event *event,
                 uint32_t lock) {
    struct thread *t = &front->threads[id];
    struct hold *hold = find(t, lock);
    if (!hold) {
        return false;
    }
    bool reentrant = hold->level > 1;
    emit_inside(front, id, event, hold->pub.acq, reentrant);
    if (reentrant) {
        hold->level--;
        return true;
    }
    pull(front, id, hold);
    if (!t->top) {
        hd_front_lock_region_end(front, id, event);
    }
    return true;
}

void hd_front_release(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    if (!give(front, id, event, event->obj)) {
        char name[200];
        hd_note(front->notes, "thread %s releases lock %s, which it does not hold",
                hd_trace_thread(front->trace, id),
                hd_front_lock_name(front, event->obj, name, sizeof name));
    }
}

void hd_front_wait(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    struct hold *hold = event->aux == HD_NO_ID ? NULL : find(t, event->aux);
    emit_inside(front, id, event, hold ? hold->pub.acq : HD_NO_ID, false);
    t->waiting = t->odd = true;
    t->wait_condition = event->obj;
    t->wait_lock = event->aux;
    t->wait_level = 1;
    t->wait_shared = false;
    if (hold) {
        t->wait_level = hold->level;
        t->wait_shared = !HD_LOCK_IS_EXCLUSIVE(hold->pub.element);
        pull(front, id, hold);
    } else {
        hd_note(front->notes, "thread %s waits with a lock that it does not hold",
                hd_trace_thread(front->trace, id));
    }
    hd_front_boundary(front, id, event);
    if (!t->top) {
        hd_front_lock_region_end(front, id, event);
    }
}

void hd_front_wake(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    if (!t->waiting) {
        hd_note(front->notes, "thread %s wakes without having waited",
                hd_trace_thread(front->trace, id));
        t->wait_level = 1;
        t->wait_shared = false;
    } else if (t->wait_condition != event->obj || t->wait_lock != event->aux) {
        hd_note(front->notes, "thread %s wakes from another wait than it began",
                hd_trace_thread(front->trace, id));
    }
    t->waiting = t->odd = false;
    if (event->aux == HD_NO_ID) {
        emit_inside(front, id, event, HD_NO_ID, false);
        return;
    }
    take(front, id, event, event->aux, t->wait_shared, t->wait_level);
}

void hd_front_memory(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    if (event->kind == HD_TXBEGIN) {
        take(front, id, event, hd_front_tm(front), false, 1);
    } else if (!give(front, id, event, hd_front_tm(front))) {
        hd_note(front->notes, "thread %s ends a memory transaction that it did not begin",
                hd_trace_thread(front->trace, id));
    }
}
