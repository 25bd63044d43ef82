/* clock.c - vector clocks that grow. */
#include "clock.h"

#include "runtime.h"

#include <string.h>

#define FEW 32

/* The memory of a clock that was dropped; at least eight components. */
struct hd_spare {
    struct hd_spare *next;
    uint32_t room;
};

void hd_clock_drop(struct hd_clock *clock) {
    if (clock->room) {
        struct hd_spare *spare = (struct hd_spare *)clock->at;
        *spare = (struct hd_spare){hd_rt->spare_clocks, clock->room};
        hd_rt->spare_clocks = spare;
    }
    *clock = (struct hd_clock){0};
}

void hd_clock_reserve(struct hd_clock *clock, uint32_t count) {
    /* With a few threads, room for all of them at once. */
    uint32_t most = hd_rt->slot_count < FEW ? hd_rt->slot_count : 0;
    uint32_t room = clock->room ? clock->room * 2 : 8;
    while (room < count || room < most) room *= 2;
    struct hd_spare *spare = hd_rt->spare_clocks;
    uint32_t *at = (uint32_t *)spare;
    if (spare && spare->room >= room) {
        room = spare->room;
        hd_rt->spare_clocks = spare->next;
    } else {
        at = hd_passing_as_it_is(room * sizeof *at);
    }
    clock->at = at;
    clock->room = room;
}

void hd_clock_grow(struct hd_clock *clock, uint32_t count) {
    if (count > clock->room) {
        const uint32_t *before = clock->at;
        hd_clock_reserve(clock, count);
        if (clock->count) memcpy(clock->at, before, clock->count * sizeof *clock->at);
    }
    memset(clock->at + clock->count, 0, (count - clock->count) * sizeof *clock->at);
    clock->count = count;
}
