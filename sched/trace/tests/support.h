/* support.h - random traces, and what it means that two are the same.
 *
 * Random in the way a recorder or an ill-meaning person could write them, but
 * always well formed: every id is defined, every flag is one of the known. */
#ifndef HD_TRACE_TEST_SUPPORT_H
#define HD_TRACE_TEST_SUPPORT_H

#include "sched/trace/format.h"
#include "sched/trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Not every test needs everything. */
#pragma GCC diagnostic ignored "-Wunused-function"

static uint64_t chance;

static uint32_t draw(uint32_t below) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return below ? (uint32_t)((chance >> 16) % below) : 0;
}

static void seed(uint64_t n) { chance = n * 0x9e3779b97f4a7c15ull + 1; }

/* A file of its own for each use; the folder is removed by nobody but a test. */
static const char *temporary(const char *tail) {
    static char path[4][64];
    static int turn;
    char *at = path[turn++ & 3];
    snprintf(at, 64, "/tmp/heddle-test-%d-%s", (int)getpid(), tail);
    return at;
}

/* Often none, often one that is there already, sometimes with odd bytes. */
static const char *random_name(char *buffer) {
    static const char *const odd[] = {
        "-",   "*", "@x",     "=y",           "#",        "a b",  "100%", "%41", "x#",
        "a#2", "|", "r(x);y", "heddle-trace", "\xff\x01", "f:12", "~3",   ":7",  "read"};
    if (draw(4) == 0) return NULL;
    if (draw(4) == 0) return odd[draw(sizeof odd / sizeof *odd)];
    sprintf(buffer, "n%u", draw(40));
    return buffer;
}

static uint32_t random_id(uint32_t count) {
    return count && draw(3) ? draw(count) : HD_NO_ID;
}

struct counts {
    uint32_t of[HD_TABLE_COUNT];
};

static uint32_t random_operand(const struct counts *n, enum hd_operand what,
                               bool optional) {
    static const uint8_t table[] = {
        [HD_OPERAND_VARIABLE] = HD_TABLE_VARIABLE,
        [HD_OPERAND_SYNC] = HD_TABLE_SYNC,
        [HD_OPERAND_THREAD] = HD_TABLE_THREAD,
        [HD_OPERAND_OBJECT] = HD_TABLE_OBJECT,
        [HD_OPERAND_LABEL] = HD_TABLE_LABEL,
        [HD_OPERAND_REGISTER] = HD_TABLE_REGISTER,
    };
    switch (what) {
    case HD_OPERAND_NOTHING:
        return HD_NO_ID;
    case HD_OPERAND_NUMBER:
        return draw(3) ? draw(4) : draw(UINT32_MAX);
    case HD_OPERAND_ORDER:
        return draw(HD_ORDER_COUNT);
    default:
        return optional && draw(2) ? HD_NO_ID : draw(n->of[table[what]]);
    }
}

/* A trace with everything in it that the binary form can say. */
static void write_random(const char *path, uint64_t n, uint32_t events) {
    struct hd_error err = {0};
    struct hd_trace_writer *w = hd_writer_open(path, &err);
    if (!w) abort();
    seed(n);
    struct counts c;
    for (int i = 1; i < HD_TABLE_COUNT; i++)
        c.of[i] = 1 + draw(6);
    char a[16], b[16];
    for (uint32_t i = 0; i < events; i++) {
        struct hd_event e = {.kind = (uint8_t)(1 + draw(HD_KIND_COUNT - 1))};
        if (draw(8) == 0) e.kind = draw(2) ? HD_OP : HD_USE;
        e.thread = (uint16_t)draw(c.of[HD_TABLE_THREAD]);
        e.obj = random_operand(&c, hd_kind_obj(e.kind), hd_kind_obj_optional(e.kind));
        e.aux = random_operand(&c, hd_kind_aux(e.kind), hd_kind_aux_optional(e.kind));
        e.site = random_id(c.of[HD_TABLE_SITE]);
        if (draw(3) == 0) e.flags = (uint8_t)draw(1 << HD_FLAG_COUNT);
        hd_writer_event(w, &e);
        if (e.kind != HD_OP && e.kind != HD_USE) continue;
        for (uint32_t k = 0; k < e.aux && k < 70 && draw(10); k++) {
            struct hd_event arg = {.obj = draw(c.of[HD_TABLE_REGISTER]),
                                   .aux = HD_NO_ID,
                                   .site = e.site,
                                   .thread = e.thread,
                                   .kind = HD_ARG};
            hd_writer_event(w, &arg);
        }
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_THREAD]; i++)
        hd_writer_thread(w, i, random_name(a));
    for (uint32_t i = 0; i < c.of[HD_TABLE_REGISTER]; i++) {
        hd_writer_register(w, i, random_name(a));
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_MODULE]; i++) {
        struct hd_module m = {.path = random_name(a), .build_id = random_name(b)};
        hd_writer_module(w, i, &m);
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_SITE]; i++) {
        struct hd_site s = {.function = random_name(a),
                            .file = random_name(b),
                            .line = draw(2) * draw(9),
                            .module = random_id(c.of[HD_TABLE_MODULE]),
                            .address = draw(2) * (uint64_t)draw(UINT32_MAX) << 9};
        hd_writer_site(w, i, &s);
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_OBJECT]; i++) {
        struct hd_object o = {.kind = (uint8_t)draw(HD_OBJECT_KIND_COUNT),
                              .owner = (uint16_t)draw(c.of[HD_TABLE_THREAD]),
                              .nth = draw(3),
                              .site = random_id(c.of[HD_TABLE_SITE]),
                              .size = draw(100),
                              .module = random_id(c.of[HD_TABLE_MODULE]),
                              .address = draw(2) * (uint64_t)draw(UINT32_MAX),
                              .name = random_name(a)};
        hd_writer_object(w, i, &o);
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_VARIABLE]; i++) {
        struct hd_variable v = {.object = draw(c.of[HD_TABLE_OBJECT]),
                                .size = draw(9),
                                .offset = draw(20),
                                .name = random_name(a)};
        hd_writer_variable(w, i, &v);
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_SYNC]; i++) {
        struct hd_sync s = {.kind = (uint8_t)draw(HD_SYNC_KIND_COUNT),
                            .object = random_id(c.of[HD_TABLE_OBJECT]),
                            .offset = draw(9),
                            .initial = draw(3),
                            .name = random_name(a)};
        hd_writer_sync(w, i, &s);
    }
    for (uint32_t i = 0; i < c.of[HD_TABLE_LABEL]; i++) {
        struct hd_label l = {.name = random_name(a),
                             .flags = (uint8_t)draw(4),
                             .site = random_id(c.of[HD_TABLE_SITE])};
        hd_writer_label(w, i, &l);
    }
    if (hd_writer_close(w, &err) < 0) abort();
}

