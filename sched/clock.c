/* clock.c - making room in a vector clock. */
#include "clock.h"

#include <string.h>

void hd_clock_grow(struct hd_clock *clock, uint32_t count) {
    if (count > clock->room) {
        uint32_t room = clock->room ? clock->room * 2 : 8;
        while (room < count) room *= 2;
        uint32_t *at = hd_passing(room * sizeof *at);
        if (clock->count) memcpy(at, clock->at, clock->count * sizeof *at);
        clock->at = at;
        clock->room = room;
    }
    memset(clock->at + clock->count, 0, (count - clock->count) * sizeof *clock->at);
    clock->count = count;
}
