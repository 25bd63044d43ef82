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

/* Accesses of different sizes share granules of memory: these are compared. */
struct span {
    const uint32_t *granules;
    uint32_t count;
};

static bool has(struct span span, uint32_t granule) {
    for (uint32_t i = 0; i < span.count; i++) {
        if (span.granules[i] == granule) return true;
    }
    return false;
}

struct crossing { /* an access that was seen while some thread was between its parts */
    uint64_t at; /* which event: the first such, or the first that came late */
    uint32_t granule;
    uint16_t thread;
    bool write;
    bool late;  /* others had written it since the first part */
    bool stale; /* others have written it since this access */
};

struct inside { /* a first part, whose second may come */
    uint64_t at;     /* which event */
    bool inside;
    bool done;       /* it has come, if only in the same region of locks */
    uint32_t region; /* of the first part; 0: outside of all */
    uint32_t call;   /* that did it */
    uint32_t second; /* region in which the second came, maybe in several accesses */
    struct span span; /* of the first part */
    bool write;
    struct crossing *list; /* each once */
    uint32_t count, room;
    uint32_t *changed; /* granules that others have written since the first part, each once */
    uint32_t changed_count, changed_room;
};

static void change(struct inside *self, uint32_t granule) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i].granule == granule) self->list[i].stale = true;
    }
    if (has((struct span){self->changed, self->changed_count}, granule)) return;
    if (self->changed_count == self->changed_room) {
        self->changed_room = self->changed_room ? self->changed_room * 2 : 16;
        self->changed = realloc(self->changed, self->changed_room * sizeof *self->changed);
        if (!self->changed) abort();
    }
    self->changed[self->changed_count++] = granule;
}

