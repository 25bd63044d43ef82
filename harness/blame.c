/* blame.c - see blame.h. */
#include "blame.h"

#include <stdlib.h>
#include <string.h>

#define MOST 256 /* sets; what comes later is left out */

static bool has(const uint32_t *races, uint32_t count, uint32_t race) {
    for (uint32_t i = 0; i < count; i++) {
        if (races[i] == race) return true;
    }
    return false;
}

static bool within(const uint32_t *part, uint32_t count, const uint32_t *all, uint32_t most) {
    if (count > most) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!has(all, most, part[i])) return false;
    }
    return true;
}

static void drop(struct hd_blame *self, uint32_t i) {
    free(self->list[i].races);
    self->list[i] = self->list[--self->count];
}

void hd_blame_note(struct hd_blame *self, uint32_t outcome, const uint32_t *races,
                   uint32_t count) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct hd_blame_set *set = &self->list[i];
        if (set->outcome == outcome && within(set->races, set->count, races, count)) return;
    }
    for (uint32_t i = self->count; i-- > 0;) {
        const struct hd_blame_set *set = &self->list[i];
        if (set->outcome == outcome && within(races, count, set->races, set->count)) drop(self, i);
    }
    if (self->count == MOST) {
        self->full = true;
        return;
    }
    if (self->count == self->room) {
        self->room = self->room ? self->room * 2 : 8;
        self->list = realloc(self->list, self->room * sizeof *self->list);
        if (!self->list) abort();
    }
    struct hd_blame_set set = {outcome, malloc((count + 1) * sizeof *races), count};
    if (!set.races) abort();
    if (count) memcpy(set.races, races, count * sizeof *races);
    self->list[self->count++] = set;
}

bool hd_blame_has(const struct hd_blame *self, uint32_t race) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (has(self->list[i].races, self->list[i].count, race)) return true;
    }
    return false;
}

/* How many of the set count; -1: one of them is not in `all`. */
static int counting(const struct hd_blame_set *set, const bool *counts, const struct hd_blame_set *all) {
    int found = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (!counts[set->races[i]]) continue;
        if (!has(all->races, all->count, set->races[i])) return -1;
        found++;
    }
    return found;
}

bool hd_blame_spared(const struct hd_blame *self, uint32_t outcome, const bool *counts) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct hd_blame_set *set = &self->list[i];
        if (set->outcome == outcome && counting(set, counts, set) == 0) return true;
    }
    return false;
}

static bool smallest(const struct hd_blame *self, const struct hd_blame_set *set, const bool *counts) {
    int size = counting(set, counts, set);
    for (uint32_t i = 0; i < self->count; i++) {
        const struct hd_blame_set *other = &self->list[i];
        int shared = other->outcome == set->outcome ? counting(other, counts, set) : -1;
        if (shared >= 0 && shared < size) return false;
    }
    return true;
}

bool hd_blame_of(const struct hd_blame *self, uint32_t outcome, uint32_t one, const bool *counts) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct hd_blame_set *set = &self->list[i];
        if (set->outcome == outcome && has(set->races, set->count, one) &&
            smallest(self, set, counts)) {
            return true;
        }
    }
    return false;
}

void hd_blame_free(struct hd_blame *self) {
    while (self->count) drop(self, self->count - 1);
    free(self->list);
    *self = (struct hd_blame){0};
}
