/* score.c - see score.h. */
#include "score.h"

#include "walk.h"

#include <math.h>
#include <stdlib.h>

#define EXPECTED 0.9 /* of accesses to what needs a lock have one; customary, not in the paper */
#define OBJECTS 64   /* of one stretch; more change nothing */

/* How far the rate of protected accesses is from the expected one. */
static double z_of(const struct hd_score_facts *facts) {
    if (facts->total == 0) return 0;
    double n = facts->total;
    return (facts->protected / n - EXPECTED) / sqrt(EXPECTED * (1 - EXPECTED) / n);
}

int64_t hd_score(const struct hd_score_facts *facts, bool write) {
    int64_t score = 0;
    double z = z_of(facts);
    score += facts->only > 1 ? 4 : facts->only == 1 ? 2 : 0;
    score += facts->first > 0;
    score += facts->last > 0;
    if (z > 2) score += 2;
    if (z < -2 && !facts->global) score -= 2;
    score += facts->around > 4 ? 2 : facts->around > 1 ? 1 : 0; /* read as alternatives */
    score += facts->wide;
    score += write;
    return score;
}

/* ---- collecting the facts -------------------------------------------------------------- */

struct stretch { /* of one thread: a critical section, or what lies between two */
    uint32_t acq; /* the outermost acquisition; HD_NO_ID: no lock is held */
    uint32_t objects[OBJECTS];
    uint32_t count;
    uint32_t last;
};

struct hd_scores {
    struct hd_score_facts *facts; /* by granule */
    uint32_t count;
    struct stretch *threads;
    uint32_t thread_count;
};

static void close_stretch(struct hd_scores *self, struct stretch *stretch) {
    if (stretch->count && stretch->acq != HD_NO_ID) {
        if (stretch->count == 1) self->facts[stretch->objects[0]].only++;
        self->facts[stretch->objects[0]].first++;
        self->facts[stretch->last].last++;
    }
    for (uint32_t i = 0; i < stretch->count && stretch->acq == HD_NO_ID; i++) {
        struct hd_score_facts *facts = &self->facts[stretch->objects[i]];
        if (facts->around < stretch->count) facts->around = stretch->count;
    }
    stretch->count = 0;
    stretch->acq = HD_NO_ID;
}

static void add_object(struct stretch *stretch, uint32_t granule) {
    stretch->last = granule;
    for (uint32_t i = 0; i < stretch->count; i++) {
        if (stretch->objects[i] == granule) return;
    }
    if (stretch->count < OBJECTS) stretch->objects[stretch->count++] = granule;
}

static void visit(void *argument, const struct hd_front *front, const struct hd_step *step) {
    struct hd_scores *self = argument;
    if (!step) {
        for (uint32_t i = 0; i < self->thread_count; i++) close_stretch(self, &self->threads[i]);
        return;
    }
    if (step->thread >= self->thread_count) return;
    struct stretch *stretch = &self->threads[step->thread];
    if (step->kind == HD_ACQUIRE && !step->holds) close_stretch(self, stretch);
    if (!hd_kind_is_access(step->kind) || !(step->marks & HD_MARK_ESCAPED)) return;
    uint32_t acq = HD_NO_ID;
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) acq = hold->acq;
    if (acq != stretch->acq) {
        close_stretch(self, stretch);
        stretch->acq = acq;
    }
    add_object(stretch, step->obj);
    self->facts[step->obj].total++;
    self->facts[step->obj].protected += acq != HD_NO_ID;
}

struct hd_scores *hd_scores_new(struct hd_trace *trace, const char *transactions,
                                struct hd_error *err) {
    struct hd_scores *self = calloc(1, sizeof *self);
    if (!self) abort();
    self->count = hd_trace_granules(trace);
    self->thread_count = hd_trace_threads(trace);
    self->facts = calloc(self->count + 1, sizeof *self->facts);
    self->threads = calloc(self->thread_count + 1, sizeof *self->threads);
    if (!self->facts || !self->threads) abort();
    for (uint32_t i = 0; i < self->thread_count; i++) self->threads[i].acq = HD_NO_ID;
    for (uint32_t i = 0; i < self->count; i++) {
        const struct hd_variable *v =
            hd_trace_variable(trace, hd_trace_granule_variable(trace, i));
        if (v->object == HD_NO_ID) continue;
        self->facts[i].global = hd_trace_object(trace, v->object)->kind == HD_OBJECT_GLOBAL;
        self->facts[i].wide =
            v->size > 8 || (v->size & (v->size - 1)) || (v->size && v->offset % v->size != 0);
    }
    if (hd_walk(trace, transactions, HD_NEED_ESCAPE, visit, self, err) < 0) {
        hd_scores_free(self);
        return NULL;
    }
    return self;
}

void hd_scores_free(struct hd_scores *self) {
    if (!self) return;
    free(self->facts);
    free(self->threads);
    free(self);
}

int64_t hd_scores_warning(const struct hd_scores *self, const struct hd_warning *warning) {
    int64_t best = 0;
    bool any = false;
    for (uint32_t i = 0; i < warning->access_count; i++) {
        const struct hd_access *access = &warning->accesses[i];
        if (!hd_kind_is_access(access->kind) || access->obj >= self->count) continue;
        int64_t score = hd_score(&self->facts[access->obj], hd_kind_writes(access->kind));
        if (!any || score > best) best = score;
        any = true;
    }
    return best;
}
