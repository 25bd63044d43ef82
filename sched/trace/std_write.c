/* std_write.c - thread|op(operand)|place, the form of the RAPID analyser.
 *
 * r, w, acq, rel, fork, join, begin and end are what that analyser knows. All
 * other events are written in the same shape under their own words, operands
 * and flags parted by a semicolon, so that a trace comes back with its events;
 * what the tables say beyond names is lost. A register is written as =name, so
 * that names with semicolons of other tools are not cut. The place of an event
 * that has none is 0. */
#define _GNU_SOURCE
#include "build.h"
#include "tokens.h"

#include <errno.h>

static void operand(FILE *out, const struct hd_tokens *tokens, enum hd_operand what,
                    uint32_t id, const char **before) {
    enum hd_table table = hd_operand_table(what);
    if (what == HD_OPERAND_NOTHING) return;
    if (what == HD_OPERAND_ORDER && id == HD_SEQ_CST) return;
    fputs_unlocked(*before, out);
    *before = ";";
    if (what == HD_OPERAND_NUMBER) {
        fprintf(out, "%u", id);
    } else if (what == HD_OPERAND_ORDER) {
        fputs_unlocked(hd_order_word(id), out);
    } else {
        fputs_unlocked(id == HD_NO_ID ? "-" : tokens->word[table][id], out);
    }
}

static void event(FILE *out, const struct hd_tokens *tokens, const struct hd_event *e) {
    const char *word = e->kind == HD_READ    ? "r"
                       : e->kind == HD_WRITE ? "w"
                                             : hd_kind_word(e->kind);
    fputs_unlocked(tokens->word[HD_TABLE_THREAD][e->thread], out);
    putc_unlocked('|', out);
    fputs_unlocked(word, out);
    const char *before = "(";
    bool bare = hd_kind_obj_optional(e->kind) && e->obj == HD_NO_ID && !e->flags;
    if (!bare) operand(out, tokens, hd_kind_obj(e->kind), e->obj, &before);
    if (!hd_kind_aux_optional(e->kind)) {
        operand(out, tokens, hd_kind_aux(e->kind), e->aux, &before);
    } else if (e->aux != HD_NO_ID) {
        fputs_unlocked(";=", out);
        fputs_unlocked(tokens->word[HD_TABLE_REGISTER][e->aux], out);
    }
    for (unsigned bit = 0; bit < HD_FLAG_COUNT; bit++) {
        if (!(e->flags & 1 << bit)) continue;
        fputs_unlocked(before, out);
        fputs_unlocked(hd_flag_word(bit), out);
        before = ";";
    }
    if (*before == ';') putc_unlocked(')', out);
    putc_unlocked('|', out);
    fputs_unlocked(e->site == HD_NO_ID ? "0" : tokens->word[HD_TABLE_SITE][e->site], out);
    putc_unlocked('\n', out);
}

int hd_trace_write_std(struct hd_trace *trace, FILE *out, struct hd_error *err) {
    struct hd_tokens tokens;
    if (hd_tokens_make(&tokens, trace, HD_TOKEN_STD, err) < 0) return -1;
    struct hd_error failed = {0};
    size_t count;
    hd_trace_rewind(trace);
    for (const struct hd_event *e; (e = hd_trace_next(trace, &count, &failed));) {
        while (count--)
            event(out, &tokens, e++);
        if (ferror(out)) break;
    }
    int rc = 0;
    if (failed.text[0]) {
        if (err && !err->text[0]) *err = failed;
        rc = -1;
    } else if (fflush(out) != 0 || ferror(out)) {
        hd_fail_system(err, errno, "cannot write the trace");
        rc = -1;
    }
    hd_trace_rewind(trace);
    hd_tokens_free(&tokens);
    return rc;
}
