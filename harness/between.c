/* between.c - see between.h. */
#include "between.h"

#include "identity.h"

#include <stdlib.h>
#include <string.h>

void hd_ways_add(struct hd_ways *self, const struct hd_trace *trace,
                 const struct hd_warning *warning) {
    for (const struct hd_warning *w = warning; w; w = w->next_variant) {
        struct hd_way way = {0};
        uint32_t parts = 0;
        for (uint32_t i = 0; i < w->access_count; i++) {
            uint64_t place = hd_identity_site(trace, w->accesses[i].site);
            if (w->accesses[i].thread == w->accesses[0].thread && parts < 2) {
                way.parts[parts++] = place;
            } else if (way.count < 8) {
                way.between[way.count++] = place;
            }
        }
        bool known = parts < 2;
        for (uint32_t i = 0; !known && i < self->count; i++) {
            known = memcmp(&self->list[i], &way, sizeof way) == 0;
        }
        if (known) continue;
        if (self->count == self->room) {
            self->room = self->room ? self->room * 2 : 4;
            self->list = realloc(self->list, self->room * sizeof *self->list);
            if (!self->list) abort();
        }
        self->list[self->count++] = way;
    }
}

void hd_ways_free(struct hd_ways *self) {
    free(self->list);
    *self = (struct hd_ways){0};
}

/* ---- one execution, one way ------------------------------------------------------------- */

struct crossing { /* an access that was seen while some thread was between its parts */
    uint64_t variable;
    uint16_t thread;
    bool write;
};

struct inside { /* a thread that may be between its two parts */
    bool inside;
    uint64_t variable; /* of the first part */
    bool write;
    struct crossing *list; /* each once */
    uint32_t count, room;
};

static void cross(struct inside *self, struct crossing it) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct crossing *known = &self->list[i];
        if (known->variable == it.variable && known->thread == it.thread &&
            known->write == it.write) {
            return;
        }
    }
    if (self->count == self->room) {
        self->room = self->room ? self->room * 2 : 16;
        self->list = realloc(self->list, self->room * sizeof *self->list);
        if (!self->list) abort();
    }
    self->list[self->count++] = it;
}

static bool meets_first(const struct inside *self, const struct crossing *it) {
    return it->variable == self->variable && (it->write || self->write);
}

/* Some thread's accesses since the first part conflict with both parts: it saw the
 * one done and the other not, or changed what the one had read. */
static bool crossed(const struct inside *self, uint64_t variable, bool write) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct crossing *a = &self->list[i];
        if (!meets_first(self, a)) continue;
        for (uint32_t k = 0; k < self->count; k++) {
            const struct crossing *b = &self->list[k];
            if (b->thread == a->thread && b->variable == variable && (b->write || write)) return true;
        }
    }
    return false;
}

static bool may_cross(const struct hd_way *way, uint64_t place, bool write) {
    if (way->count == 0) return write;
    for (uint32_t k = 0; k < way->count; k++) {
        if (place == way->between[k]) return true;
    }
    return false;
}

struct looking {
    const struct hd_way *way;
    struct inside *threads;
    uint32_t thread_count;
    bool result;
};

static void look(struct looking *self, const struct hd_trace *trace, const struct hd_event *event) {
    if (!hd_kind_is_access(event->kind)) return;
    uint64_t place = hd_identity_site(trace, event->site);
    uint32_t n;
    uint64_t variable =
        hd_identity_variable(trace, hd_trace_variable_granules(trace, event->obj, &n)[0]);
    bool write = hd_kind_writes(event->kind);
    struct inside *mine = &self->threads[event->thread];
    for (uint32_t t = 0; may_cross(self->way, place, write) && t < self->thread_count; t++) {
        if (t == event->thread || !self->threads[t].inside) continue;
        cross(&self->threads[t], (struct crossing){variable, event->thread, write});
    }
    if (place == self->way->parts[1] && mine->inside && crossed(mine, variable, write)) {
        self->result = true;
    }
    if (place == self->way->parts[0]) {
        mine->inside = true;
        mine->variable = variable;
        mine->write = write;
        mine->count = 0;
    } else if (place == self->way->parts[1]) {
        mine->inside = false;
    }
}

/* The failing thread saw the first part of somebody who never came to his second. */
static bool torn(const struct looking *self, const struct hd_trace *trace, const char *failing) {
    for (uint32_t t = 0; failing && t < self->thread_count; t++) {
        const struct inside *it = &self->threads[t];
        for (uint32_t i = 0; it->inside && i < it->count; i++) {
            if (meets_first(it, &it->list[i]) &&
                strcmp(hd_trace_thread(trace, it->list[i].thread), failing) == 0) {
                return true;
            }
        }
    }
    return false;
}

enum hd_came hd_came_between(const struct hd_ways *self, struct hd_trace *trace,
                             const char *failing, struct hd_error *err) {
    enum hd_came came = HD_NOT_BETWEEN;
    for (uint32_t w = 0; w < self->count && came != HD_BETWEEN; w++) {
        struct looking one = {&self->list[w], NULL, hd_trace_threads(trace), false};
        one.threads = calloc(one.thread_count + 1, sizeof *one.threads);
        if (!one.threads) abort();
        size_t count;
        const struct hd_event *events;
        hd_trace_rewind(trace);
        while ((events = hd_trace_next(trace, &count, err)) != NULL) {
            for (size_t i = 0; i < count; i++) look(&one, trace, &events[i]);
        }
        if (one.result) {
            came = HD_BETWEEN;
        } else if (torn(&one, trace, failing)) {
            came = HD_TORN;
        }
        for (uint32_t t = 0; t < one.thread_count; t++) free(one.threads[t].list);
        free(one.threads);
    }
    return came;
}
