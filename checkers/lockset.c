/* lockset.c - sets of locks as small numbers: one table of sets, one cache of answers.
 *
 * The sets lie one behind the other in `pool`; a hash table finds the id of a
 * list of elements. Answers about pairs are kept in a direct-mapped cache: a
 * miss costs a walk over two short lists, so nothing is chained or grown. */
#include "checkers/lockset.h"

#include "sched/trace/bug.h"

#include <string.h>

#define CACHE_LEAST 1024  /* answers; most passes need few */
#define CACHE_MOST 65536

enum question { ADD = 1, REMOVE, MEET, JOIN, DISJOINT, EXCLUDE, GUARDS };

struct answer {
    uint32_t a, b;
    uint32_t question; /* 0: unused */
    uint32_t result;
};

struct set {
    uint32_t start, count; /* in pool */
    uint32_t next;         /* in its hash chain, plus one */
    uint32_t hash;
};

struct hd_locksets {
    struct hd_arena *arena;
    uint32_t *pool;
    size_t pool_count, pool_room;
    struct set *sets;
    size_t count, room;
    uint32_t *heads; /* id plus one */
    uint32_t head_count;
    uint32_t *scratch;
    size_t scratch_room;
    struct answer *cache;
    uint32_t cache_count, misses;
};

struct hd_locksets *hd_locksets_new(struct hd_arena *arena) {
    struct hd_locksets *sets = hd_arena_get(arena, sizeof *sets);
    sets->arena = arena;
    sets->head_count = 1024;
    sets->heads = hd_arena_array(arena, sets->head_count, sizeof *sets->heads);
    sets->cache_count = CACHE_LEAST;
    sets->cache = hd_arena_array(arena, sets->cache_count, sizeof *sets->cache);
    hd_lockset_of(sets, NULL, 0);
    return sets;
}

uint32_t hd_locksets_count(const struct hd_locksets *sets) { return (uint32_t)sets->count; }

const uint32_t *hd_lockset_elements(const struct hd_locksets *sets, uint32_t id,
                                    uint32_t *count) {
    HD_BUG_ON(id >= sets->count, "no lock set %u", id);
    *count = sets->sets[id].count;
    return sets->pool + sets->sets[id].start;
}

uint32_t hd_lockset_size(const struct hd_locksets *sets, uint32_t id) {
    return sets->sets[id].count;
}

bool hd_lockset_has(const struct hd_locksets *sets, uint32_t id, uint32_t element) {
    uint32_t n;
    const uint32_t *e = hd_lockset_elements(sets, id, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (e[i] == element) {
            return true;
        }
    }
    return false;
}

bool hd_lockset_has_lock(const struct hd_locksets *sets, uint32_t id, uint32_t lock) {
    return hd_lockset_has(sets, id, HD_LOCK_EXCLUSIVE(lock)) ||
           hd_lockset_has(sets, id, HD_LOCK_SHARED(lock));
}

static void rehash(struct hd_locksets *sets) {
    uint32_t to = sets->head_count * 2;
    sets->heads = hd_arena_grow(sets->arena, sets->heads, sets->head_count, to,
                                sizeof *sets->heads);
    sets->head_count = to;
    memset(sets->heads, 0, to * sizeof *sets->heads);
    for (size_t i = 0; i < sets->count; i++) {
        uint32_t *head = &sets->heads[sets->sets[i].hash & (to - 1)];
        sets->sets[i].next = *head;
        *head = (uint32_t)i + 1;
    }
}

/* `elements` are ascending and without doubles. */
static uint32_t intern(struct hd_locksets *sets, const uint32_t *elements, uint32_t count) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ elements[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    for (uint32_t id = sets->heads[hash & (sets->head_count - 1)]; id; ) {
        const struct set *set = &sets->sets[id - 1];
        if (set->hash == hash && set->count == count &&
            (!count || !memcmp(sets->pool + set->start, elements, count * sizeof *elements))) {
            return id - 1;
        }
        id = set->next;
    }
    if (count) {
        HD_ARENA_FIT(sets->arena, sets->pool, sets->pool_room, sets->pool_count + count);
        memcpy(sets->pool + sets->pool_count, elements, count * sizeof *elements);
    }
    HD_ARENA_FIT(sets->arena, sets->sets, sets->room, sets->count);
    uint32_t *head = &sets->heads[hash & (sets->head_count - 1)];
    sets->sets[sets->count] = (struct set){
        .start = (uint32_t)sets->pool_count, .count = count, .next = *head, .hash = hash};
    *head = (uint32_t)++sets->count;
    sets->pool_count += count;
    if (sets->count > sets->head_count) {
        rehash(sets);
    }
    return (uint32_t)sets->count - 1;
}

