/* granules.c - cutting overlapping variables into pieces that do not overlap.
 *
 * Rule (2) of trace.h. Per object, every start and every end of a variable is a
 * cut; a piece between two cuts that some variable covers is a granule. There
 * are at most twice as many granules as variables. A variable of size 0 counts
 * as one byte, so that it has a granule.
 *
 * Nearly all variables overlap nothing: in the order of their places each is a
 * granule. Only bunches of variables that do are cut. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

/* ---- the order of places -------------------------------------------------- */

struct place {
    uint64_t offset;
    uint32_t variable;
    uint32_t object;
};

#define DIGIT 11 /* bits that are sorted by at once */
#define DIGITS (1u << DIGIT)

static uint64_t digit_of(const struct place *p, int round, int rounds) {
    return round < rounds ? p->offset >> round * DIGIT : p->object >> (round - rounds) * DIGIT;
}

static int rounds_for(uint64_t most) {
    int rounds = 0;
    for (; most; most >>= DIGIT) rounds++;
    return rounds;
}

static bool before(const struct place *a, const struct place *b) {
    return a->object < b->object || (a->object == b->object && a->offset < b->offset);
}

struct row { /* of places in order */
    const struct place *first;
    uint32_t count;
};

static int by_first(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    return before(x->first, y->first) ? -1 : before(y->first, x->first);
}

#define ROWS 4096
#define NEAR 64 /* bytes: a row goes on no farther, so that it has nothing else in between */

static bool goes_on(const struct place *last, const struct place *next) {
    return last->object == next->object && last->offset < next->offset &&
           next->offset - last->offset <= NEAR;
}

/* A short row may have places of other rows in between: each of its is one by itself. */
#define SHORT 32

/* Who goes through arrays has places in order in long rows: then it is enough to put the
 * rows in order. False: there are too many, or they cross each other. */
static bool sort_rows(const struct place *places, struct place *sorted, uint32_t count) {
    struct row rows[ROWS];
    uint32_t used = 0, done = 0;
    for (uint32_t i = 0, length; i < count; i += length) {
        for (length = 1; i + length < count; length++) {
            if (!goes_on(&places[i + length - 1], &places[i + length])) break;
        }
        uint32_t pieces = length < SHORT ? length : 1;
        if (pieces > ROWS - used) return false;
        for (uint32_t k = 0; k < pieces; k++) rows[used++] = (struct row){&places[i + k], length / pieces};
    }
    qsort(rows, used, sizeof *rows, by_first);
    for (uint32_t r = 0; r < used; r++) {
        if (r > 0 && !before(&rows[r - 1].first[rows[r - 1].count - 1], rows[r].first)) return false;
        memcpy(&sorted[done], rows[r].first, rows[r].count * sizeof *sorted);
        done += rows[r].count;
    }
    return true;
}

/* By object, then offset, then variable, which is the order they come in. Digit by
 * digit, the lowest first; `other` has room for as many. Returns where they are. */
static struct place *sort(struct place *places, struct place *other, uint32_t count) {
    uint64_t offset = 0, object = 0;
    if (sort_rows(places, other, count)) return other;
    for (uint32_t i = 0; i < count; i++) {
        offset |= places[i].offset;
        object |= places[i].object;
    }
    int by_offset = rounds_for(offset), rounds = by_offset + rounds_for(object);
    for (int round = 0; round < rounds; round++) {
        uint32_t at[DIGITS] = {0}, next = 0;
        for (uint32_t i = 0; i < count; i++)
            at[digit_of(&places[i], round, by_offset) % DIGITS]++;
        for (uint32_t d = 0; d < DIGITS; d++) {
            uint32_t these = at[d];
            at[d] = next;
            next += these;
        }
        for (uint32_t i = 0; i < count; i++)
            other[at[digit_of(&places[i], round, by_offset) % DIGITS]++] = places[i];
        struct place *sorted = other;
        other = places;
        places = sorted;
    }
    return places;
}

/* ---- bunches ------------------------------------------------------------- */

struct cut {
    uint64_t offset;
    uint32_t variable;
    int32_t step; /* +1: it starts here, -1: it ends here */
};

