/* tables.c - from definition records to the tables that give ids their meaning.
 *
 * Rule (1) of trace.h: an entry may be defined more than once. A later record
 * replaces the numbers of an earlier one and those of its strings that are not
 * empty. */
#include "tables.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct shape {
    const char *noun;
    uint32_t fixed, strings;
} shapes[HD_TABLE_COUNT] = {
    [HD_TABLE_THREAD] = {"thread", 0, 1},
    [HD_TABLE_VARIABLE] = {"variable", sizeof(struct hd_variable_record), 1},
    [HD_TABLE_OBJECT] = {"object", sizeof(struct hd_object_record), 1},
    [HD_TABLE_SYNC] = {"sync", sizeof(struct hd_sync_record), 1},
    [HD_TABLE_LABEL] = {"label", sizeof(struct hd_label_record), 1},
    [HD_TABLE_SITE] = {"site", sizeof(struct hd_site_record), 2},
    [HD_TABLE_MODULE] = {"module", 0, 2},
    [HD_TABLE_REGISTER] = {"register", 0, 1},
};

void hd_fail_byte(struct hd_error *err, const char *path, uint64_t offset,
                  const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hd_fail(err, offset, "%s: byte %llu: %s", path, (unsigned long long)offset, text);
}

void hd_tables_init(struct hd_tables *tables) {
    memset(tables, 0, sizeof *tables);
    tables->last = &tables->first;
}

void hd_tables_free(struct hd_tables *tables) {
    while (tables->first) {
        struct hd_payload *payload = tables->first;
        tables->first = payload->next;
        free(payload);
    }
    free(tables->threads);
    free(tables->variables);
    free(tables->objects);
    free(tables->syncs);
    free(tables->labels);
    free(tables->sites);
    free(tables->modules);
    free(tables->registers);
    free(tables->made_up);
    free(tables->granule_list);
    free(tables->granule_variable);
    free(tables->granule_first);
    free(tables->granule_count);
}

int hd_tables_take(struct hd_tables *tables, const char *path, struct hd_payload *payload,
                   uint64_t records, struct hd_error *err) {
    uint64_t at = 0, seen = 0, records_of[HD_TABLE_COUNT] = {0};
    while (at < payload->bytes) {
        uint64_t offset = payload->offset + at;
        const struct hd_record *record = (const void *)(payload->data + at);
        if (payload->bytes - at < sizeof *record) {
            HD_FAIL_BYTE(err, path, offset, "a definition is cut short");
            goto fail;
        }
        if (record->table == 0 || record->table >= HD_TABLE_COUNT) {
            HD_FAIL_BYTE(err, path, offset, "table %u, expected 1 to %u", record->table,
                         HD_TABLE_COUNT - 1);
            goto fail;
        }
        const struct shape *shape = &shapes[record->table];
        uint64_t left = payload->bytes - at - sizeof *record;
        if (record->bytes > left || record->bytes < shape->fixed + shape->strings) {
            HD_FAIL_BYTE(err, path, offset,
                         "definition of %s %u has %u bytes, expected at least %u and at "
                         "most the %llu that are left in the chunk",
                         shape->noun, record->id, record->bytes,
                         shape->fixed + shape->strings, (unsigned long long)left);
            goto fail;
        }
        const unsigned char *string = (const unsigned char *)(record + 1) + shape->fixed;
        const unsigned char *end = (const unsigned char *)(record + 1) + record->bytes;
        for (uint32_t i = 0; i < shape->strings; i++) {
            const unsigned char *zero =
                string < end ? memchr(string, 0, (size_t)(end - string)) : NULL;
            if (!zero || zero - string > HD_NAME_MOST) {
                HD_FAIL_BYTE(
                    err, path, offset,
                    "definition of %s %u: expected %u strings ended by a zero, of "
                    "at most %u bytes",
                    shape->noun, record->id, shape->strings, HD_NAME_MOST);
                goto fail;
            }
            string = zero + 1;
        }
        records_of[record->table]++;
        seen++;
        uint64_t step = sizeof *record + hd_format_padded(record->bytes);
        at = step > payload->bytes - at ? payload->bytes : at + step;
    }
    if (seen != records) {
        HD_FAIL_BYTE(err, path, payload->offset, "%llu definitions, expected %llu",
                     (unsigned long long)seen, (unsigned long long)records);
        goto fail;
    }
    for (int i = 0; i < HD_TABLE_COUNT; i++)
        tables->records[i] += records_of[i];
    payload->next = NULL;
    *tables->last = payload;
    tables->last = &payload->next;
    return 0;

fail:
    free(payload);
    return -1;
}

