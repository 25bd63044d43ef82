/* sight.c - see sight.h. */
#include "sight.h"

#include <stdlib.h>

static bool better(const struct hd_sight *known, const struct hd_schedule *schedule, bool pending) {
    if (pending != known->pending) return pending;
    return schedule->step_count < known->schedule->step_count;
}

void hd_sights_note(struct hd_sights *self, const struct hd_schedule *schedule, uint32_t outcome,
                    bool pending) {
    uint32_t i = 0;
    while (i < self->count && self->list[i].outcome != outcome) i++;
    if (i == HD_SIGHTS || (i < self->count && !better(&self->list[i], schedule, pending))) return;
    if (i == self->count) {
        if (self->count == self->room) {
            self->room = self->room ? self->room * 2 : 4;
            self->list = realloc(self->list, self->room * sizeof *self->list);
            if (!self->list) abort();
        }
        self->list[self->count++].schedule = NULL;
    }
    hd_schedule_free(self->list[i].schedule);
    self->list[i] = (struct hd_sight){hd_schedule_copy(schedule), outcome, pending};
}

void hd_sights_free(struct hd_sights *self) {
    for (uint32_t i = 0; i < self->count; i++) hd_schedule_free(self->list[i].schedule);
    free(self->list);
    *self = (struct hd_sights){0};
}
