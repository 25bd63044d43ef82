/* std_read.c - traces in the form of the RAPID analyser; see std_write.c.
 *
 * Exactly three fields a line, one event a line. `begin` and `end` may stand
 * with or without a name in brackets, `branch` is a use of nothing. Names of
 * other tools may hold anything but a bar, also semicolons: only what is known
 * to be a flag, an order or a register is taken off the end of one. */
#define _GNU_SOURCE
#include "build.h"
#include "reader.h"

#include <string.h>
#include <unistd.h>

struct parse {
    struct hd_lines *lines;
    struct hd_build *build;
    struct hd_error *err;
    struct hd_word inside; /* the brackets, what of it is not yet taken */
    bool brackets;
    struct hd_event event;
};

static int kind_of(struct hd_word word) {
    if (hd_word_is(word, "r")) return HD_READ;
    if (hd_word_is(word, "w")) return HD_WRITE;
    if (hd_word_is(word, "branch")) return HD_USE;
    return hd_kind_find(word.at, (uint32_t)word.length);
}

/* What stands behind the last semicolon, or all. */
static struct hd_word last_piece(struct hd_word inside) {
    const char *cut = memrchr(inside.at, ';', inside.length);
    if (!cut) return inside;
    return (struct hd_word){cut + 1, (size_t)(inside.at + inside.length - cut - 1)};
}

static void drop_piece(struct hd_word *inside, struct hd_word piece) {
    inside->length -= piece.length;
    if (inside->length) inside->length--; /* its semicolon */
}

static void take_flags(struct parse *p, bool first_may_go) {
    for (;;) {
        struct hd_word piece = last_piece(p->inside);
        if (!first_may_go && piece.at == p->inside.at) return;
        int bit = hd_flag_find(piece.at, (uint32_t)piece.length);
        if (bit == HD_FLAG_COUNT) return;
        p->event.flags |= (uint8_t)(1 << bit);
        drop_piece(&p->inside, piece);
    }
}

static int number(struct parse *p, struct hd_word piece, uint32_t *out) {
    uint64_t value;
    if (!hd_word_number(piece, UINT32_MAX, &value)) {
        return hd_lines_fail(p->lines, p->err, "`%.*s`: expected a number of at most %u",
                             HD_WORD_SHOWN(piece), UINT32_MAX);
    }
    *out = (uint32_t)value;
    return 0;
}

static int name(struct parse *p, enum hd_operand what, struct hd_word piece,
                uint32_t *out) {
    *out = hd_build_id(p->build, hd_operand_table(what), piece, p->err);
    return *out == HD_NO_ID ? -1 : 0;
}

/* The second operand stands at the end; it is taken off before the first is
 * looked at, but ids are given in the order of reading. */
static int operands(struct parse *p) {
    int kind = p->event.kind;
    enum hd_operand obj = hd_kind_obj(kind), aux = hd_kind_aux(kind);
    struct hd_word second = {NULL, 0};
    p->event.obj = p->event.aux = HD_NO_ID;
    take_flags(p, obj == HD_OPERAND_NOTHING);
    struct hd_word piece = last_piece(p->inside);
    bool more = piece.at != p->inside.at; /* something stands before it */

    if (aux == HD_OPERAND_ORDER) {
        int order = hd_order_find(piece.at, (uint32_t)piece.length);
        p->event.aux = HD_SEQ_CST;
        if (order != HD_ORDER_COUNT && (more || obj == HD_OPERAND_NOTHING)) {
            p->event.aux = (uint32_t)order;
            drop_piece(&p->inside, piece);
        }
    } else if (hd_kind_aux_optional(kind)) {
        if (more && piece.length > 1 && piece.at[0] == '=') {
            drop_piece(&p->inside, piece);
            second = (struct hd_word){piece.at + 1, piece.length - 1};
        }
    } else if (kind == HD_USE && !p->brackets) {
        p->event.aux = 0;
        return 0;
    } else if (aux != HD_OPERAND_NOTHING) {
        if (!more && obj != HD_OPERAND_NOTHING) {
            return hd_lines_fail(p->lines, p->err,
                                 "`%s`: expected two operands, like %s(a;b)",
                                 hd_kind_word(kind), hd_kind_word(kind));
        }
        second = piece;
        drop_piece(&p->inside, piece);
    }

    if (obj == HD_OPERAND_NUMBER) {
        if (number(p, p->inside, &p->event.obj) < 0) return -1;
    } else if (obj != HD_OPERAND_NOTHING) {
        bool missing = !p->inside.length || hd_word_is(p->inside, "-");
        if (!(missing && hd_kind_obj_optional(kind)) &&
            name(p, obj, p->inside, &p->event.obj) < 0) {
            return -1;
        }
    } else if (p->inside.length && kind != HD_END && kind != HD_TXEND) {
        return hd_lines_fail(p->lines, p->err, "`%s(%.*s)`: expected no operand",
                             hd_kind_word(kind), HD_WORD_SHOWN(p->inside));
    }
    if (!second.at) return 0;
    return aux == HD_OPERAND_NUMBER ? number(p, second, &p->event.aux)
                                    : name(p, aux, second, &p->event.aux);
}

