/* build.c - names to ids, ids to a binary trace. */
#include "build.h"
#include "tokens.h"
#include "writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum hd_table hd_operand_table(enum hd_operand operand) {
    switch (operand) {
    case HD_OPERAND_VARIABLE:
        return HD_TABLE_VARIABLE;
    case HD_OPERAND_SYNC:
        return HD_TABLE_SYNC;
    case HD_OPERAND_THREAD:
        return HD_TABLE_THREAD;
    case HD_OPERAND_OBJECT:
        return HD_TABLE_OBJECT;
    case HD_OPERAND_LABEL:
        return HD_TABLE_LABEL;
    case HD_OPERAND_REGISTER:
        return HD_TABLE_REGISTER;
    default:
        return 0;
    }
}

int hd_build_open(struct hd_build *b, struct hd_lines *lines, int out,
                  struct hd_error *err) {
    memset(b, 0, sizeof *b);
    b->lines = lines;
    b->writer = hd_writer_open_fd(out, "a temporary file", err);
    return b->writer ? 0 : -1;
}

static int write_tables(struct hd_build *b) {
    struct hd_trace_writer *w = b->writer;
    int rc = 0;
#define EACH(table, call)                                                                \
    for (uint32_t i = 0; i < b->names[table].count; i++)                                 \
    rc |= call
    EACH(HD_TABLE_THREAD, hd_writer_thread(w, i, b->threads[i]));
    EACH(HD_TABLE_MODULE, hd_writer_module(w, i, &b->modules[i]));
    EACH(HD_TABLE_SITE, hd_writer_site(w, i, &b->sites[i]));
    EACH(HD_TABLE_OBJECT, hd_writer_object(w, i, &b->objects[i]));
    EACH(HD_TABLE_VARIABLE, hd_writer_variable(w, i, &b->variables[i]));
    EACH(HD_TABLE_SYNC, hd_writer_sync(w, i, &b->syncs[i]));
    EACH(HD_TABLE_LABEL, hd_writer_label(w, i, &b->labels[i]));
    EACH(HD_TABLE_REGISTER, hd_writer_register(w, i, b->registers[i]));
#undef EACH
    return rc;
}

int hd_build_close(struct hd_build *b, int rc, struct hd_error *err) {
    if (rc == 0 && write_tables(b) < 0) rc = -1; /* told by the close */
    if (hd_writer_close(b->writer, err) < 0) rc = -1;
    hd_strings_free(&b->strings);
    for (int table = 0; table < HD_TABLE_COUNT; table++)
        hd_names_free(&b->names[table]);
    free(b->threads);
    free(b->variables);
    free(b->objects);
    free(b->syncs);
    free(b->episodes);
    free(b->labels);
    free(b->sites);
    free(b->modules);
    free(b->registers);
    return rc;
}

/* Room for entry `id` of a table, which is its next one. */
static bool make_room(struct hd_build *b, enum hd_table table, uint32_t id) {
    if (id < b->room[table]) return true;
    uint32_t room = b->room[table] ? 2 * b->room[table] : 16;
#define GROW(array)                                                                      \
    do {                                                                                 \
        void *more = realloc(b->array, room * sizeof *b->array);                         \
        if (!more) return false;                                                         \
        b->array = more;                                                                 \
    } while (0)
    switch (table) {
    case HD_TABLE_THREAD:
        GROW(threads);
        break;
    case HD_TABLE_VARIABLE:
        GROW(variables);
        break;
    case HD_TABLE_OBJECT:
        GROW(objects);
        break;
    case HD_TABLE_SYNC:
        GROW(syncs);
        GROW(episodes);
        break;
    case HD_TABLE_LABEL:
        GROW(labels);
        break;
    case HD_TABLE_SITE:
        GROW(sites);
        break;
    case HD_TABLE_MODULE:
        GROW(modules);
        break;
    case HD_TABLE_REGISTER:
        GROW(registers);
        break;
    case HD_TABLE_COUNT:
        break;
    }
#undef GROW
    b->room[table] = room;
    return true;
}

