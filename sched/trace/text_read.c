/* text_read.c - one event a line, as a person writes it.
 *
 * Parsed line by line into a binary spool, so that a text of any size needs
 * memory for its names only. The form is described in text.h. */
#include "reader.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct text {
    struct hd_lines lines;
    struct hd_build build;
    struct hd_word *words;
    size_t count, room;
    uint64_t announced; /* number of events that the header tells, or UINT64_MAX */
    bool any;           /* something was on a line */
};

/* Cuts the line into words, up to a comment. */
static int split(struct text *t, struct hd_error *err) {
    const char *at = t->lines.line, *end = at + t->lines.length;
    t->count = 0;
    for (;;) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (at == end || *at == '#') return 0;
        const char *from = at;
        bool comment = false;
        while (at < end && *at != ' ' && *at != '\t' && !comment) {
            at++;
            comment = at < end && *at == '#' &&
                      (at + 1 == end || at[1] == ' ' || at[1] == '\t');
        }
        if (t->count == t->room) {
            size_t room = t->room ? 2 * t->room : 16;
            struct hd_word *more = realloc(t->words, room * sizeof *more);
            if (!more) {
                hd_fail_system(err, ENOMEM, "%s", t->lines.path);
                return -1;
            }
            t->words = more;
            t->room = room;
        }
        t->words[t->count++] = (struct hd_word){from, (size_t)(at - from)};
        if (comment) return 0;
    }
}

/* ---- one event ---------------------------------------------------------- */

struct parse {
    struct text *text;
    size_t at;  /* next word */
    size_t end; /* words before the site */
    struct hd_event event;
    struct hd_error *err;
};

static const char *noun(enum hd_operand operand) {
    switch (operand) {
    case HD_OPERAND_VARIABLE:
        return "a variable";
    case HD_OPERAND_SYNC:
        return "a lock, condition, barrier or semaphore";
    case HD_OPERAND_THREAD:
        return "a thread";
    case HD_OPERAND_OBJECT:
        return "an object";
    case HD_OPERAND_LABEL:
        return "a name";
    case HD_OPERAND_REGISTER:
        return "a register";
    case HD_OPERAND_ORDER:
        return "a memory order";
    case HD_OPERAND_NUMBER:
        return "a number";
    case HD_OPERAND_NOTHING:
        break;
    }
    return "nothing";
}

static int operand(struct parse *p, enum hd_operand what, bool optional, uint32_t *out) {
    struct text *t = p->text;
    *out = HD_NO_ID;
    if (what == HD_OPERAND_NOTHING) return 0;
    if (what == HD_OPERAND_ORDER) {
        *out = HD_SEQ_CST;
        if (p->at == p->end) return 0;
        struct hd_word word = t->words[p->at];
        int order = hd_order_find(word.at, (uint32_t)word.length);
        if (order == HD_ORDER_COUNT) return 0; /* a flag, then */
        *out = (uint32_t)order;
        p->at++;
        return 0;
    }
    if (p->at == p->end) {
        if (optional) return 0;
        return hd_lines_fail(&t->lines, p->err, "`%.*s`: expected %s after `%.*s`",
                             HD_WORD_SHOWN(t->words[1]), noun(what),
                             HD_WORD_SHOWN(t->words[p->at - 1]));
    }
    struct hd_word word = t->words[p->at++];
    if (optional && hd_word_is(word, "-")) return 0;
    if (what == HD_OPERAND_NUMBER) {
        uint64_t value;
        if (!hd_word_number(word, UINT32_MAX, &value)) {
            return hd_lines_fail(&t->lines, p->err,
                                 "`%.*s`: expected a number of at most %u",
                                 HD_WORD_SHOWN(word), UINT32_MAX);
        }
        *out = (uint32_t)value;
        return 0;
    }
    *out = hd_build_id(&t->build, hd_operand_table(what), word, p->err);
    return *out == HD_NO_ID ? -1 : 0;
}

static int flags(struct parse *p) {
    struct text *t = p->text;
    for (; p->at < p->end; p->at++) {
        struct hd_word word = t->words[p->at];
        int bit = hd_flag_find(word.at, (uint32_t)word.length);
        if (bit == HD_FLAG_COUNT) {
            return hd_lines_fail(&t->lines, p->err,
                                 "`%.*s` after `%.*s`: expected nothing more, or a place "
                                 "like @file.c:12",
                                 HD_WORD_SHOWN(word), HD_WORD_SHOWN(t->words[p->at - 1]));
        }
        p->event.flags |= (uint8_t)(1 << bit);
    }
    return 0;
}