static int by_place(const void *a, const void *b) {
    const struct cut *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

struct sized {
    uint32_t size, id;
};

static int by_size(const void *a, const void *b) {
    const struct sized *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The smallest variable first claims its granules; a larger one gets what is
 * left. next[g] leads to the first granule from g on that is unclaimed, counted
 * from the first of the bunch. */
static int claim(struct hd_tables *t, const struct place *bunch, uint32_t count,
                 uint32_t first) {
    struct sized *order = malloc(count * sizeof *order);
    uint32_t *next = malloc((t->granules - first + 1ull) * sizeof *next);
    int rc = -1;
    if (!order || !next) goto out;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = bunch[i].variable;
        order[i] = (struct sized){.size = t->variables[v].size, .id = v};
    }
    qsort(order, count, sizeof *order, by_size);
    for (uint32_t g = 0; g <= t->granules - first; g++)
        next[g] = g;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = order[i].id, from = t->granule_first[v] - first;
        for (uint32_t g = from;;) {
            while (next[g] != g) { /* with path halving */
                next[g] = next[next[g]];
                g = next[g];
            }
            if (g >= from + t->granule_count[v]) break;
            t->granule_variable[first + g] = v;
            next[g] = g + 1;
        }
    }
    rc = 0;
out:
    free(order);
    free(next);
    return rc;
}

static uint64_t end_of(const struct hd_tables *t, const struct place *p) {
    uint32_t size = t->variables[p->variable].size;
    return p->offset + (size ? size : 1);
}

/* Variables of one object, each of which overlaps another. */
static int cut_bunch(struct hd_tables *t, const struct place *bunch, uint32_t count) {
    size_t cuts = 2 * (size_t)count;
    struct cut *cut = malloc(cuts * sizeof *cut);
    if (!cut) return -1;
    for (uint32_t i = 0; i < count; i++) {
        cut[2 * i] = (struct cut){bunch[i].offset, bunch[i].variable, 1};
        cut[2 * i + 1] = (struct cut){end_of(t, &bunch[i]), bunch[i].variable, -1};
    }
    qsort(cut, cuts, sizeof *cut, by_place);

    /* Between two places, `covering` tells how many variables lie over the
     * piece; granules counts the pieces that were passed. */
    uint32_t covering = 0, first = t->granules;
    for (size_t i = 0; i < cuts; i++) {
        uint32_t v = cut[i].variable;
        if (i > 0 && covering > 0 && cut[i].offset != cut[i - 1].offset) t->granules++;
        if (cut[i].step > 0) {
            covering++;
            t->granule_first[v] = t->granules;
        } else {
            covering--;
            t->granule_count[v] = t->granules - t->granule_first[v];
        }
    }
    free(cut);
    return claim(t, bunch, count, first);
}

/* From places in order to granules. */
static int cut_all(struct hd_tables *t, const struct place *places, uint32_t count) {
    for (uint32_t i = 0, after; i < count; i = after) {
        uint64_t end = end_of(t, &places[i]);
        for (after = i + 1; after < count && places[after].object == places[i].object &&
                            places[after].offset < end;
             after++) {
            uint64_t its = end_of(t, &places[after]);
            end = its > end ? its : end;
        }
        if (after - i > 1) {
            if (cut_bunch(t, &places[i], after - i) < 0) return -1;
            continue;
        }
        t->granule_first[places[i].variable] = t->granules;
        t->granule_count[places[i].variable] = 1;
        t->granule_variable[t->granules++] = places[i].variable;
    }
    return 0;
}

int hd_tables_cut(struct hd_tables *t, struct hd_error *err) {
    uint32_t count = t->count[HD_TABLE_VARIABLE];
    if (count > UINT32_MAX / 4) {
        hd_fail(err, 0, "%u variables are too many", count);
        return -1;
    }
    int rc = -1;
    struct place *places = malloc((2 * (size_t)count + 1) * sizeof *places);
    t->granule_first = malloc((count + 1ull) * sizeof *t->granule_first);
    t->granule_count = malloc((count + 1ull) * sizeof *t->granule_count);
    t->granule_variable = malloc((2ull * count + 1) * sizeof *t->granule_variable);
    if (!places || !t->granule_first || !t->granule_count || !t->granule_variable) goto out;
    for (uint32_t v = 0; v < count; v++)
        places[v] = (struct place){t->variables[v].offset, v, t->variables[v].object};
    if (cut_all(t, sort(places, places + count, count), count) < 0) goto out;
    t->granule_list = malloc((t->granules + 1ull) * sizeof *t->granule_list);
    if (!t->granule_list) goto out;
    for (uint32_t g = 0; g < t->granules; g++)
        t->granule_list[g] = g;
    rc = 0;
out:
    if (rc < 0) hd_fail(err, 0, "out of memory for %u variables", count);
    free(places);
    return rc;
}
