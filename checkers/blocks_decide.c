/* blocks_decide.c - depth-first over the interleavings of a few transactions.
 *
 * A run is explained by a serial order if every read takes from the same writer
 * and every variable has the same last writer. Each read and each end therefore
 * rules out some serial orders; the state of the search is how far everybody is,
 * who wrote each variable last, and which serial orders are left. A complete run
 * with none left is what we look for. Variables and locks that only one
 * transaction cares about are left out first. */
#include "checkers/blocks_decide.h"

#include <stdlib.h>
#include <string.h>

#define TXNS HD_BLOCKS_DECIDE_MAX
#define OBJECTS 64
#define ORDERS 128

typedef unsigned __int128 mask;

struct step {
    uint8_t what, obj;
    uint32_t item;
    uint32_t read;  /* number among all reads */
    uint32_t event; /* steps with the same are one */
};

struct search {
    uint32_t n, vars, locks, reads, orders;
    struct step *steps[TXNS];
    uint32_t lengths[TXNS];
    uint64_t *exclusive[TXNS], *any[TXNS]; /* locks held before step i */
    mask (*from)[TXNS + 1];                /* by read and source: orders that agree */
    mask last[OBJECTS][TXNS + 1];          /* by variable and last writer */
    const struct hd_blocks_set *set;

    /* States met: positions, last writers, orders left; and a hash of them. */
    size_t width;
    uint8_t *states;
    uint32_t count, room, limit;
    uint32_t *table, table_mask;
};

/* ---- leaving out what one transaction has for itself -------------------- */

struct names {
    uint32_t obj[OBJECTS];
    uint32_t count;
};

static int find(const struct names *names, uint32_t obj) {
    for (uint32_t i = 0; i < names->count; i++) {
        if (names->obj[i] == obj) return (int)i;
    }
    return -1;
}

static bool is_access(uint8_t what) {
    return what == HD_BLOCKS_ITEM_READ || what == HD_BLOCKS_ITEM_WRITE;
}

/* Does a transaction other than `t` use this object, and does somebody write it? */
static bool matters(const struct hd_blocks_set *set, uint32_t t,
                    const struct hd_blocks_item *item) {
    bool other = false, written = !is_access(item->what);
    for (uint32_t u = 0; u < set->count; u++) {
        for (uint32_t i = 0; i < set->lengths[u]; i++) {
            const struct hd_blocks_item *x = &set->items[u][i];
            if (x->obj != item->obj || is_access(x->what) != is_access(item->what))
                continue;
            if (u != t) other = true;
            if (x->what == HD_BLOCKS_ITEM_WRITE) written = true;
        }
    }
    return other && written;
}

static bool prepare(struct search *s, const struct hd_blocks_set *set) {
    struct names vars = {.count = 0}, locks = {.count = 0};
    for (uint32_t t = 0; t < set->count; t++) {
        s->steps[t] = calloc(set->lengths[t] + 1, sizeof *s->steps[t]);
        s->exclusive[t] = calloc(set->lengths[t] + 1, sizeof *s->exclusive[t]);
        s->any[t] = calloc(set->lengths[t] + 1, sizeof *s->any[t]);
        if (!s->steps[t] || !s->exclusive[t] || !s->any[t]) return false;
        uint64_t exclusive = 0, any = 0;
        uint32_t event = 0;
        for (uint32_t i = 0; i < set->lengths[t]; i++) {
            const struct hd_blocks_item *item = &set->items[t][i];
            event += !item->glued;
            if (!matters(set, t, item)) continue;
            struct names *names = is_access(item->what) ? &vars : &locks;
            int obj = find(names, item->obj);
            if (obj < 0) {
                if (names->count == OBJECTS) return false;
                obj = (int)names->count;
                names->obj[names->count++] = item->obj;
            }
            uint32_t at = s->lengths[t]++;
            s->steps[t][at] = (struct step){item->what, (uint8_t)obj, i, 0, event};
            if (item->what == HD_BLOCKS_ITEM_READ) s->steps[t][at].read = s->reads++;
            uint64_t bit = (uint64_t)1 << obj;
            if (item->what == HD_BLOCKS_ITEM_ACQUIRE) exclusive |= bit, any |= bit;
            if (item->what == HD_BLOCKS_ITEM_SHARE) any |= bit;
            if (item->what == HD_BLOCKS_ITEM_RELEASE) exclusive &= ~bit, any &= ~bit;
            s->exclusive[t][at + 1] = exclusive;
            s->any[t][at + 1] = any;
        }
    }
    s->vars = vars.count;
    s->locks = locks.count;
    s->from = calloc(s->reads + 1, sizeof *s->from);
    return s->from != NULL;
}