static int site(struct parse *p) {
    struct text *t = p->text;
    p->event.site = HD_NO_ID;
    if (p->end == t->count) return 0;
    struct hd_word word = {t->words[p->end].at + 1, t->words[p->end].length - 1};
    p->event.site = hd_build_id(&t->build, HD_TABLE_SITE, word, p->err);
    return p->event.site == HD_NO_ID ? -1 : 0;
}

static int emit(struct parse *p) {
    return hd_build_event(&p->text->build, &p->event, p->err);
}

/* `alloc o p q 16`: each of them, and the size of each. */
static int parse_alloc(struct parse *p) {
    struct text *t = p->text;
    size_t names = 1;
    uint64_t size = 0;
    while (p->at + names < p->end &&
           !hd_word_number(t->words[p->at + names], UINT64_MAX, &size)) {
        names++;
    }
    size_t first = p->at;
    p->at += names;
    p->event.aux = 0;
    if (p->at < p->end && operand(p, HD_OPERAND_NUMBER, false, &p->event.aux) < 0)
        return -1;
    if (flags(p) < 0) return -1;
    for (size_t i = 0; i < names; i++) {
        p->event.obj =
            hd_build_id(&t->build, HD_TABLE_OBJECT, t->words[first + i], p->err);
        if (p->event.obj == HD_NO_ID || site(p) < 0 || emit(p) < 0) return -1;
    }
    return 0;
}

/* `op d s1 s2`, `use r1 r2`: the event, then an ARG for each register. */
static int parse_arguments(struct parse *p) {
    struct text *t = p->text;
    struct hd_word next = p->at < p->end ? t->words[p->at] : (struct hd_word){"", 0};
    if (next.length > 1 && next.at[0] == '=') {
        uint64_t count;
        next = (struct hd_word){next.at + 1, next.length - 1};
        if (!hd_word_number(next, UINT32_MAX, &count)) {
            return hd_lines_fail(&t->lines, p->err, "`=%.*s`: expected a number",
                                 HD_WORD_SHOWN(next));
        }
        p->event.aux = (uint32_t)count;
        p->at++;
        return flags(p) < 0 || site(p) < 0 || emit(p) < 0 ? -1 : 0;
    }
    p->event.aux = (uint32_t)(p->end - p->at);
    if (site(p) < 0 || emit(p) < 0) return -1;
    p->event.kind = HD_ARG;
    p->event.aux = HD_NO_ID;
    for (; p->at < p->end; p->at++) {
        p->event.obj = hd_build_id(&t->build, HD_TABLE_REGISTER, t->words[p->at], p->err);
        if (p->event.obj == HD_NO_ID || emit(p) < 0) return -1;
    }
    return 0;
}

static int parse_event(struct parse *p) {
    struct text *t = p->text;
    if (t->count < 2) {
        return hd_lines_fail(&t->lines, p->err,
                             "`%.*s` alone: expected a thread and an event, like T1 rd x",
                             HD_WORD_SHOWN(t->words[0]));
    }
    int kind = hd_kind_find(t->words[1].at, (uint32_t)t->words[1].length);
    if (kind == HD_KIND_COUNT) {
        return hd_lines_fail(
            &t->lines, p->err,
            "`%.*s` is no event: expected rd, wr, acq, rel, fork, join or "
            "another",
            HD_WORD_SHOWN(t->words[1]));
    }
    uint32_t thread = hd_build_id(&t->build, HD_TABLE_THREAD, t->words[0], p->err);
    if (thread == HD_NO_ID) return -1;
    p->event.thread = (uint16_t)thread;
    p->event.kind = (uint8_t)kind;
    p->at = 2;
    p->end = t->count;
    if (p->end > 2 && t->words[p->end - 1].at[0] == '@') p->end--;

    if (kind == HD_ALLOC && p->at < p->end) return parse_alloc(p);
    enum hd_operand obj = hd_kind_obj(kind), aux = hd_kind_aux(kind);
    if (operand(p, obj, hd_kind_obj_optional(kind), &p->event.obj) < 0) return -1;
    if (kind == HD_OP || kind == HD_USE) return parse_arguments(p);
    if (operand(p, aux, hd_kind_aux_optional(kind), &p->event.aux) < 0) return -1;
    if (flags(p) < 0 || site(p) < 0) return -1;
    if (kind == HD_BARRIER || kind == HD_BLEAVE) {
        uint32_t *next = &t->build.episodes[p->event.obj];
        if (p->event.aux >= *next && p->event.aux < UINT32_MAX) *next = p->event.aux + 1;
    }
    return emit(p);
}

