/* clock.c - vector clocks: arrays that grow to the highest thread they know of. */
#include "checkers/clock.h"

#include <string.h>

static void fit(struct hd_arena *arena, struct hd_clock *c, uint32_t count) {
    if (count > c->room) {
        uint32_t to = c->room * 2 > count ? c->room * 2 : count;
        to = to < 4 ? 4 : to;
        c->at = hd_arena_grow(arena, c->at, c->room, to, sizeof *c->at);
        c->room = to;
    }
    if (count > c->count) { /* what hd_clock_clear left behind may still lie there */
        memset(c->at + c->count, 0, (count - c->count) * sizeof *c->at);
        c->count = count;
    }
}

void hd_clock_set(struct hd_arena *arena, struct hd_clock *c, uint32_t thread, uint32_t value) {
    fit(arena, c, thread + 1);
    c->at[thread] = value;
}

void hd_clock_copy(struct hd_arena *arena, struct hd_clock *to, const struct hd_clock *from) {
    to->count = 0;
    fit(arena, to, from->count);
    if (from->count) {
        memcpy(to->at, from->at, from->count * sizeof *to->at);
    }
}

void hd_clock_join(struct hd_arena *arena, struct hd_clock *to, const struct hd_clock *from) {
    fit(arena, to, from->count);
    uint32_t *restrict a = to->at;
    const uint32_t *restrict b = from->at;
    for (uint32_t i = 0; i < from->count; i++) {
        a[i] = a[i] > b[i] ? a[i] : b[i];
    }
}

int64_t hd_clock_excess(const struct hd_clock *a, const struct hd_clock *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->at[i] > hd_clock_get(b, i)) {
            return i;
        }
    }
    return -1;
}

bool hd_clock_leq(const struct hd_clock *a, const struct hd_clock *b) {
    return hd_clock_excess(a, b) < 0;
}