/* ---- serial orders ------------------------------------------------------ */

static void run_serially(struct search *s, const uint32_t *order) {
    mask bit = (mask)1 << s->orders++;
    uint8_t last[OBJECTS];
    memset(last, (int)s->n, sizeof last);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t t = order[i];
        for (uint32_t k = 0; k < s->lengths[t]; k++) {
            const struct step *step = &s->steps[t][k];
            if (step->what == HD_BLOCKS_ITEM_READ)
                s->from[step->read][last[step->obj]] |= bit;
            if (step->what == HD_BLOCKS_ITEM_WRITE) last[step->obj] = (uint8_t)t;
        }
    }
    for (uint32_t v = 0; v < s->vars; v++)
        s->last[v][last[v]] |= bit;
}

static bool serial_orders(struct search *s, uint32_t *order, uint32_t count,
                          uint32_t used) {
    if (count == s->n) {
        if (s->orders == ORDERS) return false;
        run_serially(s, order);
        return true;
    }
    for (uint32_t t = 0; t < s->n; t++) {
        if (used >> t & 1) continue;
        bool ready = true;
        for (uint32_t u = 0; u < s->n; u++) {
            if (s->set->before[u][t] && !(used >> u & 1)) ready = false;
        }
        if (!ready) continue;
        order[count] = t;
        if (!serial_orders(s, order, count + 1, used | 1u << t)) return false;
    }
    return true;
}

/* ---- the search --------------------------------------------------------- */

struct state {
    uint16_t pos[TXNS];
    uint8_t last[OBJECTS];
    mask left;
};

static void pack(const struct search *s, const struct state *state, uint8_t *to) {
    memcpy(to, state->pos, s->n * sizeof *state->pos);
    to += s->n * sizeof *state->pos;
    memcpy(to, state->last, s->vars);
    memcpy(to + s->vars, &state->left, sizeof state->left);
}

static void unpack(const struct search *s, const uint8_t *from, struct state *state) {
    memcpy(state->pos, from, s->n * sizeof *state->pos);
    from += s->n * sizeof *state->pos;
    memcpy(state->last, from, s->vars);
    memcpy(&state->left, from + s->vars, sizeof state->left);
}

