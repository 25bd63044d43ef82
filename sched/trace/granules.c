/* granules.c - cutting overlapping variables into pieces that do not overlap.
 *
 * Rule (2) of trace.h. Per object, every start and every end of a variable is a
 * cut; a piece between two cuts that some variable covers is a granule. There
 * are at most twice as many granules as variables. A variable of size 0 counts
 * as one byte, so that it has a granule. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

struct cut {
    uint64_t offset;
    uint32_t object;
    uint32_t variable;
    int32_t step; /* +1: it starts here, -1: it ends here */
};

static int by_place(const void *a, const void *b) {
    const struct cut *x = a, *y = b;
    if (x->object != y->object) return x->object < y->object ? -1 : 1;
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
 * left. next[g] leads to the first granule from g on that is unclaimed. */
static int claim(struct hd_tables *t) {
    uint32_t variables = t->count[HD_TABLE_VARIABLE];
    struct sized *order = malloc((variables + 1ull) * sizeof *order);
    uint32_t *next = malloc((t->granules + 1ull) * sizeof *next);
    int rc = -1;
    if (!order || !next) goto out;
    for (uint32_t i = 0; i < variables; i++) {
        order[i] = (struct sized){.size = t->variables[i].size, .id = i};
    }
    qsort(order, variables, sizeof *order, by_size);
    for (uint32_t g = 0; g <= t->granules; g++)
        next[g] = g;
    for (uint32_t i = 0; i < variables; i++) {
        uint32_t v = order[i].id, end = t->granule_first[v] + t->granule_count[v];
        for (uint32_t g = t->granule_first[v];;) {
            while (next[g] != g) { /* with path halving */
                next[g] = next[next[g]];
                g = next[g];
            }
            if (g >= end) break;
            t->granule_variable[g] = v;
            next[g] = g + 1;
        }
    }
    rc = 0;
out:
    free(order);
    free(next);
    return rc;
}

int hd_tables_cut(struct hd_tables *t, struct hd_error *err) {
    uint32_t variables = t->count[HD_TABLE_VARIABLE];
    size_t cuts = 2 * (size_t)variables;
    struct cut *cut = malloc((cuts + 1) * sizeof *cut);
    int rc = -1;
    t->granule_first = malloc((variables + 1ull) * sizeof *t->granule_first);
    t->granule_count = malloc((variables + 1ull) * sizeof *t->granule_count);
    if (!cut || !t->granule_first || !t->granule_count) goto memory;
    if (variables > UINT32_MAX / 4) {
        hd_fail(err, 0, "%u variables are too many", variables);
        goto out;
    }

    for (uint32_t i = 0; i < variables; i++) {
        const struct hd_variable *v = &t->variables[i];
        uint64_t size = v->size ? v->size : 1;
        cut[2 * i] = (struct cut){v->offset, v->object, i, 1};
        cut[2 * i + 1] = (struct cut){v->offset + size, v->object, i, -1};
    }
    qsort(cut, cuts, sizeof *cut, by_place);

    /* Between two places, `covering` tells how many variables lie over the
     * piece; granules counts the pieces that were passed. */
    uint32_t covering = 0, granules = 0;
    for (size_t i = 0; i < cuts; i++) {
        if (i > 0 && covering > 0 && cut[i].offset != cut[i - 1].offset) granules++;
        if (cut[i].step > 0) {
            covering++;
            t->granule_first[cut[i].variable] = granules;
        } else {
            covering--;
            t->granule_count[cut[i].variable] =
                granules - t->granule_first[cut[i].variable];
        }
    }
    t->granules = granules;
    t->granule_list = malloc((granules + 1ull) * sizeof *t->granule_list);
    t->granule_variable = malloc((granules + 1ull) * sizeof *t->granule_variable);
    if (!t->granule_list || !t->granule_variable) goto memory;
    for (uint32_t g = 0; g < granules; g++)
        t->granule_list[g] = g;
    if (claim(t) < 0) goto memory;
    rc = 0;
    goto out;

memory:
    hd_fail(err, 0, "out of memory for %u variables", variables);
out:
    free(cut);
    return rc;
}
