/* text_define.c - the lines of a text trace that begin with %.
 *
 * They carry what an event line has no room for: sizes, offsets, kinds, places
 * in the program. See text.h. */
#include "text.h"

#include <errno.h>
#include <string.h>

const char *const hd_object_kind_words[] = {"unknown", "global", "heap", "stack",
                                            "tls",     "pseudo", "frame",
                                            "frame-array", NULL};
const char *const hd_sync_kind_words[] = {"unknown", "mutex",   "rwlock", "spinlock",
                                          "cond",    "barrier", "sem",    "once",
                                          "stream",  "futex",   NULL};
const char *const hd_table_words[] = {NULL,    "thread", "variable", "object",   "sync",
                                      "label", "site",   "module",   "register", NULL};

/* One `key=value` and what is filled in by it. */
struct attribute {
    struct hd_build *build;
    struct hd_word key, value;
    bool taken;
    struct hd_error *err;
    int rc;
};

static bool is(struct attribute *a, const char *key) {
    if (a->taken || !hd_word_is(a->key, key)) return false;
    a->taken = true;
    return true;
}

static uint64_t number(struct attribute *a, uint64_t most) {
    uint64_t value = 0;
    if (!hd_word_number(a->value, most, &value)) {
        a->rc = hd_lines_fail(
            a->build->lines, a->err, "`%.*s=%.*s`: expected a number of at most %llu",
            HD_WORD_SHOWN(a->key), HD_WORD_SHOWN(a->value), (unsigned long long)most);
    }
    return value;
}

static uint32_t id(struct attribute *a, enum hd_table table) {
    uint32_t found = hd_build_id(a->build, table, a->value, a->err);
    if (found == HD_NO_ID) a->rc = -1;
    return found;
}

static uint8_t kind(struct attribute *a, const char *const *words) {
    for (uint8_t i = 0; words[i]; i++) {
        if (hd_word_is(a->value, words[i])) return i;
    }
    a->rc = hd_lines_fail(a->build->lines, a->err, "`kind=%.*s`: no such kind",
                          HD_WORD_SHOWN(a->value));
    return 0;
}

static const char *string(struct attribute *a) {
    struct hd_word value = a->value;
    if (!value.length) return NULL;
    if (!hd_word_decode(a->build->lines, &value) || value.length > HD_NAME_MOST) {
        a->rc = hd_lines_fail(a->build->lines, a->err,
                              "`%.*s` holds a zero byte or is longer than %u bytes",
                              HD_WORD_SHOWN(a->value), HD_NAME_MOST);
        return NULL;
    }
    const char *kept = hd_strings_keep(&a->build->strings, value.at, value.length);
    if (!kept) {
        hd_fail_system(a->err, ENOMEM, "%s", a->build->lines->path);
        a->rc = -1;
    }
    return kept;
}

