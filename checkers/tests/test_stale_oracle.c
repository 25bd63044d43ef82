/* test_stale_oracle.c - stale values against the words of their definition.
 *
 * Random straight lines of one thread: locks taken and let go of in any order,
 * loads, copies, computations, stores. By definition a value carries the set of lock
 * holds under which it was fetched, and is stale as soon as one of them has ended.
 * SOAK=1 tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>

#define LOCKS 3
#define REGISTERS 4

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;

struct value {
    bool shared;
    uint32_t hold[LOCKS]; /* number of the hold, 0: none */
};

static struct {
    uint32_t hold[LOCKS], level[LOCKS], holds; /* numbers of holds begin at 1 */
    struct value value[REGISTERS];
    uint32_t warnings;
    bool reset;
} m;

static void say(const char *format, uint32_t a, uint32_t b, uint32_t c) {
    size_t at = strlen(set.text);
    snprintf(set.text + at, sizeof set.text - at, format, a, b, c);
}

static bool stale(const struct value *v) {
    for (uint32_t l = 0; v->shared && l < LOCKS; l++) {
        if (v->hold[l] && v->hold[l] != m.hold[l]) return true;
    }
    return false;
}

static bool use(const struct value *v) {
    bool is = stale(v);
    m.warnings += is;
    return is;
}

static struct value fetch(void) {
    struct value v = {false, {0}};
    for (uint32_t l = 0; l < LOCKS; l++) {
        v.hold[l] = m.hold[l];
        v.shared |= m.hold[l] != 0;
    }
    return v;
}

static void compute(uint32_t d, uint32_t s1, uint32_t s2) {
    struct value a = m.value[s1], b = m.value[s2], result = {false, {0}};
    bool warned = use(&a);
    warned |= use(&b);
    result.shared = a.shared || b.shared;
    for (uint32_t l = 0; l < LOCKS; l++) {
        /* where the two differ one of them has ended: the older one */
        bool older = a.hold[l] && (!b.hold[l] || a.hold[l] < b.hold[l]);
        result.hold[l] = older ? a.hold[l] : b.hold[l];
    }
    m.value[d] = warned && m.reset ? (struct value){false, {0}} : result;
}

static void step(struct hd_oracle_rng *rng) {
    uint32_t r = hd_oracle_below(rng, REGISTERS), s = hd_oracle_below(rng, REGISTERS);
    uint32_t l = hd_oracle_below(rng, LOCKS), d = hd_oracle_below(rng, REGISTERS);
    switch (hd_oracle_below(rng, 8)) {
    case 0:
    case 1:
        say("T acq l%u\n", l, 0, 0);
        if (!m.level[l]++) m.hold[l] = ++m.holds;
        break;
    case 2:
    case 3:
        if (!m.level[l]) break;
        say("T rel l%u\n", l, 0, 0);
        if (!--m.level[l]) m.hold[l] = 0;
        break;
    case 4:
        say("T rd x%u r%u\n", l, r, 0);
        m.value[r] = fetch();
        break;
    case 5:
        say("T wr x%u r%u\n", l, r, 0);
        use(&m.value[r]);
        break;
    case 6:
        say("T mov r%u r%u\n", d, s, 0);
        m.value[d] = use(&m.value[s]) && m.reset ? (struct value){false, {0}} : m.value[s];
        break;
    default:
        say("T op r%u r%u r%u\n", d, r, s);
        compute(d, r, s);
    }
}

static void compare(bool reset, uint64_t seed) {
    struct hd_oracle_rng rng = {seed};
    uint32_t some = 0, count = hd_ask_count(10000);
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_write(&set); /* nothing: the run is empty */
        set.text[0] = '\0';
        memset(&m, 0, sizeof m);
        m.reset = reset;
        say("T start\n", 0, 0, 0);
        for (int i = 0; i < 30; i++) step(&rng);
        struct hd_report *report =
            hd_ask_report(&set, reset ? "stale" : "stale:reset=off", "none");
        uint64_t said = 0;
        for (uint32_t i = 0; i < hd_report_count(report); i++) {
            said += hd_report_warning(report, i)->instances;
        }
        hd_report_free(report);
        if (said != m.warnings) {
            TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%u stale uses, said %llu", m.warnings,
                                              (unsigned long long)said));
        }
        some += m.warnings != 0;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 10, some);
    TEST_ASSERT_LESS_THAN_UINT32(count - count / 20, some);
}

static void test_every_stale_use_and_no_other(void) { compare(true, 51); }

static void test_without_forgetting_after_a_warning(void) { compare(false, 52); }

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_every_stale_use_and_no_other);
    RUN_TEST(test_without_forgetting_after_a_warning);
    return UNITY_END();
}