static uint32_t *scratch(struct hd_locksets *sets, size_t count) {
    HD_ARENA_FIT(sets->arena, sets->scratch, sets->scratch_room, count);
    return sets->scratch;
}

uint32_t hd_lockset_of(struct hd_locksets *sets, const uint32_t *elements, uint32_t count) {
    uint32_t *sorted = scratch(sets, count), n = 0;
    for (uint32_t i = 0; i < count; i++) { /* by insertion: sets are short */
        uint32_t at = n;
        while (at && sorted[at - 1] > elements[i]) {
            at--;
        }
        if (at && sorted[at - 1] == elements[i]) {
            continue;
        }
        memmove(sorted + at + 1, sorted + at, (n - at) * sizeof *sorted);
        sorted[at] = elements[i];
        n++;
    }
    return intern(sets, sorted, n);
}

static struct answer *ask(struct hd_locksets *sets, enum question question, uint32_t a,
                          uint32_t b) {
    uint32_t h = (a * 0x9e3779b1u) ^ (b * 0x85ebca77u) ^ ((uint32_t)question * 0xc2b2ae3du);
    return &sets->cache[(h ^ h >> 16) & (sets->cache_count - 1)];
}

/* A miss. Many of them mean that the cache is too small: it starts anew, larger. */
static uint32_t keep(struct hd_locksets *sets, enum question question, uint32_t a, uint32_t b,
                     uint32_t result) {
    if (++sets->misses > 2 * sets->cache_count && sets->cache_count < CACHE_MOST) {
        uint32_t to = sets->cache_count * 4;
        sets->cache = hd_arena_grow(sets->arena, sets->cache, sets->cache_count, to,
                                    sizeof *sets->cache);
        memset(sets->cache, 0, sets->cache_count * sizeof *sets->cache);
        sets->cache_count = to;
        sets->misses = 0;
    }
    *ask(sets, question, a, b) = (struct answer){a, b, question, result};
    return result;
}

static bool known(const struct answer *answer, enum question question, uint32_t a, uint32_t b) {
    return answer->question == question && answer->a == a && answer->b == b;
}

uint32_t hd_lockset_add(struct hd_locksets *sets, uint32_t id, uint32_t element) {
    struct answer *answer = ask(sets, ADD, id, element);
    if (!known(answer, ADD, id, element)) {
        uint32_t n = hd_lockset_size(sets, id), k = 0;
        uint32_t *out = scratch(sets, n + 1);
        const uint32_t *e = sets->pool + sets->sets[id].start;
        uint32_t i = 0;
        while (i < n && e[i] < element) {
            out[k++] = e[i++];
        }
        out[k++] = element;
        if (i < n && e[i] == element) {
            i++;
        }
        while (i < n) {
            out[k++] = e[i++];
        }
        return keep(sets, ADD, id, element, intern(sets, out, k));
    }
    return answer->result;
}

uint32_t hd_lockset_remove(struct hd_locksets *sets, uint32_t id, uint32_t element) {
    struct answer *answer = ask(sets, REMOVE, id, element);
    if (!known(answer, REMOVE, id, element)) {
        uint32_t n = hd_lockset_size(sets, id), k = 0;
        uint32_t *out = scratch(sets, n);
        const uint32_t *e = sets->pool + sets->sets[id].start;
        for (uint32_t i = 0; i < n; i++) {
            if (e[i] != element) {
                out[k++] = e[i];
            }
        }
        return keep(sets, REMOVE, id, element, intern(sets, out, k));
    }
    return answer->result;
}

/* Walk both sets in order and keep elements by where they occur. */
static uint32_t merge(struct hd_locksets *sets, uint32_t a, uint32_t b, bool single) {
    uint32_t na = hd_lockset_size(sets, a), nb = hd_lockset_size(sets, b), k = 0;
    uint32_t *out = scratch(sets, (size_t)na + nb);
    const uint32_t *ea = sets->pool + sets->sets[a].start;
    const uint32_t *eb = sets->pool + sets->sets[b].start;
    uint32_t i = 0, j = 0;
    while (i < na || j < nb) {
        if (j == nb || (i < na && ea[i] < eb[j])) {
            if (single) {
                out[k++] = ea[i];
            }
            i++;
        } else if (i == na || eb[j] < ea[i]) {
            if (single) {
                out[k++] = eb[j];
            }
            j++;
        } else {
            out[k++] = ea[i];
            i++, j++;
        }
    }
    return intern(sets, out, k);
}

