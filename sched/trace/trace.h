/* trace.h - what happened, in order, and what the ids in it mean.
 *
 * A trace is a stream of events and a set of tables. A binary trace file is a
 * header followed by chunks; a chunk holds events or definitions. Definitions
 * may stand anywhere, before or after the events that use them, so a recorder
 * can write as it goes and a later pass can append names. A reader first hops
 * over the chunk headers and loads all definitions; then it hands out the
 * events chunk by chunk, straight from the mapped file: a trace larger than
 * memory is read in constant memory.
 *
 * Rules:
 *   (1) Ids of each table are dense from 0. A table entry may be defined more
 *       than once: later definitions fill in what earlier ones left empty or
 *       replace it (that is how names are added).
 *   (2) Variables are byte ranges of objects: (object, offset, size). Two
 *       variables may overlap. The reader cuts all ranges of an object at each
 *       other's ends; the pieces are granules, numbered densely. Accesses
 *       conflict iff they share a granule. Almost every variable is one granule.
 *   (3) The reader has checked every id in an event before handing it out.
 *   (4) A text trace has no ranges: each name is a variable, an object and a
 *       granule of its own. `alloc x` names the object of variable x. */
#ifndef HD_TRACE_H
#define HD_TRACE_H

#include "error.h"
#include "event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum hd_object_kind {
    HD_OBJECT_UNKNOWN, /* a text trace's; escaped unless an `alloc` names it */
    HD_OBJECT_GLOBAL,  /* static storage: escaped from the start */
    HD_OBJECT_HEAP,
    HD_OBJECT_STACK,
    HD_OBJECT_TLS,
    HD_OBJECT_PSEUDO,  /* hidden state of a library: a stream, rand, the clock */
    HD_OBJECT_FRAME,   /* a call whose locals others got at: has no variables, see below */
    HD_OBJECT_FRAME_ARRAY, /* memory of such a call by a pointer of it: likewise */
    HD_OBJECT_KIND_COUNT
};

/* A FRAME is of the stack of `owner`; `site` is in the function, `nth` says how many
 * calls of it are around this one. `address` is the offset in the stack, and `size`
 * the distance from there to where the frame pointer pointed: the stack and frame
 * pointers of the call at its entry.
 * A FRAME_ARRAY is an array of variable size or alloca's: the pointer to it lies at
 * offset `address` of the stack and points to offset `size`; `nth` is the FRAME. */
struct hd_object {
    uint8_t kind;
    uint16_t owner; /* thread that allocated it, or whose stack it is on */
    uint32_t nth;   /* how many allocations that thread had made before */
    uint32_t site;  /* where it was allocated, or HD_NO_ID */
    uint64_t size;
    uint32_t module; /* GLOBAL: which module and where in it, for names; else HD_NO_ID */
    uint64_t address; /* of a GLOBAL there; HEAP: a site in the allocating function's
                       * caller + 1, 0: not known */
    const char *name; /* NULL: not known */
    uint32_t each;    /* it is an array of scalars of so many bytes; 0: not known to be */
};

struct hd_variable {
    uint32_t object;
    uint32_t size;
    uint64_t offset;
    const char *name; /* NULL: not known; then it is made from the object's */
};

enum hd_sync_kind {
    HD_SYNC_UNKNOWN,
    HD_SYNC_MUTEX,
    HD_SYNC_RWLOCK,
    HD_SYNC_SPINLOCK,
    HD_SYNC_COND,
    HD_SYNC_BARRIER,
    HD_SYNC_SEM,
    HD_SYNC_ONCE,
    HD_SYNC_STREAM,
    HD_SYNC_FUTEX,
    HD_SYNC_KIND_COUNT
};

struct hd_sync {
    uint8_t kind;
    uint32_t object; /* where it lives, or HD_NO_ID */
    uint64_t offset;
    uint32_t initial; /* semaphore: count; barrier: participants */
    const char *name;
};

enum hd_label_flag {
    HD_LABEL_STATIC = 1, /* function with internal linkage */
    HD_LABEL_ENTRY = 2,  /* main, or ever passed as a thread's entry */
    HD_LABEL_SHORT = 4,  /* accesses in a call of it that repeat the caller's are not told */
};

struct hd_label {
    const char *name; /* NULL: not known */
    uint8_t flags;
    uint32_t site; /* a place inside the function, or HD_NO_ID */
};

struct hd_site {
    const char *function; /* NULL: not known */
    const char *file;
    uint32_t line;        /* 0: not known */
    uint32_t module;      /* HD_NO_ID: the trace did not come from a program of ours */
    uint64_t address;     /* relative to the module */
};

struct hd_module {
    const char *path;
    const char *build_id; /* hex, or NULL */
};

struct hd_trace;

/* ---- reading ---------------------------------------------------------- */

/* Open a trace of any form, told apart by content: binary, text or std. "-" is
 * standard input (spooled). NULL and `err` filled when it cannot be read; the
 * text names the file, the place and what was expected. */