/* `bank.c:19` is a file and a line, anything else a file alone. */
static struct hd_site site_of(struct hd_build *b, const char *name, size_t length) {
    struct hd_site site = {.file = name, .module = HD_NO_ID};
    size_t file = hd_site_split(name, length, &site.line);
    if (file < length) site.file = hd_strings_keep(&b->strings, name, file);
    return site;
}

/* What a plain text says of a name by using it. */
static bool fill_entry(struct hd_build *b, enum hd_table table, uint32_t id,
                       struct hd_error *err) {
    const char *name = b->names[table].name[id];
    struct hd_word token = {name, b->names[table].length[id]};
    switch (table) {
    case HD_TABLE_THREAD:
        b->threads[id] = name;
        break;
    case HD_TABLE_REGISTER:
        b->registers[id] = name;
        break;
    case HD_TABLE_MODULE:
        b->modules[id] = (struct hd_module){.path = name};
        break;
    case HD_TABLE_OBJECT:
        b->objects[id] =
            (struct hd_object){.site = HD_NO_ID, .module = HD_NO_ID, .name = name};
        break;
    case HD_TABLE_VARIABLE: {
        b->variables[id] = (struct hd_variable){.size = 1, .name = name};
        if (b->object_is_told) break;
        bool added;
        uint32_t object = hd_names_add(&b->names[HD_TABLE_OBJECT], &b->strings, token.at,
                                       token.length, &added);
        if (object == HD_NO_ID) return false;
        if (added && (!make_room(b, HD_TABLE_OBJECT, object) ||
                      !fill_entry(b, HD_TABLE_OBJECT, object, err))) {
            return false;
        }
        b->variables[id].object = object;
        break;
    }
    case HD_TABLE_SYNC:
        b->syncs[id] = (struct hd_sync){.object = HD_NO_ID, .name = name};
        b->episodes[id] = 0;
        break;
    case HD_TABLE_LABEL:
        b->labels[id] = (struct hd_label){.name = name, .site = HD_NO_ID};
        break;
    case HD_TABLE_SITE:
        b->sites[id] = site_of(b, name, token.length);
        return b->sites[id].file;
    case HD_TABLE_COUNT:
        break;
    }
    return true;
}

uint32_t hd_build_id(struct hd_build *b, enum hd_table table, struct hd_word token,
                     struct hd_error *err) {
    struct hd_word shown = token;
    if (!token.length || !hd_word_decode(b->lines, &token)) {
        hd_lines_fail(b->lines, err, "`%.*s` is no name: %s", HD_WORD_SHOWN(shown),
                      token.length ? "it holds a zero byte" : "it is empty");
        return HD_NO_ID;
    }
    if (token.length > HD_NAME_MOST) {
        hd_lines_fail(b->lines, err, "`%.*s...`: a name of more than %u bytes",
                      HD_WORD_SHOWN(shown), HD_NAME_MOST);
        return HD_NO_ID;
    }
    bool added;
    uint32_t id =
        hd_names_add(&b->names[table], &b->strings, token.at, token.length, &added);
    if (id != HD_NO_ID && !added) return id;
    if (table == HD_TABLE_THREAD && id == HD_THREADS_MOST) {
        hd_lines_fail(b->lines, err,
                      "thread `%.*s`: there are %u already, more cannot be",
                      HD_WORD_SHOWN(shown), HD_THREADS_MOST);
        return HD_NO_ID;
    }
    if (id == HD_NO_ID || !make_room(b, table, id) || !fill_entry(b, table, id, err)) {
        hd_fail_system(err, ENOMEM, "%s", b->lines->path);
        return HD_NO_ID;
    }
    return id;
}

int hd_build_event(struct hd_build *b, const struct hd_event *event,
                   struct hd_error *err) {
    b->events++;
    /* A failed write is told by the close, with its reason. */
    return hd_writer_event(b->writer, event);
}