/* No more address space than this; 0 takes the limit away. Sanitizers need
 * terabytes of it, so for them there is none. */
static void limit_memory(uint64_t bytes) {
#if !defined(__SANITIZE_ADDRESS__)
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
#else
    (void)bytes;
#endif
}

/* ---- the same? ------------------------------------------------------------ */

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What differs first, or NULL. */
static const char *differ_tables(struct hd_trace *a, struct hd_trace *b) {
#define COUNT(plural)                                                                    \
    if (hd_trace_##plural(a) != hd_trace_##plural(b)) return "number of " #plural
    COUNT(threads);
    COUNT(variables);
    COUNT(objects);
    COUNT(syncs);
    COUNT(labels);
    COUNT(sites);
    COUNT(modules);
    COUNT(registers);
    COUNT(granules);
#undef COUNT
#define EACH(plural, type, singular, condition)                                          \
    for (uint32_t i = 0; i < hd_trace_##plural(a); i++) {                                \
        type *x = hd_trace_##singular(a, i), *y = hd_trace_##singular(b, i);             \
        if (!(condition)) return #plural;                                                \
    }
    EACH(threads, const char, thread, same_text(x, y))
    EACH(registers, const char, register, same_text(x, y))
    EACH(modules, const struct hd_module, module,
         same_text(x->path, y->path) && same_text(x->build_id, y->build_id))
    EACH(sites, const struct hd_site, site,
         same_text(x->function, y->function) && same_text(x->file, y->file) &&
             x->line == y->line && x->module == y->module && x->address == y->address)
    EACH(objects, const struct hd_object, object,
         x->kind == y->kind && x->owner == y->owner && x->nth == y->nth &&
             x->site == y->site && x->size == y->size && x->module == y->module &&
             x->address == y->address && same_text(x->name, y->name))
    EACH(variables, const struct hd_variable, variable,
         x->object == y->object && x->size == y->size && x->offset == y->offset &&
             same_text(x->name, y->name))
    EACH(syncs, const struct hd_sync, sync,
         x->kind == y->kind && x->object == y->object && x->offset == y->offset &&
             x->initial == y->initial && same_text(x->name, y->name))
    EACH(labels, const struct hd_label, label,
         x->flags == y->flags && x->site == y->site && same_text(x->name, y->name))
#undef EACH
    return NULL;
}

static const char *differ_events(struct hd_trace *a, struct hd_trace *b) {
    if (hd_trace_length(a) != hd_trace_length(b)) return "number of events";
    hd_trace_rewind(a);
    hd_trace_rewind(b);
    const struct hd_event *x = NULL, *y = NULL;
    size_t left = 0, right = 0;
    for (;;) {
        if (!left && !(x = hd_trace_next(a, &left, NULL))) break;
        if (!right && !(y = hd_trace_next(b, &right, NULL))) return "end";
        if (memcmp(x++, y++, sizeof *x) != 0) return "events";
        left--;
        right--;
    }
    hd_trace_rewind(a);
    hd_trace_rewind(b);
    return NULL;
}

static const char *differ(struct hd_trace *a, struct hd_trace *b) {
    const char *what = differ_tables(a, b);
    return what ? what : differ_events(a, b);
}

/* A whole file in memory, and back. */
static char *slurp(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) abort();
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (fread(bytes, 1, *length, file) != *length) abort();
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

static void spill(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) abort();
}

#endif
