/* tokens.c - giving every entry a word of its own. */
#define _GNU_SOURCE
#include "tokens.h"
#include "lines.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t hd_site_split(const char *token, size_t length, uint32_t *line) {
    *line = 0;
    const char *colon = memrchr(token, ':', length);
    if (!colon || colon == token || colon[1] == '0') return length;
    uint64_t number;
    struct hd_word digits = {colon + 1, (size_t)(token + length - colon - 1)};
    if (!hd_word_number(digits, UINT32_MAX, &number)) return length;
    *line = (uint32_t)number;
    return (size_t)(colon - token);
}

/* In std operands and flags stand in one row. */
static bool is_keyword(const char *text, size_t length) {
    return hd_flag_find(text, (uint32_t)length) != HD_FLAG_COUNT ||
           hd_order_find(text, (uint32_t)length) != HD_ORDER_COUNT;
}

/* Whether byte i of a word must be encoded. In text: blanks and what has a
 * meaning at the start of a word; in std: what separates the fields. */
static bool odd(enum hd_token_style style, const char *text, size_t i, size_t length) {
    unsigned char c = (unsigned char)text[i];
    if (c <= 0x20 || c == 0x7f || c == '%') return true;
    if (style == HD_TOKEN_STD) {
        return strchr("|();", c) ||
               (i == 0 && (strchr("=-", c) || is_keyword(text, length)));
    }
    if (i == 0 && strchr("@=#", c)) return true;
    return (c == '#' && i == length - 1) || (c == '-' && length == 1);
}

/* A first word must not be taken for anything but a thread. */
static bool odd_thread(const char *text, size_t i) {
    if (text[i] == '|') return true;
    return i == 0 && (strcmp(text, "*") == 0 || strcmp(text, HD_TEXT_HEADER) == 0);
}

static const char *encode(struct hd_tokens *t, enum hd_token_style style,
                          enum hd_table table, const char *text) {
    static const char digit[] = "0123456789abcdef";
    size_t length = strlen(text), used = 0;
    char *room = malloc(3 * length + 1);
    if (!room) return NULL;
    for (size_t i = 0; i < length; i++) {
        if (odd(style, text, i, length) ||
            (table == HD_TABLE_THREAD && odd_thread(text, i))) {
            room[used++] = '%';
            room[used++] = digit[(unsigned char)text[i] >> 4];
            room[used++] = digit[text[i] & 15];
        } else {
            room[used++] = text[i];
        }
    }
    const char *kept = hd_strings_keep(&t->strings, room, used);
    free(room);
    return kept;
}

void hd_text_encode(FILE *out, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if (odd(HD_TOKEN_TEXT, text, i, length)) {
            fprintf(out, "%%%02x", (unsigned char)text[i]);
        } else {
            putc_unlocked(text[i], out);
        }
    }
}

/* The best that is known to call it. */
static const char *name_of(const struct hd_trace *trace, enum hd_table table, uint32_t id,
                           char *buffer, size_t size) {
    switch (table) {
    case HD_TABLE_THREAD:
        return hd_trace_thread(trace, id);
    case HD_TABLE_VARIABLE:
        return hd_trace_variable_name(trace, id, buffer, size);
    case HD_TABLE_OBJECT:
        return hd_trace_object_name(trace, id, buffer, size);
    case HD_TABLE_SYNC:
        return hd_trace_sync_name(trace, id, buffer, size);
    case HD_TABLE_LABEL:
        return hd_trace_label_name(trace, id, buffer, size);
    case HD_TABLE_SITE:
        return hd_trace_site_name(trace, id, buffer, size);
    case HD_TABLE_REGISTER:
        return hd_trace_register(trace, id);
    case HD_TABLE_MODULE: {
        const char *path = hd_trace_module(trace, id)->path;
        if (path) return path;
        snprintf(buffer, size, "module#%u", id);
        return buffer;
    }
    case HD_TABLE_COUNT:
        break;
    }
    return "?";
}

/* Enters a word that no other entry of the table has. */
static int enter(struct hd_tokens *t, enum hd_table table, uint32_t id,
                 const char *name) {
    bool added;
    uint32_t got =
        hd_names_add(&t->names[table], &t->strings, name, strlen(name), &added);
    if (got == UINT32_MAX || added) return got == UINT32_MAX ? -1 : 0;
    char *longer;
    if (asprintf(&longer, "%s~%u", name, id) < 0) return -1;
    int rc = enter(t, table, id, longer);
    free(longer);
    return rc;
}

int hd_tokens_make(struct hd_tokens *t, const struct hd_trace *trace,
                   enum hd_token_style style, struct hd_error *err) {
    memset(t, 0, sizeof *t);
    const uint32_t count[HD_TABLE_COUNT] = {
        [HD_TABLE_THREAD] = hd_trace_threads(trace),
        [HD_TABLE_VARIABLE] = hd_trace_variables(trace),
        [HD_TABLE_OBJECT] = hd_trace_objects(trace),
        [HD_TABLE_SYNC] = hd_trace_syncs(trace),
        [HD_TABLE_LABEL] = hd_trace_labels(trace),
        [HD_TABLE_SITE] = hd_trace_sites(trace),
        [HD_TABLE_MODULE] = hd_trace_modules(trace),
        [HD_TABLE_REGISTER] = hd_trace_registers(trace),
    };
    for (int table = 1; table < HD_TABLE_COUNT; table++) {
        t->word[table] = calloc(count[table] + 1ull, sizeof *t->word[table]);
        if (!t->word[table]) goto memory;
        for (uint32_t id = 0; id < count[table]; id++) {
            char buffer[4096];
            const char *name = name_of(trace, table, id, buffer, sizeof buffer);
            if (enter(t, table, id, name) < 0) goto memory;
            t->word[table][id] = encode(t, style, table, t->names[table].name[id]);
            if (!t->word[table][id]) goto memory;
        }
    }
    return 0;

memory:
    hd_fail_system(err, ENOMEM, "no room for the names of the trace");
    hd_tokens_free(t);
    return -1;
}

void hd_tokens_free(struct hd_tokens *t) {
    for (int table = 0; table < HD_TABLE_COUNT; table++) {
        hd_names_free(&t->names[table]);
        free(t->word[table]);
    }
    hd_strings_free(&t->strings);
    memset(t, 0, sizeof *t);
}
