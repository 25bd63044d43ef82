/* plan_book.c - the points of a trace, for plans. */
#define _GNU_SOURCE
#include "plan_inner.h"

#include "identity.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* A longer trace is planned for by its beginning. */
#define POINTS (1u << 20)

struct visits { /* how often a thread was at a place: open addressing */
    uint64_t *keys;
    uint32_t *counts;
    uint32_t room, used;
};

struct making {
    struct hd_plan_book *book;
    struct visits visits;
    uint64_t *regions; /* identity by region of the front end, 0: not asked yet */
    uint32_t region_room;
};

static void *grow(void *list, size_t bytes) {
    void *more = realloc(list, bytes);
    if (!more) abort();
    return more;
}

static uint32_t visit_again(struct visits *self, uint64_t key) {
    if (self->used * 2 >= self->room) {
        struct visits old = *self;
        self->room = old.room ? old.room * 2 : 256;
        self->used = 0;
        self->keys = calloc(self->room, sizeof *self->keys);
        self->counts = calloc(self->room, sizeof *self->counts);
        if (!self->keys || !self->counts) abort();
        for (uint32_t i = 0; i < old.room; i++) {
            if (!old.keys[i]) continue;
            uint32_t at = (uint32_t)hd_identity_mix(old.keys[i], 1) & (self->room - 1);
            while (self->keys[at]) at = (at + 1) & (self->room - 1);
            self->keys[at] = old.keys[i];
            self->counts[at] = old.counts[i];
            self->used++;
        }
        free(old.keys);
        free(old.counts);
    }
    uint32_t at = (uint32_t)hd_identity_mix(key, 1) & (self->room - 1);
    while (self->keys[at] && self->keys[at] != key) at = (at + 1) & (self->room - 1);
    if (!self->keys[at]) {
        self->keys[at] = key;
        self->used++;
    }
    return ++self->counts[at];
}

static uint64_t region_of(struct making *self, const struct hd_front *front, uint32_t region) {
    if (region == HD_NO_ID) return 0;
    if (region >= self->region_room) {
        uint32_t room = region * 2 + 16;
        self->regions = grow(self->regions, room * sizeof *self->regions);
        memset(self->regions + self->region_room, 0,
               (room - self->region_room) * sizeof *self->regions);
        self->region_room = room;
    }
    if (!self->regions[region]) {
        self->regions[region] =
            hd_identity_atomicity(self->book->trace, hd_front_region(front, region));
    }
    return self->regions[region];
}

static void note_holds(const struct hd_plan_book *book, struct hd_plan_point *point,
                       const struct hd_hold *innermost) {
    uint32_t depth = 0;
    for (const struct hd_hold *h = innermost; h; h = h->below) depth++;
    for (const struct hd_hold *h = innermost; h; h = h->below) {
        if (--depth >= HD_PLAN_HOLDS) continue;
        point->holds[depth] = hd_plan_find(book, h->seq);
        if (depth >= point->hold_count) point->hold_count = (uint8_t)(depth + 1);
    }
}

static void visit(void *argument, const struct hd_front *front, const struct hd_step *step) {
    struct making *self = argument;
    struct hd_plan_book *book = self->book;
    if (!step || book->count == POINTS || step->site == HD_NO_ID) return;
    if (!hd_kind_is_access(step->kind) && step->kind != HD_ACQUIRE) return;
    if (step->marks & HD_MARK_PART) return;
    if (book->count == book->room) {
        book->room = book->room ? book->room * 2 : 1024;
        book->points = grow(book->points, book->room * sizeof *book->points);
    }
    struct hd_plan_point *point = &book->points[book->count++];
    *point = (struct hd_plan_point){
        .seq = step->seq,
        .obj = step->obj,
        .site = step->site,
        .txn = step->txn,
        .thread = step->thread,
        .kind = step->kind,
        .shared = step->kind == HD_ACQUIRE ? (step->flags & HD_FLAG_READ) != 0
                                           : (step->marks & HD_MARK_ESCAPED) != 0,
    };
    point->instance =
        visit_again(&self->visits, ((uint64_t)step->thread + 1) << 32 | (step->site + 1));
    point->region = region_of(self, front, step->region);
    note_holds(book, point, step->holds);
}

static int by_object(const void *a, const void *b, void *argument) {
    const struct hd_plan_book *book = argument;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t p = book->points[x].obj, q = book->points[y].obj;
    return p != q ? (p < q ? -1 : 1) : x < y ? -1 : x > y;
}

struct hd_plan_book *hd_plan_book_new(struct hd_trace *trace, const char *transactions,
                                      struct hd_error *err) {
    struct hd_plan_book *book = calloc(1, sizeof *book);
    if (!book) abort();
    book->trace = trace;
    struct making self = {.book = book};
    int rc = hd_walk(trace, transactions, HD_NEED_TRANSACTIONS | HD_NEED_ESCAPE, visit, &self, err);
    free(self.visits.keys);
    free(self.visits.counts);
    free(self.regions);
    if (rc < 0) {
        hd_plan_book_free(book);
        return NULL;
    }
    book->by_object = grow(NULL, (book->count + 1) * sizeof *book->by_object);
    for (uint32_t i = 0; i < book->count; i++) {
        if (book->points[i].kind != HD_ACQUIRE) book->by_object[book->by_count++] = i;
    }
    qsort_r(book->by_object, book->by_count, sizeof *book->by_object, by_object, book);
    return book;
}

void hd_plan_book_free(struct hd_plan_book *book) {
    if (!book) return;
    free(book->points);
    free(book->by_object);
    free(book);
}

uint32_t hd_plan_find(const struct hd_plan_book *book, uint64_t seq) {
    uint32_t low = 0, high = book->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (book->points[middle].seq < seq) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < book->count && book->points[low].seq == seq ? low : UINT32_MAX;
}

const uint32_t *hd_plan_accesses(const struct hd_plan_book *book, uint32_t granule,
                                 uint32_t *count) {
    uint32_t low = 0, high = book->by_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (book->points[book->by_object[middle]].obj < granule) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t end = low;
    while (end < book->by_count && book->points[book->by_object[end]].obj == granule) end++;
    *count = end - low;
    return book->by_object + low;
}