static void replace(const char **name, const char *by) {
    if (*by) *name = by;
}

/* Puts one record, whose shape is known to be right, in its place. */
static int place(struct hd_tables *t, const char *path, uint64_t offset,
                 const struct hd_record *record, struct hd_error *err) {
    const void *fixed = record + 1;
    const char *string = (const char *)fixed + shapes[record->table].fixed;
    uint32_t id = record->id;
    switch ((enum hd_table)record->table) {
    case HD_TABLE_THREAD:
        replace(&t->threads[id], string);
        break;
    case HD_TABLE_REGISTER:
        replace(&t->registers[id], string);
        break;
    case HD_TABLE_VARIABLE: {
        const struct hd_variable_record *r = fixed;
        struct hd_variable *v = &t->variables[id];
        v->object = r->object;
        v->size = r->size;
        v->offset = r->offset;
        if (r->offset > UINT64_MAX - r->size - 1) {
            HD_FAIL_BYTE(err, path, offset, "variable %u ends beyond its address space",
                         id);
            return -1;
        }
        replace(&v->name, string);
        break;
    }
    case HD_TABLE_OBJECT: {
        const struct hd_object_record *r = fixed;
        struct hd_object *o = &t->objects[id];
        if (r->kind >= HD_OBJECT_KIND_COUNT || r->owner >= HD_THREADS_MOST) {
            HD_FAIL_BYTE(err, path, offset, "object %u has kind %u and owner %u", id,
                         r->kind, r->owner);
            return -1;
        }
        o->kind = (uint8_t)r->kind;
        o->owner = (uint16_t)r->owner;
        o->nth = r->nth;
        o->site = r->site;
        o->size = r->size;
        o->module = r->module;
        o->address = r->address;
        replace(&o->name, string);
        break;
    }
    case HD_TABLE_SYNC: {
        const struct hd_sync_record *r = fixed;
        struct hd_sync *s = &t->syncs[id];
        if (r->kind >= HD_SYNC_KIND_COUNT) {
            HD_FAIL_BYTE(err, path, offset, "sync %u has kind %u", id, r->kind);
            return -1;
        }
        s->kind = (uint8_t)r->kind;
        s->object = r->object;
        s->offset = r->offset;
        s->initial = r->initial;
        replace(&s->name, string);
        break;
    }
    case HD_TABLE_LABEL: {
        const struct hd_label_record *r = fixed;
        struct hd_label *l = &t->labels[id];
        if (r->flags & ~(uint32_t)(HD_LABEL_STATIC | HD_LABEL_ENTRY)) {
            HD_FAIL_BYTE(err, path, offset, "label %u has flags %u", id, r->flags);
            return -1;
        }
        l->flags = (uint8_t)r->flags;
        l->site = r->site;
        replace(&l->name, string);
        break;
    }
    case HD_TABLE_SITE: {
        const struct hd_site_record *r = fixed;
        struct hd_site *s = &t->sites[id];
        if (r->line) s->line = r->line;
        s->module = r->module;
        s->address = r->address;
        replace(&s->function, string);
        replace(&s->file, string + strlen(string) + 1);
        break;
    }
    case HD_TABLE_MODULE: {
        struct hd_module *m = &t->modules[id];
        replace(&m->path, string);
        replace(&m->build_id, string + strlen(string) + 1);
        break;
    }
    case HD_TABLE_COUNT:
        break;
    }
    return 0;
}

/* What one entry says of another must be there too. */
static int check_references(const struct hd_tables *t, const char *path,
                            struct hd_error *err) {
    const uint32_t *count = t->count;
    /* An id that may be missing: adding 1 turns HD_NO_ID into 0. */
#define MISSING(id, table) ((uint32_t)((id) + 1) > count[table])
    for (uint32_t i = 0; i < count[HD_TABLE_VARIABLE]; i++) {
        if (t->variables[i].object >= count[HD_TABLE_OBJECT]) {
            hd_fail(err, 0, "%s: variable %u is of object %u, there are %u", path, i,
                    t->variables[i].object, count[HD_TABLE_OBJECT]);
            return -1;
        }
    }
    for (uint32_t i = 0; i < count[HD_TABLE_OBJECT]; i++) {
        const struct hd_object *o = &t->objects[i];
        if (MISSING(o->site, HD_TABLE_SITE) || MISSING(o->module, HD_TABLE_MODULE) ||
            (o->owner && o->owner >= count[HD_TABLE_THREAD])) {
            hd_fail(err, 0,
                    "%s: object %u names a site, module or thread that is not there",
                    path, i);
            return -1;
        }
    }
    for (uint32_t i = 0; i < count[HD_TABLE_SYNC]; i++) {
        if (MISSING(t->syncs[i].object, HD_TABLE_OBJECT)) {
            hd_fail(err, 0, "%s: sync %u names an object that is not there", path, i);
            return -1;
        }
    }
    for (uint32_t i = 0; i < count[HD_TABLE_LABEL]; i++) {
        if (MISSING(t->labels[i].site, HD_TABLE_SITE)) {
            hd_fail(err, 0, "%s: label %u names a site that is not there", path, i);
            return -1;
        }
    }
    for (uint32_t i = 0; i < count[HD_TABLE_SITE]; i++) {
        if (MISSING(t->sites[i].module, HD_TABLE_MODULE)) {
            hd_fail(err, 0, "%s: site %u names a module that is not there", path, i);
            return -1;
        }
    }
#undef MISSING
    return 0;
}