static void order(uint32_t *a, uint32_t *b) {
    if (*a > *b) {
        uint32_t swap = *a;
        *a = *b;
        *b = swap;
    }
}

uint32_t hd_lockset_meet(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    if (a == b || b == HD_LOCKSET_ALL) {
        return a;
    }
    order(&a, &b);
    if (b == HD_LOCKSET_ALL || a == HD_LOCKSET_EMPTY) {
        return a;
    }
    struct answer *answer = ask(sets, MEET, a, b);
    if (known(answer, MEET, a, b)) {
        return answer->result;
    }
    return keep(sets, MEET, a, b, merge(sets, a, b, false));
}

uint32_t hd_lockset_join(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    order(&a, &b);
    if (a == b || a == HD_LOCKSET_EMPTY || b == HD_LOCKSET_ALL) {
        return b;
    }
    struct answer *answer = ask(sets, JOIN, a, b);
    if (known(answer, JOIN, a, b)) {
        return answer->result;
    }
    return keep(sets, JOIN, a, b, merge(sets, a, b, true));
}

bool hd_lockset_subset(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    return a == HD_LOCKSET_EMPTY || a == b || hd_lockset_meet(sets, a, b) == a;
}

/* Does either list, from here on, begin with the exclusive form of `lock`? Both
 * forms may be there: in a union of sets. */
static bool exclusive_at(const uint32_t *e, uint32_t i, uint32_t n, uint32_t lock) {
    return (i < n && e[i] == HD_LOCK_EXCLUSIVE(lock)) ||
           (i + 1 < n && e[i + 1] == HD_LOCK_EXCLUSIVE(lock));
}

/* Do the sets share an element; with `modes`: a lock that either side has exclusively? */
static bool share(const struct hd_locksets *sets, uint32_t a, uint32_t b, bool modes) {
    uint32_t na, nb, i = 0, j = 0;
    const uint32_t *ea = hd_lockset_elements(sets, a, &na);
    const uint32_t *eb = hd_lockset_elements(sets, b, &nb);
    while (i < na && j < nb) {
        uint32_t la = modes ? HD_LOCK_OF(ea[i]) : ea[i], lb = modes ? HD_LOCK_OF(eb[j]) : eb[j];
        if (la < lb) {
            i++;
        } else if (lb < la) {
            j++;
        } else if (!modes || exclusive_at(ea, i, na, la) || exclusive_at(eb, j, nb, la)) {
            return true;
        } else {
            i++, j++; /* both have it shared only */
        }
    }
    return false;
}

bool hd_lockset_disjoint(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    order(&a, &b);
    if (a == HD_LOCKSET_EMPTY) {
        return true;
    }
    if (b == HD_LOCKSET_ALL || a == b) {
        return false;
    }
    struct answer *answer = ask(sets, DISJOINT, a, b);
    if (known(answer, DISJOINT, a, b)) {
        return answer->result;
    }
    return keep(sets, DISJOINT, a, b, !share(sets, a, b, false));
}

bool hd_lockset_exclude(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    order(&a, &b);
    if (a == HD_LOCKSET_EMPTY) {
        return false;
    }
    struct answer *answer = ask(sets, EXCLUDE, a, b);
    if (known(answer, EXCLUDE, a, b)) {
        return answer->result;
    }
    return keep(sets, EXCLUDE, a, b, share(sets, a, b, true));
}

uint32_t hd_lockset_guards(struct hd_locksets *sets, uint32_t held, bool write) {
    if (held == HD_LOCKSET_EMPTY) {
        return held;
    }
    struct answer *answer = ask(sets, GUARDS, held, write);
    if (!known(answer, GUARDS, held, write)) {
        uint32_t n = hd_lockset_size(sets, held), k = 0;
        uint32_t *out = scratch(sets, n);
        const uint32_t *e = sets->pool + sets->sets[held].start;
        for (uint32_t i = 0; i < n; i++) {
            if (write && !HD_LOCK_IS_EXCLUSIVE(e[i])) {
                continue;
            }
            uint32_t element = e[i] | 1;
            if (!k || out[k - 1] != element) {
                out[k++] = element;
            }
        }
        return keep(sets, GUARDS, held, write, intern(sets, out, k));
    }
    return answer->result;
}
