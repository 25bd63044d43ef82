/* races.c - two accesses to one variable, one of them a write, that nothing keeps apart.
 *
 * Which "nothing" is the algorithm's business: race_hb.c speaks of the order in
 * this run, the detectors (detector.h) of locks and periods. This file shows them
 * the accesses and makes warnings:
 *   (1) One warning per variable, its pairs of places as variants. A pair of
 *       places that was reported for another variable counts there: a loop over
 *       an array is one mistake, not a thousand. Only if both lie on stacks, or both
 *       on the heap, or neither: a call of libc touches several things at one place.
 *   (2) The lockset algorithms judge a variable, not a pair. The pair comes from
 *       race_pairs.c, run beside them; where it finds none, the warning says so:
 *       it cannot be true as far as locks and periods go.
 *
 * Not seen: what the detectors state; atomic accesses, but by algorithm=hb. */
#include "checkers/checker.h"
#include "checkers/detector.h"
#include "checkers/race_hb.h"
#include "checkers/race_pairs.h"

#include <string.h>

/* Lockset algorithms: what to show if no pair is found. */
struct suspect {
    struct hd_access last, before; /* `before` is by another thread than `last` */
    struct hd_access first_racy, first_other;
    uint64_t instances; /* racy accesses */
    bool seen, two, paired;
};

struct places {
    uint32_t a, b, memory, granule;
    bool used;
};

struct races {
    const struct hd_pass *pass;
    struct hd_warnings *out;
    bool escape;
    struct hd_hb *hb;
    struct hd_detector *detector; /* NULL: pairs decide by themselves */
    struct hd_pairs *pairs;
    struct suspect *suspects;
    struct places *places; /* open addressing */
    uint32_t place_count, place_room;
};

static const char *algorithm(const struct hd_settings *settings) {
    static const char *const names[] = {"pairs",       "multilockset",   "hb",
                                        "eraser",      "eraser-periods", "praun-gross",
                                        "flanagan-freund"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (hd_setting_is(settings, "algorithm", names[i])) {
            return names[i];
        }
    }
    return names[0];
}

static unsigned needs(const struct hd_settings *settings) {
    if (!strcmp(algorithm(settings), "hb")) {
        return 0;
    }
    return HD_NEED_PERIODS | (hd_setting_is(settings, "escape", "on") ? HD_NEED_ESCAPE : 0);
}

static void begin(void *state, const struct hd_pass *pass) {
    struct races *r = state;
    const char *name = algorithm(pass->settings);
    r->pass = pass;
    r->place_room = 64;
    r->places = hd_arena_array(pass->arena, r->place_room, sizeof *r->places);
    if (!strcmp(name, "hb")) {
        r->hb = hd_hb_new(pass);
        return;
    }
    r->escape = hd_setting_is(pass->settings, "escape", "on");
    r->pairs = hd_pairs_new(pass);
    if (strcmp(name, "pairs")) {
        r->detector = hd_detector_open(name, pass, hd_setting_is(pass->settings, "front", "on"));
        r->suspects = hd_arena_array(pass->arena, hd_trace_granules(pass->trace),
                                     sizeof *r->suspects);
    }
}

static struct places *place_slot(struct places *table, uint32_t room, uint32_t a, uint32_t b,
                                 uint32_t memory) {
    uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ memory;
    h ^= h >> 15;
    for (;; h++) {
        struct places *p = &table[h & (room - 1)];
        if (!p->used || (p->a == a && p->b == b && p->memory == memory)) {
            return p;
        }
    }
}

/* What kind of object a granule lies in. */
static uint32_t memory_of(const struct hd_trace *trace, uint32_t granule) {
    const struct hd_variable *v = hd_trace_variable(trace, hd_trace_granule_variable(trace, granule));
    return v->object == HD_NO_ID ? HD_NO_ID : hd_trace_object(trace, v->object)->kind;
}

/* Rule (1): the variable under which this pair of places is known. */
static uint32_t family(struct races *r, const struct hd_access *x, const struct hd_access *y) {
    if (x->site == HD_NO_ID || y->site == HD_NO_ID) {
        return x->obj;
    }
    uint32_t a = x->site < y->site ? x->site : y->site;
    uint32_t b = x->site < y->site ? y->site : x->site;
    uint32_t memory = memory_of(r->pass->trace, x->obj);
    struct places *p = place_slot(r->places, r->place_room, a, b, memory);
    if (p->used) {
        return p->granule;
    }
    *p = (struct places){a, b, memory, x->obj, true};
    if (++r->place_count * 2 > r->place_room) {
        uint32_t to = r->place_room * 4;
        struct places *table = hd_arena_array(r->pass->arena, to, sizeof *table);
        for (uint32_t i = 0; i < r->place_room; i++) {
            if (r->places[i].used) {
                const struct places *old = &r->places[i];
                *place_slot(table, to, old->a, old->b, old->memory) = *old;
            }
        }
        r->places = table;
        r->place_room = to;
    }
    return x->obj;
}