/* hd_build_id may move the arrays, so a value is made before its place is. */
static void take(struct attribute *a, enum hd_table table, uint32_t at) {
    struct hd_build *b = a->build;
#define SET(field, value)                                                                \
    do {                                                                                 \
        __typeof__(b->field) made = (value);                                             \
        b->field = made;                                                                 \
    } while (0)
    switch (table) {
    case HD_TABLE_THREAD:
        if (is(a, "name")) SET(threads[at], string(a));
        break;
    case HD_TABLE_REGISTER:
        if (is(a, "name")) SET(registers[at], string(a));
        break;
    case HD_TABLE_MODULE:
        if (is(a, "path")) SET(modules[at].path, string(a));
        if (is(a, "build")) SET(modules[at].build_id, string(a));
        break;
    case HD_TABLE_SITE:
        if (is(a, "function")) SET(sites[at].function, string(a));
        if (is(a, "file")) SET(sites[at].file, string(a));
        if (is(a, "line")) SET(sites[at].line, (uint32_t)number(a, UINT32_MAX));
        if (is(a, "module")) SET(sites[at].module, id(a, HD_TABLE_MODULE));
        if (is(a, "address")) SET(sites[at].address, number(a, UINT64_MAX));
        break;
    case HD_TABLE_OBJECT:
        if (is(a, "kind")) SET(objects[at].kind, kind(a, hd_object_kind_words));
        if (is(a, "owner")) SET(objects[at].owner, (uint16_t)id(a, HD_TABLE_THREAD));
        if (is(a, "nth")) SET(objects[at].nth, (uint32_t)number(a, UINT32_MAX));
        if (is(a, "site")) SET(objects[at].site, id(a, HD_TABLE_SITE));
        if (is(a, "size")) SET(objects[at].size, number(a, UINT64_MAX));
        if (is(a, "module")) SET(objects[at].module, id(a, HD_TABLE_MODULE));
        if (is(a, "address")) SET(objects[at].address, number(a, UINT64_MAX));
        if (is(a, "each")) SET(objects[at].each, (uint32_t)number(a, UINT32_MAX));
        if (is(a, "name")) SET(objects[at].name, string(a));
        break;
    case HD_TABLE_VARIABLE:
        if (is(a, "object")) SET(variables[at].object, id(a, HD_TABLE_OBJECT));
        if (is(a, "offset")) SET(variables[at].offset, number(a, UINT64_MAX));
        if (is(a, "size")) SET(variables[at].size, (uint32_t)number(a, UINT32_MAX));
        if (is(a, "name")) SET(variables[at].name, string(a));
        break;
    case HD_TABLE_SYNC:
        if (is(a, "kind")) SET(syncs[at].kind, kind(a, hd_sync_kind_words));
        if (is(a, "object")) SET(syncs[at].object, id(a, HD_TABLE_OBJECT));
        if (is(a, "offset")) SET(syncs[at].offset, number(a, UINT64_MAX));
        if (is(a, "initial")) SET(syncs[at].initial, (uint32_t)number(a, UINT32_MAX));
        if (is(a, "name")) SET(syncs[at].name, string(a));
        break;
    case HD_TABLE_LABEL:
        if (is(a, "static")) b->labels[at].flags |= HD_LABEL_STATIC;
        if (is(a, "entry")) b->labels[at].flags |= HD_LABEL_ENTRY;
        if (is(a, "short")) b->labels[at].flags |= HD_LABEL_SHORT;
        if (is(a, "site")) SET(labels[at].site, id(a, HD_TABLE_SITE));
        if (is(a, "name")) SET(labels[at].name, string(a));
        break;
    case HD_TABLE_COUNT:
        break;
    }
#undef SET
}

/* A variable with an object of its own name would otherwise bring that object
 * into being: one that is told its object on the same line must not. */
static bool tells_object(const struct hd_word *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (words[i].length >= 7 && memcmp(words[i].at, "object=", 7) == 0) return true;
    }
    return false;
}

int hd_text_define(struct hd_build *b, const struct hd_word *words, size_t count,
                   struct hd_error *err) {
    struct hd_word noun = {words[0].at + 1, words[0].length - 1};
    int table = 1;
    while (table < HD_TABLE_COUNT && !hd_word_is(noun, hd_table_words[table]))
        table++;
    if (table == HD_TABLE_COUNT) {
        return hd_lines_fail(b->lines, err,
                             "`%.*s`: expected %%thread, %%module, %%site, %%object, "
                             "%%variable, %%sync, %%label or %%register",
                             HD_WORD_SHOWN(words[0]));
    }
    if (count < 2) {
        return hd_lines_fail(b->lines, err, "`%.*s`: expected what it defines",
                             HD_WORD_SHOWN(words[0]));
    }
    b->object_is_told = table == HD_TABLE_VARIABLE && tells_object(words + 2, count - 2);
    uint32_t at = hd_build_id(b, table, words[1], err);
    b->object_is_told = false;
    if (at == HD_NO_ID) return -1;
    for (size_t i = 2; i < count; i++) {
        struct attribute a = {.build = b, .key = words[i], .err = err};
        const char *sign = memchr(words[i].at, '=', words[i].length);
        if (sign) {
            a.key.length = (size_t)(sign - words[i].at);
            a.value = (struct hd_word){sign + 1, words[i].length - a.key.length - 1};
        }
        take(&a, table, at);
        if (a.rc < 0) return -1;
        if (!a.taken) {
            return hd_lines_fail(b->lines, err, "`%.*s` says nothing about a %s",
                                 HD_WORD_SHOWN(a.key), hd_table_words[table]);
        }
    }
    return 0;
}
