/* test_contended.c - contended granules against their definition.
 *
 * Random accesses, starts, joins and barriers, in any order that threads can take;
 * beside the cells every access is kept with its period, and at the end all pairs
 * are compared. */
#include "checkers/contended.h"
#include "checkers/period.h"
#include "checkers/tests/ask.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

#define THREADS 6
#define GRANULES 4
#define STEPS 60

struct access {
    uint32_t thread, period, granule;
    bool writes;
};

/* One random run. */
struct run {
    struct hd_arena *arena;
    struct hd_contended fast;
    struct hd_periods *slow;
    struct access access[STEPS];
    uint32_t count;
    bool live[THREADS], over[THREADS], inside[THREADS];
    uint32_t arrived, episode, party; /* of one barrier; party: threads it is for */
};

static void order(struct run *r, uint32_t thread, uint8_t kind, uint32_t obj, uint32_t aux) {
    struct hd_event event = {.obj = obj, .aux = aux, .thread = (uint16_t)thread, .kind = kind};
    hd_contended_goes_on(&r->fast, &event);
    hd_contended_event(&r->fast, &event);
}

static void touch(struct run *r, uint32_t t, struct hd_oracle_rng *rng) {
    struct access *a = &r->access[r->count++];
    *a = (struct access){t, hd_period_now(r->slow, t), hd_oracle_below(rng, GRANULES),
                         hd_oracle_below(rng, 4) == 0};
    static const uint32_t itself[GRANULES] = {0, 1, 2, 3};
    struct hd_event event = {.obj = a->granule, .thread = (uint16_t)t,
                             .kind = a->writes ? HD_WRITE : HD_READ};
    if (hd_oracle_below(rng, 4) == 0) hd_contended_settle(&r->fast, a->granule);
    if (hd_oracle_below(rng, 2) && hd_contended_stretch(&r->fast, itself, &event, 1)) return;
    hd_contended_access(&r->fast, t, a->granule, a->writes);
}

/* Threads 0 to 2 meet at the barrier; some leave it late, and one may go on without. */
static void meet(struct run *r, uint32_t t) {
    if (t >= r->party || r->inside[t]) return;
    order(r, t, HD_BARRIER, 0, r->episode);
    hd_period_arrive(r->slow, t, 0, r->episode);
    r->inside[t] = true;
    r->arrived++;
}

static void leave(struct run *r, uint32_t t, struct hd_oracle_rng *rng) {
    if (r->arrived < r->party) return;
    if (hd_oracle_below(rng, 2)) order(r, t, HD_BLEAVE, 0, r->episode);
    else order(r, t, HD_SLEEP, HD_NO_ID, HD_NO_ID);
    hd_period_leave(r->slow, t, 0, r->episode);
    r->inside[t] = false;
    for (uint32_t u = 0; u < r->party; u++) {
        if (r->inside[u]) return;
    }
    r->arrived = 0;
    r->episode++;
}

static void start_or_join(struct run *r, uint32_t t, uint32_t u) {
    if (u == t || u < r->party) return;
    if (!r->live[u] && !r->over[u]) {
        order(r, t, HD_FORK, u, HD_NO_ID);
        hd_period_fork(r->slow, t, u);
        r->live[u] = true;
    } else if (r->live[u]) {
        order(r, t, HD_JOIN, u, HD_NO_ID);
        hd_period_join(r->slow, t, u);
        r->live[u] = false;
        r->over[u] = true;
    }
}

static void step(struct run *r, struct hd_oracle_rng *rng) {
    uint32_t t = hd_oracle_below(rng, THREADS);
    if (!r->live[t]) return;
    if (r->inside[t]) {
        leave(r, t, rng);
        return;
    }
    switch (hd_oracle_below(rng, 8)) {
    case 0: meet(r, t); break;
    case 1: start_or_join(r, t, hd_oracle_below(rng, THREADS)); break;
    default: touch(r, t, rng);
    }
}

static bool by_definition(const struct run *r, uint32_t granule) {
    for (uint32_t i = 0; i < r->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const struct access *a = &r->access[i], *b = &r->access[k];
            if (a->granule == granule && b->granule == granule && (a->writes || b->writes) &&
                hd_period_par(r->slow, a->period, b->period)) {
                return true;
            }
        }
    }
    return false;
}

static void test_all_pairs_by_definition(void) {
    struct hd_oracle_rng rng = {1};
    uint32_t sets = hd_ask_count(100000), contended = 0;
    for (uint32_t n = 0; n < sets; n++) {
        struct run r = {.arena = hd_arena_new(), .party = hd_oracle_below(&rng, 4)};
        hd_contended_begin(&r.fast, r.arena, GRANULES, THREADS);
        r.slow = hd_periods_new(r.arena, THREADS);
        for (uint32_t t = 0; t < r.party || t < 1; t++) r.live[t] = true;
        uint32_t steps = 1 + hd_oracle_below(&rng, STEPS);
        for (uint32_t i = 0; i < steps; i++) step(&r, &rng);
        for (uint32_t g = 0; g < GRANULES; g++) {
            bool is = by_definition(&r, g);
            if (is != hd_contended_is(&r.fast, g)) {
                char text[80];
                snprintf(text, sizeof text, "set %u, granule %u: %s", n, g,
                         is ? "contended, and not found" : "not contended");
                TEST_FAIL_MESSAGE(text);
            }
            contended += is;
        }
        hd_arena_free(r.arena);
    }
    TEST_ASSERT_TRUE(contended > sets / 10 && contended < sets * GRANULES - sets / 10);
}

static void one_read_each(struct hd_contended *c, uint32_t threads) {
    for (uint32_t t = 0; t < threads; t++) hd_contended_access(c, t, 0, false);
}

static void test_readers_alone_contend_for_nothing(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_contended c;
    hd_contended_begin(&c, arena, 1, 32);
    one_read_each(&c, 32);
    TEST_ASSERT_FALSE(hd_contended_is(&c, 0));
    hd_arena_free(arena);
}

static void test_too_many_to_follow_count_as_contended(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_contended c;
    hd_contended_begin(&c, arena, 1, 100);
    one_read_each(&c, 100);
    TEST_ASSERT_TRUE(hd_contended_is(&c, 0));
    hd_arena_free(arena);
}

static void test_whoever_accesses_what_is_settled_is_known(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_contended c;
    const uint32_t itself[] = {0};
    struct hd_event read = {.obj = 0, .thread = 2, .kind = HD_READ};
    hd_contended_begin(&c, arena, 1, 3);
    hd_contended_access(&c, 0, 0, true);
    hd_contended_settle(&c, 0); /* there is nothing to settle yet */
    TEST_ASSERT_TRUE(hd_contended_access(&c, 1, 0, true));
    TEST_ASSERT_TRUE(hd_contended_access(&c, 1, 0, true));
    TEST_ASSERT_EQUAL_UINT(0, hd_contended_stretch(&c, itself, &read, 1));
    hd_contended_settle(&c, 0);
    TEST_ASSERT_FALSE(hd_contended_access(&c, 2, 0, true));
    TEST_ASSERT_EQUAL_UINT(1, hd_contended_stretch(&c, itself, &read, 1));
    TEST_ASSERT_TRUE(hd_contended_is(&c, 0));
    hd_arena_free(arena);
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_all_pairs_by_definition);
    RUN_TEST(test_readers_alone_contend_for_nothing);
    RUN_TEST(test_too_many_to_follow_count_as_contended);
    RUN_TEST(test_whoever_accesses_what_is_settled_is_known);
    return UNITY_END();
}