static void cross(struct inside *self, struct crossing it) {
    for (uint32_t i = 0; i < self->count; i++) {
        struct crossing *known = &self->list[i];
        if (known->granule == it.granule && known->thread == it.thread &&
            known->write == it.write) {
            if (it.late && !known->late) known->at = it.at;
            known->late = known->late || it.late;
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

/* Where both read, a third may have written in between. */
static bool meets_first(const struct inside *self, const struct crossing *it) {
    return (it->write || self->write || it->late) && has(self->span, it->granule);
}

/* Some thread's accesses since the first part come after the one part and before the
 * other, by conflicts: it saw the one done and the other not, or changed what the one had
 * read, or saw that somebody had. */
static bool crossed(const struct inside *self, struct span span, bool write,
                    struct hd_between *by) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct crossing *a = &self->list[i];
        if (!meets_first(self, a)) continue;
        for (uint32_t k = 0; k < self->count; k++) {
            const struct crossing *b = &self->list[k];
            bool conflicts = b->write || write || b->stale;
            if (b->thread != a->thread || !conflicts || !has(span, b->granule)) continue;
            uint64_t low = a->at < b->at ? a->at : b->at, high = a->at < b->at ? b->at : a->at;
            *by = (struct hd_between){{self->at, low, high}, 3};
            if (low == high) by->count = 2;
            return true;
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

/* Both parts may be in a function that is called twice: then the first part is that of
 * the call before, not the one of the region that the second is in. */
struct thread {
    struct inside now, before; /* the latest first part; the latest of an earlier region */
    uint32_t held, regions;    /* locks; outermost regions so far */
    uint32_t *calls;           /* that have begun and not ended, by number */
    uint32_t depth, room, numbers;
    bool over;          /* it has come to its end, or it ended the program: there is no second part */
    uint32_t outermost; /* the least depth in this region: a lock may be taken by a function for it */
};

static void follow_calls(struct thread *self, int kind) {
    if (kind == HD_ENTER) {
        if (self->depth == self->room) {
            self->room = self->room ? self->room * 2 : 16;
            self->calls = realloc(self->calls, self->room * sizeof *self->calls);
            if (!self->calls) abort();
        }
        self->calls[self->depth++] = ++self->numbers;
    } else if (kind == HD_EXIT && self->depth > 0) {
        self->depth--;
    }
    if (!self->held || self->depth < self->outermost) self->outermost = self->depth;
}

/* The call that does all of the region, as far as it is done; outside of all: this one. */
static uint32_t call_of(const struct thread *self) {
    return self->outermost ? self->calls[self->outermost - 1] : 0;
}

static void follow_locks(struct thread *self, int kind) {
    switch (kind) {
    case HD_ACQUIRE:
    case HD_TXBEGIN:
    case HD_WAKE:
        if (self->held++ == 0) self->regions++;
        break;
    case HD_RELEASE:
    case HD_TXEND:
    case HD_WAIT:
        if (self->held > 0) self->held--;
        break;
    }
}

static void open_first(struct thread *self, uint32_t region, struct span span, bool write,
                       uint64_t at) {
    if (self->now.inside && region && self->now.region != region) {
        struct inside kept = self->before;
        self->before = self->now;
        self->now = kept; /* its list is used again */
    }
    self->now.inside = true;
    self->now.at = at;
    self->now.done = false;
    self->now.second = 0;
    self->now.region = region;
    self->now.call = call_of(self);
    self->now.span = span;
    self->now.write = write;
    self->now.count = 0;
    self->now.changed_count = 0;
}

/* Another thread's access while the second part may still come. */
static void pass(struct inside *self, uint16_t thread, struct span span, bool crosses, bool write,
                 uint64_t at) {
    for (uint32_t i = 0; self->inside && i < span.count; i++) {
        uint32_t granule = span.granules[i];
        bool late = has((struct span){self->changed, self->changed_count}, granule);
        if (write) change(self, granule);
        if (crosses) cross(self, (struct crossing){at, granule, thread, write, late, false});
    }
}

struct looking {
    const struct hd_way *way;
    uint64_t first, second; /* places of the parts */
    bool backwards;         /* the other way round: one call has to do both */
    struct thread *threads;
    uint32_t thread_count;
    uint16_t last; /* who did something last */
    uint64_t at; /* the event looked at */
    enum hd_came result;
    struct hd_between by;
};

static void came(struct looking *self, const struct thread *mine, const struct inside *first,
                 struct hd_between by) {
    bool one_call = first->call == call_of(mine);
    enum hd_came before = self->result;
    if (one_call) {
        self->result = HD_BETWEEN;
    } else if (!self->backwards && self->result == HD_NOT_BETWEEN) {
        self->result = HD_BETWEEN_CALLS;
    }
    if (self->result == before) return;
    self->by = by;
    self->by.events[self->by.count++] = self->at;
}

static void look(struct looking *self, const struct hd_trace *trace, const struct hd_event *event) {
    struct thread *mine = &self->threads[event->thread];
    self->last = event->thread;
    if (event->kind == HD_STOP) mine->over = true;
    follow_locks(mine, event->kind);
    follow_calls(mine, event->kind);
    if (!hd_kind_is_access(event->kind)) return;
    uint64_t place = hd_identity_site(trace, event->site);
    struct span span;
    span.granules = hd_trace_variable_granules(trace, event->obj, &span.count);
    bool write = hd_kind_writes(event->kind);
    bool crosses = may_cross(self->way, place, write);
    for (uint32_t t = 0; (crosses || write) && t < self->thread_count; t++) {
        if (t == event->thread) continue;
        pass(&self->threads[t].now, event->thread, span, crosses, write, self->at);
        pass(&self->threads[t].before, event->thread, span, crosses, write, self->at);
    }
    uint32_t region = mine->held ? mine->regions : 0;
    bool same = region && mine->now.inside && mine->now.region == region;
    bool late = mine->now.second && mine->now.second != region;
    if (place == self->second) {
        struct hd_between by;
        if (mine->now.inside && !late && crossed(&mine->now, span, write, &by)) {
            came(self, mine, &mine->now, by);
        }
        if (same && mine->before.inside && crossed(&mine->before, span, write, &by)) {
            came(self, mine, &mine->before, by);
        }
    }
    if (place == self->first) {
        open_first(mine, region, span, write, self->at);
    } else if (place == self->second) {
        mine->now.done = true;
        if (!same) mine->now.second = region;
        if (!region || late) mine->now.inside = false;
    }
}

/* Somebody, or the failing thread, saw the first part of one who never came to his second. */
static enum hd_came half(const struct looking *self, const struct hd_trace *trace,
                         const char *failing) {
    enum hd_came most = HD_NOT_BETWEEN;
    for (uint32_t t = 0; t < self->thread_count; t++) {
        const struct inside *it = &self->threads[t].now;
        for (uint32_t i = 0; it->inside && !it->done && i < it->count; i++) {
            if (!meets_first(it, &it->list[i])) continue;
            const char *who = hd_trace_thread(trace, it->list[i].thread);
            if (failing && strcmp(who, failing) == 0) return HD_TORN;
            if (!self->threads[t].over && t != self->last) most = HD_CUT;
        }
    }
    return most;
}

static enum hd_came look_at_all(const struct hd_way *way, bool backwards, struct hd_trace *trace,
                                const char *failing, struct hd_between *by, struct hd_error *err) {
    struct looking one = {.way = way,
                          .first = way->parts[backwards],
                          .second = way->parts[!backwards],
                          .backwards = backwards,
                          .thread_count = hd_trace_threads(trace)};
    one.threads = calloc(one.thread_count + 1, sizeof *one.threads);
    if (!one.threads) abort();
    size_t count;
    const struct hd_event *events;
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++, one.at++) look(&one, trace, &events[i]);
    }
    if (one.result == HD_NOT_BETWEEN && !backwards) one.result = half(&one, trace, failing);
    for (uint32_t t = 0; t < one.thread_count; t++) {
        free(one.threads[t].now.list);
        free(one.threads[t].before.list);
        free(one.threads[t].now.changed);
        free(one.threads[t].before.changed);
        free(one.threads[t].calls);
    }
    free(one.threads);
    *by = one.by;
    return one.result;
}

enum hd_came hd_came_between(const struct hd_ways *self, struct hd_trace *trace,
                             const char *failing, struct hd_between *by, struct hd_error *err) {
    enum hd_came most = HD_NOT_BETWEEN;
    for (uint32_t w = 0; w < self->count; w++) {
        const struct hd_way *way = &self->list[w];
        bool apart = way->count > 0; /* and not a copy and its use */
        for (int backwards = 0; backwards <= apart && most != HD_BETWEEN; backwards++) {
            struct hd_between seen;
            enum hd_came one = look_at_all(way, backwards, trace, failing, &seen, err);
            if (one <= most) continue;
            most = one;
            if (by && one >= HD_BETWEEN_CALLS) *by = seen;
        }
    }
    return most;
}