struct hd_trace *hd_trace_open(const char *path, struct hd_error *err);
/* The same for a text trace in memory; `name` stands for the file in messages. */
struct hd_trace *hd_trace_parse(const char *text, const char *name, struct hd_error *err);
/* A file that is known to be std, whatever it looks like. */
struct hd_trace *hd_trace_open_std(const char *path, struct hd_error *err);
/* A binary trace that was cut short, as far as it is whole (a program died). */
struct hd_trace *hd_trace_open_partial(const char *path, struct hd_error *err);
void hd_trace_free(struct hd_trace *trace); /* NULL is fine */

/* The next run of events, or NULL at the end (count 0) or on error (err set).
 * Borrowed until the next call. */
const struct hd_event *hd_trace_next(struct hd_trace *trace, size_t *count,
                                     struct hd_error *err);
void hd_trace_rewind(struct hd_trace *trace);
uint64_t hd_trace_length(const struct hd_trace *trace); /* number of events */

/* Tables. Counts first; entries borrowed for the trace's life. */
uint32_t hd_trace_threads(const struct hd_trace *trace);
uint32_t hd_trace_variables(const struct hd_trace *trace);
uint32_t hd_trace_granules(const struct hd_trace *trace);
uint32_t hd_trace_objects(const struct hd_trace *trace);
uint32_t hd_trace_syncs(const struct hd_trace *trace);
uint32_t hd_trace_labels(const struct hd_trace *trace);
uint32_t hd_trace_sites(const struct hd_trace *trace);
uint32_t hd_trace_modules(const struct hd_trace *trace);
uint32_t hd_trace_registers(const struct hd_trace *trace);

const char *hd_trace_thread(const struct hd_trace *trace, uint32_t id); /* its name */
const struct hd_variable *hd_trace_variable(const struct hd_trace *trace, uint32_t id);
const struct hd_object *hd_trace_object(const struct hd_trace *trace, uint32_t id);
const struct hd_sync *hd_trace_sync(const struct hd_trace *trace, uint32_t id);
const struct hd_label *hd_trace_label(const struct hd_trace *trace, uint32_t id);
const struct hd_site *hd_trace_site(const struct hd_trace *trace, uint32_t id);
const struct hd_module *hd_trace_module(const struct hd_trace *trace, uint32_t id);
const char *hd_trace_register(const struct hd_trace *trace, uint32_t id);

/* The granules of a variable: an array of `count` ids, ascending. */
const uint32_t *hd_trace_variable_granules(const struct hd_trace *trace, uint32_t id,
                                           uint32_t *count);
/* The variable a granule is best called after (the smallest that covers it). */
uint32_t hd_trace_granule_variable(const struct hd_trace *trace, uint32_t granule);

/* A name to show, never NULL: written to `buffer` if the table has none. */
const char *hd_trace_variable_name(const struct hd_trace *trace, uint32_t id, char *buffer,
                                   size_t size);
const char *hd_trace_sync_name(const struct hd_trace *trace, uint32_t id, char *buffer,
                               size_t size);
const char *hd_trace_object_name(const struct hd_trace *trace, uint32_t id, char *buffer,
                                 size_t size);
const char *hd_trace_label_name(const struct hd_trace *trace, uint32_t id, char *buffer,
                                size_t size);
const char *hd_trace_site_name(const struct hd_trace *trace, uint32_t id, char *buffer,
                               size_t size); /* file:line, or what there is */

/* ---- writing ---------------------------------------------------------- */

struct hd_trace_writer;

/* Binary. Written to `path` at once; hd_writer_close makes it whole. */
struct hd_trace_writer *hd_writer_open(const char *path, struct hd_error *err);
int hd_writer_event(struct hd_trace_writer *writer, const struct hd_event *event);
int hd_writer_thread(struct hd_trace_writer *writer, uint32_t id, const char *name);
int hd_writer_variable(struct hd_trace_writer *writer, uint32_t id, const struct hd_variable *v);
int hd_writer_object(struct hd_trace_writer *writer, uint32_t id, const struct hd_object *o);
int hd_writer_sync(struct hd_trace_writer *writer, uint32_t id, const struct hd_sync *s);
int hd_writer_label(struct hd_trace_writer *writer, uint32_t id, const struct hd_label *l);
int hd_writer_site(struct hd_trace_writer *writer, uint32_t id, const struct hd_site *s);
int hd_writer_module(struct hd_trace_writer *writer, uint32_t id, const struct hd_module *m);
int hd_writer_register(struct hd_trace_writer *writer, uint32_t id, const char *name);
int hd_writer_close(struct hd_trace_writer *writer, struct hd_error *err); /* frees it */

/* Append definitions to a binary trace that is already complete (names). `trace`
 * is that trace as it was, for its tables alone; the caller frees it. */
struct hd_trace_writer *hd_writer_append(const char *path, struct hd_trace **trace,
                                         struct hd_error *err);

/* The other forms, whole trace at a time. */
int hd_trace_write_text(struct hd_trace *trace, FILE *out, struct hd_error *err);
int hd_trace_write_std(struct hd_trace *trace, FILE *out, struct hd_error *err);
int hd_trace_write_json(struct hd_trace *trace, FILE *out, struct hd_error *err);
int hd_trace_write_binary(struct hd_trace *trace, const char *path, struct hd_error *err);

#endif