static uint32_t hash_of(const uint8_t *bytes, size_t width) {
    uint64_t h = width;
    for (size_t i = 0; i < width; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

enum met { NEW, OLD, FULL };

static enum met meet(struct search *s, const struct state *state) {
    if (s->count == s->limit) return FULL;
    if (s->count == s->room) {
        uint32_t room = s->room ? s->room * 2 : 256;
        uint8_t *states = realloc(s->states, room * s->width);
        if (!states) return FULL;
        s->states = states;
        uint32_t *table = calloc(room * 2, sizeof *table);
        if (!table) return FULL;
        free(s->table);
        s->table = table;
        s->room = room;
        s->table_mask = room * 2 - 1;
        for (uint32_t i = 0; i < s->count; i++) {
            uint32_t at = hash_of(states + i * s->width, s->width) & s->table_mask;
            while (table[at])
                at = (at + 1) & s->table_mask;
            table[at] = i + 1;
        }
    }
    uint8_t *place = s->states + s->count * s->width;
    pack(s, state, place);
    uint32_t at = hash_of(place, s->width) & s->table_mask;
    for (; s->table[at]; at = (at + 1) & s->table_mask) {
        if (!memcmp(s->states + (s->table[at] - 1) * s->width, place, s->width))
            return OLD;
    }
    s->table[at] = ++s->count;
    return NEW;
}

static bool take(const struct search *s, struct state *state, uint32_t t) {
    uint32_t pos = state->pos[t];
    if (pos == s->lengths[t]) return false;
    for (uint32_t u = 0; u < s->n; u++) {
        if (s->set->before[u][t] && state->pos[u] < s->lengths[u]) return false;
    }
    const struct step *step = &s->steps[t][pos], *end = s->steps[t] + s->lengths[t];
    if (step->what == HD_BLOCKS_ITEM_ACQUIRE || step->what == HD_BLOCKS_ITEM_SHARE) {
        for (uint32_t u = 0; u < s->n; u++) {
            const uint64_t *held =
                step->what == HD_BLOCKS_ITEM_SHARE ? s->exclusive[u] : s->any[u];
            if (u != t && held[state->pos[u]] >> step->obj & 1) return false;
        }
    }
    uint32_t event = step->event;
    for (; step < end && step->event == event; step++) {
        if (step->what == HD_BLOCKS_ITEM_READ) {
            state->left &= s->from[step->read][state->last[step->obj]];
        }
        if (step->what == HD_BLOCKS_ITEM_WRITE) state->last[step->obj] = (uint8_t)t;
        state->pos[t]++;
    }
    return true;
}

static bool is_complete(const struct search *s, const struct state *state) {
    for (uint32_t t = 0; t < s->n; t++) {
        if (state->pos[t] < s->lengths[t]) return false;
    }
    return true;
}

static bool is_explained(const struct search *s, const struct state *state) {
    mask left = state->left;
    for (uint32_t v = 0; v < s->vars; v++)
        left &= s->last[v][state->last[v]];
    return left != 0;
}

struct frame {
    uint32_t state;
    uint8_t next; /* whose step is tried next */
};

/* The frames below the last one tell whose step each was. */
static uint32_t tell(const struct search *s, const struct frame *stack, uint32_t depth,
                     struct hd_blocks_move *run, uint32_t room) {
    uint32_t length = 0;
    for (uint32_t i = 0; i + 1 < depth; i++) {
        uint32_t who = stack[i].next - 1u;
        struct state was, is;
        unpack(s, s->states + stack[i].state * s->width, &was);
        unpack(s, s->states + stack[i + 1].state * s->width, &is);
        for (uint32_t pos = was.pos[who]; pos < is.pos[who]; pos++) {
            const struct step *step = &s->steps[who][pos];
            if (!is_access(step->what) || length == room) continue;
            run[length++] = (struct hd_blocks_move){who, step->item};
        }
    }
    return length;
}

static enum hd_blocks_answer walk(struct search *s, struct frame *stack,
                                  struct hd_blocks_move *run, uint32_t room,
                                  uint32_t *length) {
    struct state state = {.left = s->orders == ORDERS ? ~(mask)0
                                                      : ((mask)1 << s->orders) - 1};
    memset(state.last, (int)s->n, sizeof state.last);
    if (meet(s, &state) == FULL) return HD_BLOCKS_TOO_LARGE;
    uint32_t depth = 0;
    stack[depth++] = (struct frame){0, 0};
    while (depth) {
        struct frame *top = &stack[depth - 1];
        if (top->next == s->n) {
            depth--;
            continue;
        }
        uint32_t t = top->next++;
        unpack(s, s->states + top->state * s->width, &state);
        if (!take(s, &state, t)) continue;
        enum met met = meet(s, &state);
        if (met == FULL) return HD_BLOCKS_TOO_LARGE;
        if (met == OLD) continue;
        stack[depth++] = (struct frame){s->count - 1, 0};
        if (!is_complete(s, &state) || is_explained(s, &state)) continue;
        *length = tell(s, stack, depth, run, room);
        return HD_BLOCKS_YES;
    }
    return HD_BLOCKS_NO;
}

enum hd_blocks_answer hd_blocks_decide(struct hd_blocks_set *set, uint32_t states_max,
                                       struct hd_blocks_move *run, uint32_t room,
                                       uint32_t *length) {
    enum hd_blocks_answer answer = HD_BLOCKS_TOO_LARGE;
    struct search *s = calloc(1, sizeof *s);
    struct frame *stack = NULL;
    uint32_t order[TXNS];
    uint64_t total = 1;
    *length = 0;
    if (!s || set->count > TXNS) goto out;
    s->n = set->count;
    s->set = set;
    s->limit = states_max;
    if (!prepare(s, set) || !serial_orders(s, order, 0, 0)) goto out;
    for (uint32_t t = 0; t < s->n; t++) {
        if (s->lengths[t] > UINT16_MAX) goto out;
        total += s->lengths[t];
    }
    s->width = s->n * sizeof(uint16_t) + s->vars + sizeof(mask);
    stack = calloc(total + 1, sizeof *stack);
    if (!stack) goto out;
    answer = walk(s, stack, run, room, length);
    set->states_met += s->count;

out:
    for (uint32_t t = 0; s && t < TXNS; t++) {
        free(s->steps[t]);
        free(s->exclusive[t]);
        free(s->any[t]);
    }
    if (s) {
        free(s->from);
        free(s->states);
        free(s->table);
    }
    free(s);
    free(stack);
    return answer;
}
