/* orders.c - see orders.h. */
#include "orders.h"

#include "identity.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of outcomes ------------------------------------------------------------- */

bool hd_outcomes_has(const struct hd_outcomes *set, uint32_t outcome) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->list[i] == outcome) return true;
    }
    return false;
}

void hd_outcomes_put(struct hd_outcomes *set, uint32_t outcome) {
    if (hd_outcomes_has(set, outcome)) return;
    if (set->count == set->room) {
        set->room = set->room ? set->room * 2 : 16;
        set->list = realloc(set->list, set->room * sizeof *set->list);
        if (!set->list) abort();
    }
    set->list[set->count++] = outcome;
}

bool hd_outcomes_within(const struct hd_outcomes *set, const struct hd_outcomes *other) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (!hd_outcomes_has(other, set->list[i])) return false;
    }
    return true;
}

/* ---- sides -------------------------------------------------------------------------- */

uint64_t hd_thread_identity(const struct hd_trace *trace, uint32_t thread) {
    uint64_t who = 0;
    for (const char *c = hd_trace_thread(trace, thread); *c; c++) {
        who = who * 31 + (unsigned char)*c;
    }
    return who;
}

uint64_t hd_side_of(const struct hd_trace *trace, uint32_t site, uint32_t thread) {
    return hd_identity_mix(hd_identity_site(trace, site), hd_thread_identity(trace, thread));
}

/* Its number; HD_SIDES: there is no room for it, or `add` is not wanted. */
static uint32_t number_of(struct hd_orders *self, uint64_t side, bool add) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->side[i] == side) return i;
    }
    if (!add || self->count == HD_SIDES) return HD_SIDES;
    if (!self->before) self->before = calloc(HD_SIDES, sizeof *self->before);
    if (!self->before) abort();
    self->side[self->count] = side;
    return self->count++;
}

void hd_orders_ask(struct hd_orders *self, uint64_t one, uint64_t other) {
    uint32_t a = number_of(self, one, true), b = number_of(self, other, true);
    if (a == HD_SIDES || b == HD_SIDES || a == b) return;
    self->asked[a] |= 1U << b;
    self->asked[b] |= 1U << a;
}

/* Sides, in the order of their first events; returns how many. *mine: those of the thread
 * with this name, a bit each. */
static uint32_t look(struct hd_orders *self, struct hd_trace *trace, const char *thread,
                     uint32_t came[HD_SIDES], uint32_t *mine, struct hd_error *err) {
    uint32_t seen = 0, done = 0; /* bits: those that came */
    *mine = 0;
    size_t count;
    const struct hd_event *events;
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) {
            if (events[i].site == HD_NO_ID || hd_kind_is_end(events[i].kind)) continue;
            uint32_t side =
                number_of(self, hd_side_of(trace, events[i].site, events[i].thread), false);
            if (side == HD_SIDES || (done & 1U << side)) continue;
            done |= 1U << side;
            came[seen++] = side;
            bool its = thread && strcmp(hd_trace_thread(trace, events[i].thread), thread) == 0;
            if (its) *mine |= 1U << side;
        }
    }
    return seen;
}

void hd_orders_note(struct hd_orders *self, struct hd_trace *trace, uint32_t outcome,
                    uint32_t failure, struct hd_error *err) {
    uint32_t came[HD_SIDES], mine, seen = look(self, trace, NULL, came, &mine, err);
    for (uint32_t i = 0; i < seen; i++) {
        for (uint32_t k = i + 1; k < seen; k++) {
            struct hd_outcomes *set = &self->before[came[i]][came[k]];
            hd_outcomes_put(set, outcome);
            if (failure != HD_NO_ID) hd_outcomes_put(set, HD_OUTCOME_FAILURE | failure);
        }
    }
}

/* ---- what came of it ---------------------------------------------------------------- */

/* The next pair from (*a, *b) on, with a below b. */
static bool next_pair(const struct hd_orders *self, uint32_t *a, uint32_t *b) {
    for (; *a < self->count; ++*a, *b = *a + 1) {
        for (; *b < self->count; ++*b) {
            if (self->asked[*a] & 1U << *b) return true;
        }
    }
    return false;
}

bool hd_orders_both(const struct hd_orders *self) {
    for (uint32_t a = 0, b = 1; next_pair(self, &a, &b); b++) {
        if (self->before[a][b].count && self->before[b][a].count) return true;
    }
    return false;
}

bool hd_orders_differ(const struct hd_orders *self) {
    for (uint32_t a = 0, b = 1; next_pair(self, &a, &b); b++) {
        const struct hd_outcomes *one = &self->before[a][b], *other = &self->before[b][a];
        if (one->count && other->count &&
            !(hd_outcomes_within(one, other) && hd_outcomes_within(other, one))) {
            return true;
        }
    }
    return false;
}

bool hd_orders_only(const struct hd_orders *self, uint32_t outcome) {
    for (uint32_t a = 0, b = 1; next_pair(self, &a, &b); b++) {
        const struct hd_outcomes *one = &self->before[a][b], *other = &self->before[b][a];
        if (one->count && other->count &&
            hd_outcomes_has(one, outcome) != hd_outcomes_has(other, outcome)) {
            return true;
        }
    }
    return false;
}

bool hd_orders_failed(struct hd_orders *self, struct hd_trace *trace, uint32_t failure,
                      const char *failing, struct hd_error *err) {
    uint32_t came[HD_SIDES], mine, seen = look(self, trace, failing, came, &mine, err), done = 0;
    bool half = false;
    for (uint32_t i = 0; i < seen; i++) {
        done |= 1U << came[i];
        for (uint32_t k = i + 1; k < seen; k++) {
            hd_outcomes_put(&self->before[came[i]][came[k]], HD_OUTCOME_FAILURE | failure);
        }
    }
    for (uint32_t a = 0, b = 1; next_pair(self, &a, &b); b++) {
        bool one = done >> a & 1, other = done >> b & 1;
        if (one == other) continue;
        half = true;
        if (!(mine >> (one ? a : b) & 1)) continue;
        hd_outcomes_put(one ? &self->before[a][b] : &self->before[b][a], HD_OUTCOME_HALF | failure);
    }
    return half;
}

bool hd_orders_one_way(const struct hd_orders *self, uint32_t failure) {
    uint32_t half = HD_OUTCOME_HALF | failure, whole = HD_OUTCOME_FAILURE | failure;
    for (uint32_t a = 0, b = 1; next_pair(self, &a, &b); b++) {
        const struct hd_outcomes *one = &self->before[a][b], *other = &self->before[b][a];
        bool ab = hd_outcomes_has(one, half), ba = hd_outcomes_has(other, half);
        if (ab && !ba && !hd_outcomes_has(other, whole)) return true;
        if (ba && !ab && !hd_outcomes_has(one, whole)) return true;
    }
    return false;
}

void hd_orders_free(struct hd_orders *self) {
    for (uint32_t a = 0; self->before && a < HD_SIDES; a++) {
        for (uint32_t b = 0; b < HD_SIDES; b++) free(self->before[a][b].list);
    }
    free(self->before);
    *self = (struct hd_orders){0};
}
