/* test_views_oracle.c - views against the words of their definition.
 *
 * Random programs, one run of each. The views of every lock and thread are
 * collected from the operations as sets of bits, and each two threads compared
 * by trying all pairs of views. SOAK=1 tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

#include <string.h>

#define T HD_ORACLE_THREADS
#define L HD_ORACLE_OBJECTS

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;

static struct {
    uint32_t view[HD_ORACLE_OPS];
    uint32_t count;
} views[L][T];

/* Regions of a lock in one thread: from the level's rise above zero to its fall. */
static void collect(void) {
    uint32_t level[T][L] = {0}, open[T][L] = {0};
    memset(views, 0, sizeof views);
    for (uint32_t i = 0; i < set.run.count; i++) {
        uint32_t t = set.run.thread[i];
        const struct hd_oracle_op *o = &set.it.op[t][set.run.pos[i]];
        if (o->kind == HD_ACQUIRE && !level[t][o->obj]++) open[t][o->obj] = 0;
        if (o->kind == HD_RELEASE && !--level[t][o->obj] && open[t][o->obj]) {
            views[o->obj][t].view[views[o->obj][t].count++] = open[t][o->obj];
        }
        for (uint32_t l = 0; l < L && hd_kind_is_access(o->kind); l++) {
            if (level[t][l]) open[t][l] |= 1u << o->obj;
        }
    }
}

/* No maximal view of one is cut by two views of the other into two that do not
 * contain each other. */
static bool fits(uint32_t l, uint32_t t, uint32_t u) {
    for (uint32_t i = 0; i < views[l][t].count; i++) {
        uint32_t m = views[l][t].view[i];
        bool maximal = true;
        for (uint32_t k = 0; k < views[l][t].count; k++) {
            uint32_t v = views[l][t].view[k];
            maximal &= v == m || (m & ~v) != 0;
        }
        for (uint32_t a = 0; maximal && a < views[l][u].count; a++) {
            for (uint32_t b = 0; b < a; b++) {
                uint32_t x = m & views[l][u].view[a], y = m & views[l][u].view[b];
                if (x && y && x & ~y && y & ~x) return false;
            }
        }
    }
    return true;
}

static uint32_t by_definition(void) {
    uint32_t pairs = 0;
    for (uint32_t l = 0; l < L; l++) {
        for (uint32_t t = 0; t < T; t++) {
            for (uint32_t u = 0; u < t; u++) pairs += !(fits(l, t, u) && fits(l, u, t));
        }
    }
    return pairs;
}

static void test_threads_are_inconsistent_by_the_definition(void) {
    static const enum hd_oracle_locking lockings[] = {HD_ORACLE_NESTED, HD_ORACLE_HAND_OVER};
    struct hd_oracle_rng rng = {31};
    uint32_t found = 0, count = hd_ask_count(8000);
    for (uint32_t n = 0; n < count; n++) {
        struct hd_oracle_shape shape = {.threads = 3, .txns = 3, .accesses = 4, .variables = 3,
                                        .locks = 2, .guarded = 70, .writes = 40,
                                        .locking = lockings[n % 2], .reentrant = n / 2 % 2};
        hd_oracle_make(&set.it, &shape, &rng);
        hd_oracle_run_random(&set.it, &rng, &set.run);
        if (!set.run.complete) continue;
        hd_ask_write(&set);
        collect();
        uint32_t want = by_definition(), is = hd_ask(&set, "views", "none").count;
        if (want != is) {
            TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%u pairs, said %u", want, is));
        }
        found += want != 0;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 20, found);
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_threads_are_inconsistent_by_the_definition);
    return UNITY_END();
}
