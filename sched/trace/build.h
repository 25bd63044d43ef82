/* build.h - a trace made from names: what the text and std readers share.
 *
 * Each table maps a word (the token of the file) to an id in order of first
 * appearance; events go to the writer at once, the tables when all is read. A
 * token is also the entry's name unless a definition says otherwise. */
#ifndef HD_BUILD_H
#define HD_BUILD_H

#include "format.h"
#include "lines.h"
#include "names.h"
#include "trace.h"

struct hd_build {
    struct hd_lines *lines; /* for messages and scratch space */
    struct hd_trace_writer *writer;
    struct hd_strings strings;
    struct hd_names names[HD_TABLE_COUNT];
    uint32_t room[HD_TABLE_COUNT];

    const char **threads; /* each entry by id */
    struct hd_variable *variables;
    struct hd_object *objects;
    struct hd_sync *syncs;
    struct hd_label *labels;
    struct hd_site *sites;
    struct hd_module *modules;
    const char **registers;
    uint32_t *episodes; /* by sync: the next of a barrier */
    uint64_t events;
    bool object_is_told; /* the next new variable needs no object of its own */
};

int hd_build_open(struct hd_build *build, struct hd_lines *lines, int out,
                  struct hd_error *err); /* takes over `out` */
/* Writes the tables and closes; with `rc` < 0 only cleans up. Returns the
 * final verdict. */
int hd_build_close(struct hd_build *build, int rc, struct hd_error *err);

/* The id of a token (still percent-encoded), made on first sight; HD_NO_ID and
 * err filled when it is impossible. */
uint32_t hd_build_id(struct hd_build *build, enum hd_table table, struct hd_word token,
                     struct hd_error *err);

int hd_build_event(struct hd_build *build, const struct hd_event *event,
                   struct hd_error *err);

/* The table that an operand's ids are of, or 0. */
enum hd_table hd_operand_table(enum hd_operand operand);

#endif
