/* uses.c - which variables a stretch of a thread used (see uses.h). */
#include "checkers/uses.h"

#include <stdlib.h>

#define COMPACT 256

static int by_word(const void *left, const void *right) {
    const struct hd_use *a = left, *b = right;
    if (a->word != b->word) {
        return a->word < b->word ? -1 : 1;
    }
    return a->access.seq < b->access.seq ? -1 : a->access.seq > b->access.seq;
}

void hd_uses_compact(struct hd_uses *uses) {
    if (uses->sorted == uses->count) {
        return;
    }
    qsort(uses->used, uses->count, sizeof *uses->used, by_word);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < uses->count; i++) {
        if (!kept || uses->used[kept - 1].word != uses->used[i].word) {
            uses->used[kept++] = uses->used[i];
        }
    }
    uses->count = uses->sorted = kept;
}

void hd_uses_add(struct hd_arena *arena, struct hd_uses *uses, const struct hd_step *step,
                 bool write) {
    uint32_t word = step->obj * 2 + write;
    if (uses->count > uses->sorted && uses->used[uses->count - 1].word == word) {
        return; /* the same again */
    }
    if (uses->count - uses->sorted > COMPACT + uses->sorted) {
        hd_uses_compact(uses); /* a long loop must not grow the list with every turn */
    }
    HD_ARENA_FIT(arena, uses->used, uses->room, uses->count);
    uses->used[uses->count++] = (struct hd_use){word, hd_access_of(step)};
}
