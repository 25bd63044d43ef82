/* blocks_graph.c - breadth-first search over the progress of two transactions.
 *
 * A mark has no effect on locks, so it is passed as soon as it can be: nothing
 * is lost by it. Hence how many marks are behind us follows from the two
 * positions, and the search is over positions alone: O(|t| |t'|) states. */
#include "blocks_graph.h"

#include <stdlib.h>
#include <string.h>

/* Beyond this many states the caller gets no answer: 64 MB of visited bits. */
#define STATES_MAX ((uint64_t)1 << 29)

struct search {
    const struct hd_blocks_skeleton *side;
    const struct hd_blocks_mark *marks;
    size_t count;
    uint64_t *visited;
    uint32_t (*queue)[2];
    size_t head, tail, room;
};

/* The number of marks behind positions (i, j): the first one that is ahead of
 * its side stops the order. */
static size_t passed(const struct search *s, const uint32_t at[2]) {
    size_t c = 0;
    while (c < s->count && s->marks[c].at <= at[s->marks[c].side])
        c++;
    return c;
}

/* Does the side at `at` hold `lock` in a way that keeps the other out? */
static bool in_the_way(const struct hd_blocks_skeleton *holder, uint32_t at,
                       const struct hd_blocks_step *wanted) {
    for (uint32_t i = at; i-- > 0;) {
        const struct hd_blocks_step *step = &holder->steps[i];
        if (step->lock != wanted->lock) continue;
        return !step->release && !(step->shared && wanted->shared);
    }
    return false;
}

static bool may_step(const struct search *s, const uint32_t at[2], int side,
                     size_t done) {
    if (at[side] == s->side[side].count) return false;
    for (size_t c = done; c < s->count; c++) {
        if (s->marks[c].side == side && s->marks[c].at <= at[side]) return false;
    }
    const struct hd_blocks_step *step = &s->side[side].steps[at[side]];
    return step->release || !in_the_way(&s->side[!side], at[!side], step);
}

static bool visit(struct search *s, uint32_t i, uint32_t j) {
    uint64_t bit = (uint64_t)i * (s->side[1].count + 1u) + j;
    if (s->visited[bit >> 6] >> (bit & 63) & 1) return true;
    s->visited[bit >> 6] |= (uint64_t)1 << (bit & 63);
    if (s->tail == s->room) {
        if (s->head > s->room / 2) { /* the front half is done with: slide down */
            memmove(s->queue, s->queue + s->head, (s->tail - s->head) * sizeof *s->queue);
            s->tail -= s->head;
            s->head = 0;
        } else {
            size_t room = s->room * 2;
            void *grown = realloc(s->queue, room * sizeof *s->queue);
            if (!grown) return false;
            s->queue = grown;
            s->room = room;
        }
    }
    s->queue[s->tail][0] = i;
    s->queue[s->tail][1] = j;
    s->tail++;
    return true;
}

enum hd_blocks_answer hd_blocks_graph(const struct hd_blocks_skeleton side[2],
                                      const struct hd_blocks_mark *marks, size_t count) {
    enum hd_blocks_answer answer = HD_BLOCKS_TOO_LARGE;
    uint64_t states = (side[0].count + (uint64_t)1) * (side[1].count + (uint64_t)1);
    if (states > STATES_MAX) return answer;

    struct search s = {.side = side, .marks = marks, .count = count, .room = 64};
    s.visited = calloc(states / 64 + 1, sizeof *s.visited);
    s.queue = malloc(s.room * sizeof *s.queue);
    if (!s.visited || !s.queue || !visit(&s, 0, 0)) goto out;

    while (s.head < s.tail) {
        uint32_t at[2] = {s.queue[s.head][0], s.queue[s.head][1]};
        s.head++;
        size_t done = passed(&s, at);
        if (done == count) {
            answer = HD_BLOCKS_YES;
            goto out;
        }
        if (may_step(&s, at, 0, done) && !visit(&s, at[0] + 1, at[1])) goto out;
        if (may_step(&s, at, 1, done) && !visit(&s, at[0], at[1] + 1)) goto out;
    }
    answer = HD_BLOCKS_NO;

out:
    free(s.queue);
    free(s.visited);
    return answer;
}
