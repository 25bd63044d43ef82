/* test_transactions_oracle.c - anomalies of transactions against their definition.
 *
 * Random programs, one run of each; outermost lock regions stand for memory
 * transactions. The reads and writes of every region are collected as bits, and all
 * triples of two neighbours and one of another thread are tried. SOAK=1 tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

#include <string.h>

#define T HD_ORACLE_THREADS

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;

static struct {
    uint32_t reads[HD_ORACLE_OPS], writes[HD_ORACLE_OPS];
    uint32_t count;
} regions[T];

enum { RWR, WRW, RWW, PATTERNS };
/* found[t][u][p]: neighbours of t, one of u between them, by this pattern. */
typedef bool found[T][T][PATTERNS];

static void collect(void) {
    uint32_t level[T] = {0};
    memset(regions, 0, sizeof regions);
    for (uint32_t i = 0; i < set.run.count; i++) {
        uint32_t t = set.run.thread[i], n = regions[t].count;
        const struct hd_oracle_op *o = &set.it.op[t][set.run.pos[i]];
        if (o->kind == HD_ACQUIRE) level[t]++;
        if (level[t] && hd_kind_is_access(o->kind)) {
            regions[t].reads[n] |= (uint32_t)!!hd_kind_reads(o->kind) << o->obj;
            regions[t].writes[n] |= (uint32_t)!!hd_kind_writes(o->kind) << o->obj;
        }
        if (o->kind == HD_RELEASE && !--level[t]) regions[t].count++;
    }
}

static bool apart(uint32_t a, uint32_t b) {
    for (uint32_t x = 0; x < 32; x++) {
        for (uint32_t y = 0; y < 32; y++) {
            if (x != y && a >> x & 1 && b >> y & 1) return true;
        }
    }
    return false;
}

static void by_definition(found f) {
    memset(f, 0, sizeof(found));
    for (uint32_t t = 0; t < T; t++) {
        for (uint32_t i = 0; i + 1 < regions[t].count; i++) {
            for (uint32_t u = 0; u < T; u++) {
                for (uint32_t k = 0; u != t && k < regions[u].count; k++) {
                    uint32_t r1 = regions[t].reads[i], w1 = regions[t].writes[i];
                    uint32_t r3 = regions[t].reads[i + 1], w3 = regions[t].writes[i + 1];
                    uint32_t r2 = regions[u].reads[k], w2 = regions[u].writes[k];
                    f[t][u][RWR] |= apart(r1 & w2, r3 & w2);
                    f[t][u][WRW] |= apart(w1 & r2, w3 & r2);
                    f[t][u][RWW] |= (r1 & w2 & w3) != 0;
                }
            }
        }
    }
}

static uint32_t number(uint32_t thread) {
    const char *name = hd_trace_thread(set.trace, thread);
    return (uint32_t)(name[1] - '0');
}

static void by_checker(found f) {
    memset(f, 0, sizeof(found));
    struct hd_report *report = hd_ask_report(&set, "transactions:unit=regions", "none");
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        for (const struct hd_warning *w = hd_report_warning(report, i); w; w = w->next_variant) {
            uint32_t p = !strcmp(w->pattern, "RwR") ? RWR : !strcmp(w->pattern, "WrW") ? WRW : RWW;
            f[number(w->accesses[0].thread)][number(w->accesses[1].thread)][p] = true;
        }
    }
    hd_report_free(report);
}

static void test_anomalies_are_those_of_the_definition(void) {
    static const enum hd_oracle_locking lockings[] = {HD_ORACLE_NESTED, HD_ORACLE_HAND_OVER};
    struct hd_oracle_rng rng = {41};
    uint32_t some = 0, count = hd_ask_count(20000);
    for (uint32_t n = 0; n < count; n++) {
        struct hd_oracle_shape shape = {.threads = 2 + n % 2, .txns = 2, .accesses = 4,
                                        .variables = 3, .locks = 2, .guarded = 90, .writes = 40,
                                        .locking = lockings[n / 2 % 2], .atomics = n / 4 % 2,
                                        .reentrant = n / 8 % 2};
        if (!hd_ask_draw_complete(&set, &shape, &rng)) continue;
        found want, is;
        collect();
        by_definition(want);
        by_checker(is);
        if (memcmp(want, is, sizeof want)) {
            TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "other anomalies than by definition"));
        }
        static const found nothing;
        some += memcmp(want, nothing, sizeof want) != 0;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 20, some);
    TEST_ASSERT_LESS_THAN_UINT32(count - count / 20, some);
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_anomalies_are_those_of_the_definition);
    return UNITY_END();
}
