/* event.c - the table of event kinds, asked by number and by word. */
#include "event.h"

#include <string.h>

struct row {
    const char *word;
    uint8_t obj, aux;
};

static const struct row rows[HD_KIND_COUNT] = {
#define HD_EVENT(tail, text, first, second)                                              \
    [HD_##tail] = {.word = text, .obj = HD_OPERAND_##first, .aux = HD_OPERAND_##second},
#include "event.def"
#undef HD_EVENT
};

static const char *const orders[HD_ORDER_COUNT] = {
    [HD_RELAXED] = "relaxed",       [HD_CONSUME] = "consume",
    [HD_ACQUIRE_ORDER] = "acquire", [HD_RELEASE_ORDER] = "release",
    [HD_ACQ_REL] = "acq_rel",       [HD_SEQ_CST] = "seq_cst",
    [HD_VOLATILE] = "volatile",
};

/* In the order of their bits. */
static const char *const flags[HD_FLAG_COUNT] = {"read", "try", "deterministic", "failed",
                                                 "entry", "more", "part",  "frees"};

static int is(const char *known, const char *word, uint32_t length) {
    return strlen(known) == length && memcmp(known, word, length) == 0;
}

const char *hd_kind_word(enum hd_kind kind) { return rows[kind].word; }
enum hd_operand hd_kind_obj(enum hd_kind kind) { return rows[kind].obj; }
enum hd_operand hd_kind_aux(enum hd_kind kind) { return rows[kind].aux; }

bool hd_kind_obj_optional(enum hd_kind kind) {
    return kind == HD_BEGIN || kind == HD_TXBEGIN;
}

bool hd_kind_aux_optional(enum hd_kind kind) {
    return kind == HD_READ || kind == HD_WRITE;
}

int hd_kind_find(const char *word, uint32_t length) {
    for (int kind = HD_NONE + 1; kind < HD_KIND_COUNT; kind++) {
        if (is(rows[kind].word, word, length)) return kind;
    }
    return HD_KIND_COUNT;
}

const char *hd_order_word(enum hd_order order) { return orders[order]; }

int hd_order_find(const char *word, uint32_t length) {
    for (int order = 0; order < HD_ORDER_COUNT; order++) {
        if (is(orders[order], word, length)) return order;
    }
    return HD_ORDER_COUNT;
}

const char *hd_flag_word(unsigned bit) { return flags[bit]; }

int hd_flag_find(const char *word, uint32_t length) {
    for (int bit = 0; bit < HD_FLAG_COUNT; bit++) {
        if (is(flags[bit], word, length)) return bit;
    }
    return HD_FLAG_COUNT;
}
