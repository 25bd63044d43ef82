/* tables.h - the tables of a trace while it is being read.
 *
 * Loaded in two steps, so that nothing in a file decides how much is allocated:
 * take() checks the shape of a chunk's records and counts them per table;
 * build() makes room for exactly as many entries as there were records (ids are
 * dense, so a larger id is an error) and fills it. Strings stay where they are,
 * in the payloads, which the tables own. */
#ifndef HD_TABLES_H
#define HD_TABLES_H

#include "format.h"
#include "trace.h"

/* A failure in a binary file: always with the file's name and the place. */
#define HD_FAIL_BYTE(err, path, offset, ...)                                             \
    hd_fail_byte(err, path, (uint64_t)(offset), __VA_ARGS__)
void hd_fail_byte(struct hd_error *err, const char *path, uint64_t offset,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

struct hd_payload { /* of a definition chunk */
    struct hd_payload *next;
    uint64_t offset; /* in the file, for messages */
    uint64_t bytes;
    unsigned char data[];
};

struct hd_tables {
    struct hd_payload *first, **last;
    uint64_t records[HD_TABLE_COUNT];
    uint32_t count[HD_TABLE_COUNT];

    const char **threads;
    struct hd_variable *variables;
    struct hd_object *objects;
    struct hd_sync *syncs;
    struct hd_label *labels;
    struct hd_site *sites;
    struct hd_module *modules;
    const char **registers;
    char *made_up; /* names of threads and registers that the file left empty */

    /* Granules of one object are numbered in the order of their offsets, so
     * those of a variable are a range and all variables share one list. */
    uint32_t granules;
    uint32_t *granule_list;     /* 0, 1, 2, ... */
    uint32_t *granule_variable; /* by granule */
    uint32_t *granule_first;    /* by variable */
    uint32_t *granule_count;    /* by variable */
};

void hd_tables_init(struct hd_tables *tables);
void hd_tables_free(struct hd_tables *tables);

/* Takes over the payload, also on failure. */
int hd_tables_take(struct hd_tables *tables, const char *path, struct hd_payload *payload,
                   uint64_t records, struct hd_error *err);
int hd_tables_build(struct hd_tables *tables, const char *path, struct hd_error *err);
int hd_tables_cut(struct hd_tables *tables, struct hd_error *err); /* granules.c */

#endif
