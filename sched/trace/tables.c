/* tables.c - from definition records to the tables that give ids their meaning.
 *
 * Rule (1) of trace.h: an entry may be defined more than once. A later record
 * replaces the numbers of an earlier one and those of its strings that are not
 * empty. */
#include "tables.h"

#include "decode.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const struct shape {
    const char *noun;
    uint8_t numbers, strings;
} shapes[HD_RECORD_ROW + 1] = {
    [HD_TABLE_THREAD] = {"thread", 0, 1},     [HD_TABLE_VARIABLE] = {"variable", 3, 1},
    [HD_TABLE_OBJECT] = {"object", 8, 1},     [HD_TABLE_SYNC] = {"sync", 4, 1},
    [HD_TABLE_LABEL] = {"label", 2, 1},       [HD_TABLE_SITE] = {"site", 3, 2},
    [HD_TABLE_MODULE] = {"module", 0, 2},     [HD_TABLE_REGISTER] = {"register", 0, 1},
    [HD_RECORD_ROW] = {"row of variables", 5, 0},
};

/* A record, its strings where they lie. */
struct record {
    uint32_t table, id;
    uint64_t number[HD_NUMBERS_MOST];
    const char *string[2];
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

/* The record at `at`; what follows it, or NULL and `wrong` filled. */
static const unsigned char *parse(const unsigned char *at, const unsigned char *end,
                                  struct record *record, struct hd_error *wrong) {
    record->table = *at++;
    if (record->table == 0 || record->table > HD_RECORD_ROW) {
        hd_fail(wrong, 0, "table %u, expected 1 to %u", record->table, HD_RECORD_ROW);
        return NULL;
    }
    const struct shape *shape = &shapes[record->table];
    uint64_t id = 0;
    at = hd_number_get(at, end, &id);
    for (unsigned i = 0; i < shape->numbers && at; i++)
        at = hd_number_get(at, end, &record->number[i]);
    if (!at || id > UINT32_MAX) {
        hd_fail(wrong, 0, "definition of a %s: expected an id and %u numbers", shape->noun,
                shape->numbers);
        return NULL;
    }
    record->id = (uint32_t)id;
    if (record->table == HD_RECORD_ROW && record->number[4] - 1 >= HD_ROW_MOST) {
        hd_fail(wrong, 0, "a row of %llu variables, expected 1 to %d",
                (unsigned long long)record->number[4], HD_ROW_MOST);
        return NULL;
    }
    for (unsigned i = 0; i < shape->strings; i++) {
        const unsigned char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        if (!zero || zero - at > HD_NAME_MOST) {
            hd_fail(wrong, 0,
                    "definition of %s %u: expected %u strings ended by a zero, of at "
                    "most %u bytes",
                    shape->noun, record->id, shape->strings, HD_NAME_MOST);
            return NULL;
        }
        record->string[i] = (const char *)at;
        at = zero + 1;
    }
    return at;
}

int hd_tables_take(struct hd_tables *tables, const char *path, struct hd_payload *payload,
                   uint64_t records, struct hd_error *err) {
    uint64_t seen = 0, records_of[HD_TABLE_COUNT] = {0};
    const unsigned char *end = payload->data + payload->bytes;
    struct hd_error wrong = {0};
    for (const unsigned char *at = payload->data, *next; at < end; at = next) {
        struct record record;
        next = parse(at, end, &record, &wrong);
        if (!next) {
            HD_FAIL_BYTE(err, path, payload->offset + (uint64_t)(at - payload->data), "%s",
                         wrong.text);
            goto fail;
        }
        if (record.table == HD_RECORD_ROW) records_of[HD_TABLE_VARIABLE] += record.number[4];
        else records_of[record.table]++;
        seen++;
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

/* Are these numbers of the record ids or the like, of 32 bits? */
static bool narrow(const struct record *record, unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; i++) {
        if (record->number[i] > UINT32_MAX) return false;
    }
    return true;
}

/* Puts one record, whose shape is known to be right, in its place. False: it says
 * what cannot be. */
static bool place(struct hd_tables *t, const struct record *record) {
    const uint64_t *number = record->number;
    const char *string = record->string[0];
    uint32_t id = record->id;
    switch ((enum hd_table)record->table) {
    case HD_TABLE_THREAD:
        replace(&t->threads[id], string);
        break;
    case HD_TABLE_REGISTER:
        replace(&t->registers[id], string);
        break;
    case HD_TABLE_VARIABLE: {
        struct hd_variable *v = &t->variables[id];
        if (!narrow(record, 0, 2) || number[2] > UINT64_MAX - number[1] - 1) return false;
        v->object = (uint32_t)number[0];
        v->size = (uint32_t)number[1];
        v->offset = number[2];
        replace(&v->name, string);
        break;
    }
    case HD_TABLE_OBJECT: {
        struct hd_object *o = &t->objects[id];
        if (number[0] >= HD_OBJECT_KIND_COUNT || number[1] >= HD_THREADS_MOST ||
            !narrow(record, 2, 3) || !narrow(record, 7, 1)) {
            return false;
        }
        o->kind = (uint8_t)number[0];
        o->owner = (uint16_t)number[1];
        o->nth = (uint32_t)number[2];
        o->site = (uint32_t)number[3];
        o->module = (uint32_t)number[4];
        o->size = number[5];
        o->address = number[6];
        o->each = (uint32_t)number[7];
        replace(&o->name, string);
        break;
    }
    case HD_TABLE_SYNC: {
        struct hd_sync *s = &t->syncs[id];
        if (number[0] >= HD_SYNC_KIND_COUNT || !narrow(record, 1, 2)) return false;
        s->kind = (uint8_t)number[0];
        s->object = (uint32_t)number[1];
        s->initial = (uint32_t)number[2];
        s->offset = number[3];
        replace(&s->name, string);
        break;
    }
    case HD_TABLE_LABEL: {
        struct hd_label *l = &t->labels[id];
        if (number[0] & ~(uint64_t)(HD_LABEL_STATIC | HD_LABEL_ENTRY | HD_LABEL_SHORT)) {
            return false;
        }
        if (!narrow(record, 1, 1)) return false;
        l->flags = (uint8_t)number[0];
        l->site = (uint32_t)number[1];
        replace(&l->name, string);
        break;
    }
    case HD_TABLE_SITE: {
        struct hd_site *s = &t->sites[id];
        if (!narrow(record, 0, 2)) return false;
        s->module = (uint32_t)number[0];
        if (number[1]) s->line = (uint32_t)number[1];
        s->address = number[2];
        replace(&s->function, string);
        replace(&s->file, record->string[1]);
        break;
    }
    case HD_TABLE_MODULE: {
        struct hd_module *m = &t->modules[id];
        replace(&m->path, string);
        replace(&m->build_id, record->string[1]);
        break;
    }
    case HD_TABLE_COUNT:
        break;
    }
    return true;
}

/* The same for the nth variable of a row. */
static bool place_in_row(struct hd_tables *t, const struct record *row, uint64_t nth) {
    uint64_t step = row->number[3] >> 1 ^ -(row->number[3] & 1);
    struct record one = {.table = HD_TABLE_VARIABLE,
                         .id = row->id + (uint32_t)nth,
                         .number = {row->number[0], row->number[1], row->number[2] + nth * step},
                         .string = {""}};
    return place(t, &one);
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

/* Zeroed. Millions of entries get large pages if the kernel has them to spare: they are
 * filled once, from end to end, and a fault for each small page would cost more. */
static void *entries(uint64_t count, size_t size) {
    const uintptr_t large = 2UL << 20;
    char *at = calloc(count + 1, size);
    uintptr_t low = ((uintptr_t)at + large - 1) & ~(large - 1);
    uintptr_t high = ((uintptr_t)at + (count + 1) * size) & ~(large - 1);
    if (at && high > low) madvise((void *)low, high - low, MADV_HUGEPAGE);
    return at;
}

int hd_tables_build(struct hd_tables *t, const char *path, struct hd_error *err) {
    int rc = -1;
    unsigned char *defined[HD_TABLE_COUNT] = {0};
#define MAKE(array, table)                                                               \
    t->array = entries(t->records[table], sizeof *t->array);                             \
    defined[table] = entries(t->records[table], 1);                                      \
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
        const unsigned char *end = p->data + p->bytes;
        for (const unsigned char *at = p->data, *next; at < end; at = next) {
            struct record record;
            next = parse(at, end, &record, NULL);
            bool row = record.table == HD_RECORD_ROW;
            unsigned table = row ? HD_TABLE_VARIABLE : record.table;
            uint64_t most = t->records[table], many = row ? record.number[4] : 1;
            if (table == HD_TABLE_THREAD && most > HD_THREADS_MOST) most = HD_THREADS_MOST;
            const char *noun = shapes[table].noun;
            uint64_t offset = p->offset + (uint64_t)(at - p->data);
            if (record.id >= most || many > most - record.id) {
                HD_FAIL_BYTE(err, path, offset,
                             "%s %u, but ids are dense and only %llu are defined", noun,
                             record.id, (unsigned long long)most);
                goto out;
            }
            for (uint64_t i = 0; i < many; i++) {
                if (row ? place_in_row(t, &record, i) : place(t, &record)) continue;
                HD_FAIL_BYTE(err, path, offset, "%s %u has numbers that cannot be", noun,
                             record.id + (unsigned)i);
                goto out;
            }
            memset(defined[table] + record.id, 1, many);
            if (record.id + many > t->count[table]) t->count[table] = record.id + (uint32_t)many;
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
