/* standstill.c - see standstill.h. */
#include "standstill.h"

#include "identity.h"

#include <stdlib.h>
#include <string.h>

struct holding { /* of a lock, by a thread: so often */
    uint32_t lock; /* sync; behind all of them that of memory transactions */
    uint16_t thread;
    uint32_t times;
};

struct wait {
    uint64_t lock; /* identity; 0: for the end of a thread */
    uint32_t sync; /* ... or that thread */
    uint16_t thread;
    bool on_path;
};

struct hd_standstill {
    struct holding *held;
    uint32_t held_count, held_room;
    struct wait *waits;
    uint32_t wait_count, wait_room;
    const struct wait **path;
    uint64_t work;
};

#define WORK 10000000UL /* steps of a look for one circle */

static void *more(void *list, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) return list;
    *room = *room ? *room * 2 : 16;
    list = realloc(list, *room * size);
    if (!list) abort();
    return list;
}

/* ---- reading ------------------------------------------------------------------------- */

static void take(struct hd_standstill *self, uint32_t lock, uint16_t thread) {
    for (uint32_t i = 0; i < self->held_count; i++) {
        struct holding *it = &self->held[i];
        if (it->lock == lock && it->thread == thread) {
            it->times++;
            return;
        }
    }
    self->held = more(self->held, self->held_count, &self->held_room, sizeof *self->held);
    self->held[self->held_count++] = (struct holding){lock, thread, 1};
}

static void give(struct hd_standstill *self, uint32_t lock, uint16_t thread) {
    for (uint32_t i = 0; i < self->held_count; i++) {
        struct holding *it = &self->held[i];
        if (it->lock != lock || it->thread != thread) continue;
        if (--it->times == 0) *it = self->held[--self->held_count];
        return;
    }
}

static void stand(struct hd_standstill *self, struct wait wait) {
    self->waits = more(self->waits, self->wait_count, &self->wait_room, sizeof *self->waits);
    self->waits[self->wait_count++] = wait;
}

/* The lock of memory transactions has no events of its own but theirs. */
static uint32_t lock_of(const struct hd_trace *trace, uint32_t sync) {
    const char *name = hd_trace_sync(trace, sync)->name;
    return name && strcmp(name, "@TM") == 0 ? hd_trace_syncs(trace) : sync;
}

static void look(struct hd_standstill *self, const struct hd_trace *trace, const struct hd_event *event) {
    uint32_t tm = hd_trace_syncs(trace);
    switch (event->kind) {
    case HD_ACQUIRE: take(self, event->obj, event->thread); break;
    case HD_RELEASE: give(self, event->obj, event->thread); break;
    case HD_WAKE: take(self, event->aux, event->thread); break;
    case HD_WAIT: give(self, event->aux, event->thread); break;
    case HD_TXBEGIN: take(self, tm, event->thread); break;
    case HD_TXEND: give(self, tm, event->thread); break;
    case HD_STANDS: {
        uint32_t lock = lock_of(trace, event->obj);
        stand(self, (struct wait){hd_identity_lock(trace, lock), lock, event->thread, false});
        break;
    }
    case HD_AWAITS: stand(self, (struct wait){0, event->obj, event->thread, false}); break;
    default: break;
    }
}

struct hd_standstill *hd_standstill_read(struct hd_trace *trace, struct hd_error *err) {
    struct hd_standstill *self = calloc(1, sizeof *self);
    const struct hd_event *events;
    size_t count;
    if (!self) abort();
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) look(self, trace, &events[i]);
    }
    self->path = calloc(self->wait_count + 1, sizeof *self->path);
    if (!self->path) abort();
    if (self->wait_count) return self;
    hd_standstill_free(self);
    return NULL;
}

void hd_standstill_free(struct hd_standstill *self) {
    if (!self) return;
    free(self->held);
    free(self->waits);
    free(self->path);
    free(self);
}

/* ---- circles ------------------------------------------------------------------------- */

static bool waits_for(const struct hd_standstill *self, const struct wait *wait, uint16_t thread) {
    if (!wait->lock) return wait->sync == thread;
    for (uint32_t i = 0; i < self->held_count; i++) {
        if (self->held[i].lock == wait->sync && self->held[i].thread == thread) return true;
    }
    return false;
}

/* Each lock of the circle is waited for by one of the path, and so is an end. */
static bool is_it(const struct hd_standstill *self, uint32_t length, const struct hd_circle *circle) {
    bool joined = !circle->joins, all = true;
    for (uint32_t i = 0; i < length; i++) joined = joined || !self->path[i]->lock;
    for (uint32_t k = 0; k < circle->lock_count && all; k++) {
        all = false;
        for (uint32_t i = 0; i < length; i++) all = all || self->path[i]->lock == circle->locks[k];
    }
    return joined && all;
}

/* From the last of the path to those whom it waits for. A circle of locks alone has one
 * thread for each. */
static bool follow(struct hd_standstill *self, uint32_t length, const struct hd_circle *circle) {
    const struct wait *last = self->path[length - 1];
    if (++self->work > WORK) return false;
    if (waits_for(self, last, self->path[0]->thread) && is_it(self, length, circle)) return true;
    if (length == circle->lock_count && !circle->joins) return false;
    for (uint32_t i = 0; i < self->wait_count; i++) {
        struct wait *wait = &self->waits[i];
        if (wait->on_path || !waits_for(self, last, wait->thread)) continue;
        self->path[length] = wait;
        wait->on_path = true;
        bool found = follow(self, length + 1, circle);
        wait->on_path = false;
        if (found) return true;
    }
    return false;
}

enum hd_standing hd_standstill_has(struct hd_standstill *self, const struct hd_circle *circle) {
    bool found = false;
    self->work = 0;
    for (uint32_t i = 0; i < self->wait_count && circle->lock_count && !found; i++) {
        self->path[0] = &self->waits[i];
        self->waits[i].on_path = true;
        found = follow(self, 1, circle);
        self->waits[i].on_path = false;
    }
    return found ? HD_STANDING_SO : self->work > WORK ? HD_STANDING_UNSURE : HD_STANDING_ELSE;
}