static const char *shape(unsigned first, unsigned second) {
    if (first == HD_VRMW || second == HD_VRMW) {
        return hd_kind_is_plain(first) ? (first == HD_WRITE ? "W-U" : "R-U")
                                       : (second == HD_WRITE ? "U-W" : "U-R");
    }
    if (hd_kind_writes(first)) {
        return hd_kind_writes(second) ? "W-W" : "W-R";
    }
    return "R-W";
}

static void report(struct races *r, const struct hd_access *first, const struct hd_access *second,
                   const char *why) {
    bool sited = first->site != HD_NO_ID && second->site != HD_NO_ID;
    bool swap = sited ? first->site > second->site : first->thread > second->thread;
    const struct hd_access *a = swap ? second : first, *b = swap ? first : second;
    uint32_t key[HD_WARNING_KEY] = {family(r, first, second)};
    uint32_t variant[HD_WARNING_KEY] = {
        sited ? a->site : a->thread, sited ? b->site : b->thread,
        hd_kind_writes(a->kind) * 2u + hd_kind_writes(b->kind)};
    if (hd_warnings_again(r->out, HD_RACE, key, variant)) {
        return;
    }
    uint64_t witness[2] = {first->seq, second->seq};
    struct hd_warning w = {
        .kind = HD_RACE,
        .region = HD_NO_ID,
        .pattern = shape(first->kind, second->kind),
        .why = why,
        .accesses = {*first, *second},
        .access_count = 2,
        .witness = witness,
        .witness_count = 2,
    };
    memcpy(w.key, key, sizeof key);
    memcpy(w.variant, variant, sizeof variant);
    hd_warnings_add(r->out, &w);
}

static void hb_hit(void *context, const struct hd_step *step, const struct hd_access *other) {
    struct hd_access now = hd_access_of(step);
    report(context, other, &now, "in this run nothing orders the two");
}

static void pair_report(struct races *r, const struct hd_access *other,
                        const struct hd_access *now) {
    bool none = other->held == HD_LOCKSET_EMPTY || now->held == HD_LOCKSET_EMPTY;
    report(r, other, now,
           none ? "one of them holds no lock, and no start, join or barrier orders them"
                : "they hold different locks, and no start, join or barrier orders them");
}

static void pair_hit(void *context, const struct hd_step *step, const struct hd_access *other) {
    struct races *r = context;
    struct hd_access now = hd_access_of(step);
    if (!r->detector) {
        pair_report(r, other, &now);
        return;
    }
    struct suspect *s = &r->suspects[step->obj]; /* kept until the detector has judged */
    if (!s->paired) {
        s->paired = true;
        s->first_other = *other;
        s->first_racy = now;
    }
}

static void judged_access(struct races *r, const struct hd_step *step) {
    struct suspect *s = &r->suspects[step->obj];
    struct hd_access now = hd_access_of(step);
    if (s->seen && s->last.thread != step->thread) {
        s->before = s->last;
        s->two = true;
    }
    s->last = now;
    s->seen = true;
    hd_pairs_access(r->pairs, step, pair_hit, r);
    if (!hd_detector_access(r->detector, step)) {
        return;
    }
    if (!s->instances++ && !s->paired) {
        s->first_racy = now;
        s->first_other = s->two ? s->before : now;
    }
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct races *r = state;
    r->out = out;
    if (r->hb) {
        hd_hb_steps(r->hb, steps, count, hb_hit, r);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        if (!hd_kind_is_plain(step->kind) ||
            (r->escape && !(step->marks & HD_MARK_ESCAPED))) {
            continue;
        }
        if (r->detector) {
            judged_access(r, step);
        } else {
            hd_pairs_access(r->pairs, step, pair_hit, r);
        }
    }
}

static void end(void *state, struct hd_warnings *out) {
    struct races *r = state;
    r->out = out;
    uint32_t granules = r->detector ? hd_trace_granules(r->pass->trace) : 0;
    for (uint32_t g = 0; g < granules; g++) {
        struct suspect *s = &r->suspects[g];
        if (!hd_detector_racy(r->detector, g)) {
            continue;
        }
        if (s->paired) {
            pair_report(r, &s->first_other, &s->first_racy);
        } else {
            report(r, &s->first_other, &s->first_racy,
                   "no lock protects all accesses, though by locks, start, join and barriers no "
                   "two of them can meet");
        }
    }
}

static const struct hd_switch switches[] = {
    {"algorithm",
     "pairs|multilockset|hb|eraser|eraser-periods|praun-gross|flanagan-freund",
     "pairs: exact on locks and periods; hb: only what this run leaves unordered; the others "
     "are the lockset algorithms of the papers",
     NULL},
    {"escape", "on|off", "leave out accesses before other threads can reach the variable", NULL},
    {"front", "on|off", "flanagan-freund: no verdict before a second thread comes", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_races = {
    .name = "races",
    .finds = "two accesses to a variable, one a write, that nothing keeps apart",
    .after = "Savage et al., von Praun and Gross, Flanagan and Freund (Atomizer, FastTrack), "
             "Wang and Stoller",
    .switches = switches,
    .state_size = sizeof(struct races),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};