static int parse_line(struct parse *p) {
    struct hd_lines *l = p->lines;
    const char *end = l->line + l->length;
    const char *bar = memchr(l->line, '|', l->length);
    const char *other = bar ? memchr(bar + 1, '|', (size_t)(end - bar - 1)) : NULL;
    if (!other || memchr(other + 1, '|', (size_t)(end - other - 1))) {
        return hd_lines_fail(l, p->err,
                             "expected three fields parted by bars, like T1|r(x)|12");
    }
    struct hd_word thread = {l->line, (size_t)(bar - l->line)};
    struct hd_word op = {bar + 1, (size_t)(other - bar - 1)};
    struct hd_word place = {other + 1, (size_t)(end - other - 1)};

    const char *open = memchr(op.at, '(', op.length);
    struct hd_word word = op;
    p->inside = (struct hd_word){op.at + op.length, 0};
    p->brackets = open;
    if (open) {
        if (op.at[op.length - 1] != ')')
            return hd_lines_fail(l, p->err, "`%.*s`: expected a `)` at its end",
                                 HD_WORD_SHOWN(op));
        word.length = (size_t)(open - op.at);
        p->inside = (struct hd_word){open + 1, op.length - word.length - 2};
    }
    int kind = kind_of(word);
    if (kind == HD_KIND_COUNT) {
        return hd_lines_fail(
            l, p->err,
            "`%.*s` is no event: expected r, w, acq, rel, fork, join, begin, "
            "end or another",
            HD_WORD_SHOWN(word));
    }
    p->event = (struct hd_event){.kind = (uint8_t)kind, .site = HD_NO_ID};
    uint32_t id = hd_build_id(p->build, HD_TABLE_THREAD, thread, p->err);
    if (id == HD_NO_ID) return -1;
    p->event.thread = (uint16_t)id;
    if (operands(p) < 0) return -1;
    if (place.length && !hd_word_is(place, "0")) {
        p->event.site = hd_build_id(p->build, HD_TABLE_SITE, place, p->err);
        if (p->event.site == HD_NO_ID) return -1;
    }
    return hd_build_event(p->build, &p->event, p->err);
}

int hd_std_read(int in, const char *path, int out, struct hd_error *err) {
    struct hd_lines lines;
    struct hd_build build;
    if (hd_lines_open(&lines, in, path, err) < 0) {
        close(out);
        return -1;
    }
    int rc = hd_build_open(&build, &lines, out, err), more = 0;
    if (rc < 0) goto out;
    struct parse p = {.lines = &lines, .build = &build, .err = err};
    while ((more = hd_lines_next(&lines, err)) > 0) {
        if (lines.length && parse_line(&p) < 0) {
            more = -1;
            break;
        }
    }
    rc = hd_build_close(&build, more < 0 ? -1 : 0, err);
out:
    hd_lines_close(&lines);
    return rc;
}
