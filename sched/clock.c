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
    if (hd_rt->slot_count < FEW && count < hd_rt->slot_count) count = hd_rt->slot_count;
    uint32_t room = count <= 8 ? 8 : 1u << (32 - __builtin_clz(count - 1));
    if (room < clock->room * 2) room = clock->room * 2;
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
    const uint32_t *before = clock->at;
    uint32_t i = 0, had = clock->count;
    if (count > clock->room) {
        hd_clock_reserve(clock, count);
        for (; i < had; i += 4) *(hd_four *)(clock->at + i) = *(const hd_four *)(before + i);
    }
    clock->count = (count + 3) & ~3u;
    for (i = had; i < clock->count; i += 4) *(hd_four *)(clock->at + i) = (hd_four){0};
}