/* Threads and registers always have a name to show. */
static int make_up_names(struct hd_tables *t) {
    enum { ROOM = 12 };
    size_t missing = 0;
    for (uint32_t i = 0; i < t->count[HD_TABLE_THREAD]; i++)
        missing += !t->threads[i];
    for (uint32_t i = 0; i < t->count[HD_TABLE_REGISTER]; i++)
        missing += !t->registers[i];
    if (!missing) return 0;
    char *at = t->made_up = malloc(missing * ROOM);
    if (!at) return -1;
    for (uint32_t i = 0; i < t->count[HD_TABLE_THREAD]; i++) {
        if (t->threads[i]) continue;
        snprintf(at, ROOM, "T%u", i);
        t->threads[i] = at;
        at += ROOM;
    }
    for (uint32_t i = 0; i < t->count[HD_TABLE_REGISTER]; i++) {
        if (t->registers[i]) continue;
        snprintf(at, ROOM, "r%u", i);
        t->registers[i] = at;
        at += ROOM;
    }
    return 0;
}

int hd_tables_build(struct hd_tables *t, const char *path, struct hd_error *err) {
    int rc = -1;
    unsigned char *defined[HD_TABLE_COUNT] = {0};
#define MAKE(array, table)                                                               \
    t->array = calloc(t->records[table] + 1, sizeof *t->array);                          \
    defined[table] = calloc(t->records[table] + 1, 1);                                   \
    if (!t->array || !defined[table]) goto memory
    MAKE(threads, HD_TABLE_THREAD);
    MAKE(variables, HD_TABLE_VARIABLE);
    MAKE(objects, HD_TABLE_OBJECT);
    MAKE(syncs, HD_TABLE_SYNC);
    MAKE(labels, HD_TABLE_LABEL);
    MAKE(sites, HD_TABLE_SITE);
    MAKE(modules, HD_TABLE_MODULE);
    MAKE(registers, HD_TABLE_REGISTER);
#undef MAKE

    for (const struct hd_payload *p = t->first; p; p = p->next) {
        for (uint64_t at = 0; at < p->bytes;) {
            const struct hd_record *record = (const void *)(p->data + at);
            uint64_t most = t->records[record->table];
            if (record->table == HD_TABLE_THREAD && most > HD_THREADS_MOST) {
                most = HD_THREADS_MOST;
            }
            if (record->id >= most) {
                HD_FAIL_BYTE(err, path, p->offset + at,
                             "%s %u, but ids are dense and only %llu are defined",
                             shapes[record->table].noun, record->id,
                             (unsigned long long)most);
                goto out;
            }
            if (place(t, path, p->offset + at, record, err) < 0) goto out;
            defined[record->table][record->id] = 1;
            if (record->id >= t->count[record->table]) {
                t->count[record->table] = record->id + 1;
            }
            at += sizeof *record + hd_format_padded(record->bytes);
        }
    }
    for (int table = 1; table < HD_TABLE_COUNT; table++) {
        const unsigned char *hole = memchr(defined[table], 0, t->count[table]);
        if (hole) {
            hd_fail(err, 0, "%s: %s %u is not defined, but %u is", path,
                    shapes[table].noun, (unsigned)(hole - defined[table]),
                    t->count[table] - 1);
            goto out;
        }
    }
    if (check_references(t, path, err) < 0) goto out;
    if (make_up_names(t) < 0) goto memory;
    rc = 0;
    goto out;

memory:
    hd_fail(err, 0, "%s: out of memory for its tables", path);
out:
    for (int table = 0; table < HD_TABLE_COUNT; table++)
        free(defined[table]);
    return rc;
}