/* `* barrier B T1 T2`: all arrive, then all leave. */
static int parse_episode(struct parse *p) {
    struct text *t = p->text;
    p->end = t->count;
    if (p->end > 3 && t->words[p->end - 1].at[0] == '@') p->end--;
    if (p->end < 4 || !hd_word_is(t->words[1], "barrier")) {
        return hd_lines_fail(
            &t->lines, p->err,
            "expected `* barrier B T1 T2 ...` with a barrier and threads");
    }
    uint32_t episode = UINT32_MAX;
    for (int leaving = 0; leaving < 2; leaving++) {
        p->event.kind = leaving ? HD_BLEAVE : HD_BARRIER;
        for (size_t i = 3; i < p->end; i++) {
            uint32_t thread =
                hd_build_id(&t->build, HD_TABLE_THREAD, t->words[i], p->err);
            if (thread == HD_NO_ID) return -1;
            p->event.thread = (uint16_t)thread;
            p->event.obj = hd_build_id(&t->build, HD_TABLE_SYNC, t->words[2], p->err);
            if (p->event.obj == HD_NO_ID) return -1;
            if (episode == UINT32_MAX) episode = t->build.episodes[p->event.obj]++;
            p->event.aux = episode;
            if (site(p) < 0 || emit(p) < 0) return -1;
        }
    }
    return 0;
}

/* ---- the file ----------------------------------------------------------- */

static int parse_header(struct text *t, struct hd_error *err) {
    uint64_t version;
    if (t->count < 2 || !hd_word_number(t->words[1], UINT64_MAX, &version) ||
        version != HD_TEXT_VERSION) {
        return hd_lines_fail(&t->lines, err,
                             "`%s` of version `%.*s`, expected %d; convert it with the "
                             "heddle that wrote it",
                             HD_TEXT_HEADER, HD_WORD_SHOWN(t->words[t->count > 1]),
                             HD_TEXT_VERSION);
    }
    for (size_t i = 2; i < t->count; i++) {
        struct hd_word word = t->words[i];
        if (word.length > 7 && memcmp(word.at, "events=", 7) == 0) {
            word = (struct hd_word){word.at + 7, word.length - 7};
            if (hd_word_number(word, UINT64_MAX - 1, &t->announced)) continue;
        }
        return hd_lines_fail(&t->lines, err, "`%.*s`: expected events=NUMBER",
                             HD_WORD_SHOWN(t->words[i]));
    }
    return 0;
}

static int parse_line(struct text *t, struct hd_error *err) {
    if (split(t, err) < 0) return -1;
    if (!t->count) return 0;
    bool first = !t->any;
    t->any = true;
    if (first && hd_word_is(t->words[0], HD_TEXT_HEADER)) return parse_header(t, err);
    /* %2a would be an encoded byte of a thread's name; those never begin with a
     * letter, because such bytes are not encoded */
    if (t->words[0].at[0] == '%' && t->words[0].length > 1 && t->words[0].at[1] >= 'a') {
        return hd_text_define(&t->build, t->words, t->count, err);
    }
    struct parse p = {.text = t, .err = err};
    if (hd_word_is(t->words[0], "*")) return parse_episode(&p);
    return parse_event(&p);
}

int hd_text_read(int in, const char *path, int out, struct hd_error *err) {
    struct text t = {.announced = UINT64_MAX};
    if (hd_lines_open(&t.lines, in, path, err) < 0) {
        close(out);
        return -1;
    }
    int rc = hd_build_open(&t.build, &t.lines, out, err);
    if (rc < 0) goto out;
    int more;
    while ((more = hd_lines_next(&t.lines, err)) > 0) {
        more = parse_line(&t, err);
        if (more < 0) break;
    }
    rc = more < 0 ? -1 : 0;
    if (rc == 0 && t.announced != UINT64_MAX && t.announced != t.build.events) {
        rc = hd_lines_fail(
            &t.lines, err, "the trace was cut short: %llu events, expected %llu",
            (unsigned long long)t.build.events, (unsigned long long)t.announced);
    }
    rc = hd_build_close(&t.build, rc, err);
out:
    free(t.words);
    hd_lines_close(&t.lines);
    return rc;
}
