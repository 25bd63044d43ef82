/* text_write.c - a trace that a person can read, and that reads back the same.
 *
 * A trace whose names say all there is to say (one that was written by hand) is
 * written as plain event lines. Any other gets a header and a definition line
 * for every entry of every table, in the order of their ids, before its events:
 * half of them would not keep the ids. */
#define _GNU_SOURCE
#include "text.h"
#include "tokens.h"

#include <errno.h>
#include <string.h>

/* More arguments than this of an op are written as lines of their own. */
enum { ARGUMENTS_INLINE = 64 };

struct writing {
    struct hd_trace *trace;
    FILE *out;
    struct hd_tokens tokens;
    struct hd_event pending[1 + ARGUMENTS_INLINE]; /* an op or use, and its arguments */
    uint32_t count;
};

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- is it plain? -------------------------------------------------------- */

static bool names_say_all(const struct writing *w) {
    const struct hd_trace *t = w->trace;
    const struct hd_names *names = w->tokens.names;
    if (hd_trace_modules(t)) return false;
    for (uint32_t i = 0; i < hd_trace_threads(t); i++) {
        if (!same(hd_trace_thread(t, i), names[HD_TABLE_THREAD].name[i])) return false;
    }
    for (uint32_t i = 0; i < hd_trace_registers(t); i++) {
        if (!same(hd_trace_register(t, i), names[HD_TABLE_REGISTER].name[i]))
            return false;
    }
    for (uint32_t i = 0; i < hd_trace_variables(t); i++) {
        const struct hd_variable *v = hd_trace_variable(t, i);
        const char *token = names[HD_TABLE_VARIABLE].name[i];
        if (v->offset || v->size != 1 || !same(v->name, token) ||
            !same(token, names[HD_TABLE_OBJECT].name[v->object])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < hd_trace_objects(t); i++) {
        const struct hd_object *o = hd_trace_object(t, i);
        if (o->kind || o->owner || o->nth || o->site != HD_NO_ID || o->size ||
            o->address || o->each || !same(o->name, names[HD_TABLE_OBJECT].name[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < hd_trace_syncs(t); i++) {
        const struct hd_sync *s = hd_trace_sync(t, i);
        if (s->kind || s->object != HD_NO_ID || s->offset || s->initial ||
            !same(s->name, names[HD_TABLE_SYNC].name[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < hd_trace_labels(t); i++) {
        const struct hd_label *l = hd_trace_label(t, i);
        if (l->flags || l->site != HD_NO_ID ||
            !same(l->name, names[HD_TABLE_LABEL].name[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < hd_trace_sites(t); i++) {
        const struct hd_site *s = hd_trace_site(t, i);
        const char *token = names[HD_TABLE_SITE].name[i];
        uint32_t line;
        size_t file = hd_site_split(token, strlen(token), &line);
        if (s->function || s->address || line != s->line || !s->file ||
            strlen(s->file) != file || memcmp(s->file, token, file) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether an id that is met now would be given by a reader. */
static bool meet(uint32_t next[HD_TABLE_COUNT], enum hd_table table, uint32_t id) {
    if (!table || id == HD_NO_ID || id < next[table]) return true;
    return id == next[table]++;
}

static bool meet_operand(const struct writing *w, uint32_t next[HD_TABLE_COUNT],
                         enum hd_operand operand, uint32_t id) {
    enum hd_table table = hd_operand_table(operand);
    if (!meet(next, table, id)) return false;
    return table != HD_TABLE_VARIABLE ||
           meet(next, HD_TABLE_OBJECT, hd_trace_variable(w->trace, id)->object);
}

/* 1: plain, 0: not, -1: the trace cannot be read. */
static int is_plain(struct writing *w, struct hd_error *err) {
    if (!hd_trace_length(w->trace) || !names_say_all(w)) return 0;
    uint32_t next[HD_TABLE_COUNT] = {0};
    struct hd_error failed = {0};
    size_t count;
    hd_trace_rewind(w->trace);
    for (const struct hd_event *e; (e = hd_trace_next(w->trace, &count, &failed));) {
        for (; count--; e++) {
            if (!meet(next, HD_TABLE_THREAD, e->thread) ||
                !meet_operand(w, next, hd_kind_obj(e->kind), e->obj) ||
                !meet_operand(w, next, hd_kind_aux(e->kind), e->aux) ||
                !meet(next, HD_TABLE_SITE, e->site)) {
                return 0;
            }
        }
    }
    if (failed.text[0]) {
        if (err && !err->text[0]) *err = failed;
        return -1;
    }
    for (int table = 1; table < HD_TABLE_COUNT; table++) {
        if (next[table] != w->tokens.names[table].count) return 0;
    }
    return 1;
}

/* ---- events -------------------------------------------------------------- */

static void word(struct writing *w, const char *text) {
    putc_unlocked(' ', w->out);
    fputs_unlocked(text, w->out);
}

static void number(struct writing *w, const char *before, uint64_t value) {
    char digits[24], *at = digits + sizeof digits;
    *--at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    fputs_unlocked(before, w->out);
    fputs_unlocked(at, w->out);
}

/* `last`: nothing follows but the place, so what is missing can stay so. */
static void operand(struct writing *w, enum hd_operand what, uint32_t id, bool last) {
    enum hd_table table = hd_operand_table(what);
    if (what == HD_OPERAND_NOTHING) return;
    if (what == HD_OPERAND_NUMBER) {
        number(w, " ", id);
    } else if (what == HD_OPERAND_ORDER) {
        if (id != HD_SEQ_CST) word(w, hd_order_word(id));
    } else if (id != HD_NO_ID) {
        word(w, w->tokens.word[table][id]);
    } else if (!last) {
        word(w, "-");
    }
}

static void end_line(struct writing *w, const struct hd_event *e) {
    for (unsigned bit = 0; bit < HD_FLAG_COUNT; bit++) {
        if (e->flags & 1 << bit) word(w, hd_flag_word(bit));
    }
    if (e->site != HD_NO_ID) {
        fputs_unlocked(" @", w->out);
        fputs_unlocked(w->tokens.word[HD_TABLE_SITE][e->site], w->out);
    }
    putc_unlocked('\n', w->out);
}

static void event(struct writing *w, const struct hd_event *e) {
    enum hd_operand obj = hd_kind_obj(e->kind), aux = hd_kind_aux(e->kind);
    fputs_unlocked(w->tokens.word[HD_TABLE_THREAD][e->thread], w->out);
    word(w, hd_kind_word(e->kind));
    operand(w, obj, e->obj, !e->flags);
    if (e->kind == HD_OP || e->kind == HD_USE) {
        if (e->aux || e->flags) number(w, " =", e->aux);
    } else if (e->kind != HD_ALLOC || e->aux || e->flags) {
        operand(w, aux, e->aux, !e->flags);
    }
    end_line(w, e);
}

/* What was held back did not become one line after all. */
static void give_up(struct writing *w) {
    for (uint32_t i = 0; i < w->count; i++)
        event(w, &w->pending[i]);
    w->count = 0;
}

static void one_line(struct writing *w) {
    const struct hd_event *e = w->pending;
    fputs_unlocked(w->tokens.word[HD_TABLE_THREAD][e->thread], w->out);
    word(w, hd_kind_word(e->kind));
    operand(w, hd_kind_obj(e->kind), e->obj, true);
    for (uint32_t i = 1; i < w->count; i++) {
        word(w, w->tokens.word[HD_TABLE_REGISTER][e[i].obj]);
    }
    end_line(w, e);
    w->count = 0;
}

static void next_event(struct writing *w, const struct hd_event *e) {
    if (w->count) {
        const struct hd_event *head = w->pending;
        if (e->kind == HD_ARG && e->thread == head->thread && e->site == head->site &&
            !e->flags) {
            w->pending[w->count++] = *e;
            if (w->count == 1 + head->aux) one_line(w);
            return;
        }
        give_up(w);
    }
    if ((e->kind == HD_OP || e->kind == HD_USE) && e->aux && e->aux <= ARGUMENTS_INLINE &&
        !e->flags) {
        w->pending[w->count++] = *e;
    } else {
        event(w, e);
    }
}

int hd_trace_write_text(struct hd_trace *trace, FILE *out, struct hd_error *err) {
    struct writing w = {.trace = trace, .out = out};
    if (hd_tokens_make(&w.tokens, trace, HD_TOKEN_TEXT, err) < 0) return -1;
    struct hd_error failed = {0};
    int rc = is_plain(&w, err);
    if (rc < 0) goto out;
    if (rc == 0) {
        fprintf(out, "%s %d events=%llu\n", HD_TEXT_HEADER, HD_TEXT_VERSION,
                (unsigned long long)hd_trace_length(trace));
        hd_text_definitions(trace, &w.tokens, out);
    }
    size_t count;
    hd_trace_rewind(trace);
    for (const struct hd_event *e; (e = hd_trace_next(trace, &count, &failed));) {
        while (count--)
            next_event(&w, e++);
        if (ferror(out)) break;
    }
    give_up(&w);
    rc = 0;
    if (failed.text[0]) {
        if (err && !err->text[0]) *err = failed;
        rc = -1;
    } else if (fflush(out) != 0 || ferror(out)) {
        hd_fail_system(err, errno, "cannot write the trace");
        rc = -1;
    }
out:
    hd_trace_rewind(trace);
    hd_tokens_free(&w.tokens);
    return rc;
}
