/* warning.c - keeping findings: one warning per key, variants behind it, all counted. */
#include "checkers/warning.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_words[HD_WARNING_KIND_COUNT] = {
    [HD_ATOMICITY] = "atomicity",     [HD_DETERMINISM] = "determinism",
    [HD_RACE] = "race",               [HD_DEADLOCK] = "deadlock",
    [HD_STALE_VALUE] = "stale-value", [HD_HIGH_LEVEL_RACE] = "high-level-race",
    [HD_GUARD] = "guard",
};

const char *hd_warning_kind_word(enum hd_warning_kind kind) { return kind_words[kind]; }

/* An entry of the table: a finding as it was added. */
struct entry {
    struct hd_warning warning;
    struct entry *next;    /* in its hash chain */
    struct entry *first;   /* the warning it is a variant of; itself if it is one */
};

struct hd_warnings {
    struct hd_arena *arena;
    struct hd_notes *notes;
    const char *checker;
    struct entry **heads;
    uint32_t head_count, filled;
    struct entry **list; /* the warnings, without further variants */
    size_t count, room;
    bool capped;
};

struct hd_warnings *hd_warnings_new(struct hd_arena *arena, const char *checker,
                                    struct hd_notes *notes) {
    struct hd_warnings *out = hd_arena_get(arena, sizeof *out);
    out->arena = arena;
    out->notes = notes;
    out->checker = checker;
    out->head_count = 64;
    out->heads = hd_arena_array(arena, out->head_count, sizeof *out->heads);
    return out;
}

static uint32_t hash_words(uint32_t hash, const uint32_t *words) {
    for (int i = 0; words && i < HD_WARNING_KEY; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool same_words(const uint32_t *a, const uint32_t *b) {
    return !memcmp(a, b, HD_WARNING_KEY * sizeof *a);
}

/* Chains are by key alone, so that one walk finds both the variant and its warning. */
static struct entry *find(struct hd_warnings *out, enum hd_warning_kind kind,
                          const uint32_t *key, const uint32_t *variant, struct entry **first) {
    uint32_t hash = hash_words((uint32_t)kind + 1, key);
    *first = NULL;
    for (struct entry *e = out->heads[hash & (out->head_count - 1)]; e; e = e->next) {
        if (e->warning.kind == kind && same_words(e->warning.key, key)) {
            *first = e->first;
            if (same_words(e->warning.variant, variant)) {
                return e;
            }
        }
    }
    return NULL;
}

static void count_again(struct entry *e) {
    e->warning.instances++;
    if (e->first != e) {
        e->first->warning.instances++;
    }
}

bool hd_warnings_again(struct hd_warnings *out, enum hd_warning_kind kind, const uint32_t *key,
                       const uint32_t *variant) {
    struct entry *first, *e = find(out, kind, key, variant, &first);
    if (e) {
        count_again(e);
        return true;
    }
    if (first && first->warning.variant_count >= HD_WARNING_VARIANTS) {
        first->warning.instances++;
        return true;
    }
    return false;
}

static void link_entry(struct hd_warnings *out, struct entry *e) {
    struct entry **head =
        &out->heads[hash_words((uint32_t)e->warning.kind + 1, e->warning.key) &
                    (out->head_count - 1)];
    e->next = *head;
    *head = e;
}

static void rehash(struct hd_warnings *out) {
    uint32_t from = out->head_count;
    struct entry **old = out->heads;
    out->head_count = from * 4;
    out->heads = hd_arena_array(out->arena, out->head_count, sizeof *out->heads);
    for (uint32_t i = 0; i < from; i++) {
        for (struct entry *e = old[i], *next; e; e = next) {
            next = e->next;
            link_entry(out, e);
        }
    }
}

static struct entry *copy(struct hd_warnings *out, const struct hd_warning *warning) {
    struct entry *e = hd_arena_get(out->arena, sizeof *e);
    e->warning = *warning;
    e->warning.checker = out->checker;
    e->warning.instances = warning->instances ? warning->instances : 1;
    e->warning.variant_count = 1;
    e->warning.next_variant = NULL;
    if (warning->pattern) {
        e->warning.pattern = hd_arena_string(out->arena, warning->pattern);
    }
    if (warning->why) {
        e->warning.why = hd_arena_string(out->arena, warning->why);
    }
    if (warning->witness_count) {
        uint64_t *witness =
            hd_arena_array(out->arena, warning->witness_count, sizeof *witness);
        memcpy(witness, warning->witness, warning->witness_count * sizeof *witness);
        e->warning.witness = witness;
    }
    e->first = e;
    return e;
}

void hd_warnings_add(struct hd_warnings *out, const struct hd_warning *warning) {
    struct entry *first, *e = find(out, warning->kind, warning->key, warning->variant, &first);
    if (e) {
        count_again(e);
        return;
    }
    if (first && first->warning.variant_count >= HD_WARNING_VARIANTS) {
        first->warning.instances++;
        return;
    }
    if (!first && out->count >= HD_WARNING_CAP) {
        if (!out->capped) {
            hd_note(out->notes, "%s: more than %d warnings; the rest was left out", out->checker,
                    HD_WARNING_CAP);
        }
        out->capped = true;
        return;
    }
    e = copy(out, warning);
    link_entry(out, e);
    if (first) {
        struct hd_warning *last = &first->warning;
        while (last->next_variant) {
            last = last->next_variant;
        }
        last->next_variant = &e->warning;
        e->first = first;
        first->warning.variant_count++;
        first->warning.instances += e->warning.instances;
    } else {
        HD_ARENA_FIT(out->arena, out->list, out->room, out->count);
        out->list[out->count++] = e;
    }
    if (++out->filled > out->head_count) {
        rehash(out);
    }
}

uint32_t hd_warnings_count(const struct hd_warnings *out) { return (uint32_t)out->count; }

const struct hd_warning *hd_warnings_at(const struct hd_warnings *out, uint32_t index) {
    return &out->list[index]->warning;
}

static uint64_t first_event(const struct hd_warning *w) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < w->access_count; i++) {
        least = w->accesses[i].seq < least ? w->accesses[i].seq : least;
    }
    return least;
}

static int compare(const void *left, const void *right) {
    const struct hd_warning *a = &(*(struct entry *const *)left)->warning;
    const struct hd_warning *b = &(*(struct entry *const *)right)->warning;
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    uint64_t fa = first_event(a), fb = first_event(b);
    if (fa != fb) {
        return fa < fb ? -1 : 1;
    }
    for (int i = 0; i < HD_WARNING_KEY; i++) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    return 0; /* equal keys are one warning */
}

void hd_warnings_sort(struct hd_warnings *out) {
    if (out->count) {
        qsort(out->list, out->count, sizeof *out->list, compare);
    }
}

struct hd_access hd_access_of(const struct hd_step *step) {
    return (struct hd_access){
        .seq = step->seq,
        .obj = step->obj,
        .site = step->site,
        .function = step->function,
        .held = step->held,
        .txn = step->txn,
        .thread = step->thread,
        .kind = step->kind,
        .flags = step->flags,
    };
}
