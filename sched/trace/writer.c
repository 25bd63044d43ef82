/* writer.c - a binary trace, chunk by chunk.
 *
 * Events and definitions are gathered in a buffer each and written as a chunk
 * when it is full; nothing is ever written twice, so the file may be a pipe.
 * A failed write is remembered and told by hd_writer_close; until then the
 * calls return -1. */
#include "writer.h"

#include "coding.h"
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EVENTS_BYTES = 1 << 18,
    DEFINITIONS_BYTES = 1 << 18, /* more than any one record has */
};

struct hd_trace_writer {
    int fd;
    char *name;
    int cause;       /* errno of the first write that failed */
    bool names_only; /* appending: the events are there already */
    uint64_t total;
    struct hd_coder coder;
    unsigned char *events; /* as they go to the file; room for a chunk header first */
    unsigned char *definitions; /* room for a chunk header first */
    size_t used, room, records;
};

static int put(struct hd_trace_writer *w, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count && !w->cause) {
        ssize_t done = write(w->fd, at, count);
        if (done < 0) {
            if (errno != EINTR) w->cause = errno;
            continue;
        }
        at += done;
        count -= (size_t)done;
    }
    return w->cause ? -1 : 0;
}

static int flush_events(struct hd_trace_writer *w) {
    hd_code_end_run(&w->coder);
    if (!w->coder.count) return 0;
    struct hd_chunk chunk = {.type = HD_CHUNK_EVENTS,
                             .bytes = (uint64_t)(w->coder.at - w->coder.bytes),
                             .count = w->coder.count};
    memcpy(w->events, &chunk, sizeof chunk);
    w->total += w->coder.count;
    w->coder.at = w->coder.bytes;
    w->coder.count = 0;
    return put(w, w->events, sizeof chunk + chunk.bytes);
}

static int flush_definitions(struct hd_trace_writer *w) {
    if (!w->records) return 0;
    unsigned char *payload = w->definitions + sizeof(struct hd_chunk);
    size_t bytes = w->used;
    struct hd_chunk chunk = {.type = HD_CHUNK_DEFINITIONS,
                             .check = hd_format_check(payload, bytes),
                             .bytes = bytes,
                             .count = w->records};
    memcpy(w->definitions, &chunk, sizeof chunk);
    w->used = w->records = 0;
    return put(w, w->definitions, sizeof chunk + bytes);
}

static struct hd_trace_writer *make(int fd, const char *name) {
    struct hd_trace_writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->fd = fd;
    w->room = DEFINITIONS_BYTES;
    w->name = strdup(name);
    w->events = malloc(sizeof(struct hd_chunk) + EVENTS_BYTES);
    w->definitions = malloc(sizeof(struct hd_chunk) + w->room);
    if (w->name && w->events && w->definitions) {
        hd_code_begin(&w->coder, w->events + sizeof(struct hd_chunk), EVENTS_BYTES);
        return w;
    }
    free(w->name);
    free(w->events);
    free(w->definitions);
    free(w);
    return NULL;
}

struct hd_trace_writer *hd_writer_open_fd(int fd, const char *name,
                                          struct hd_error *err) {
    struct hd_trace_writer *w = make(fd, name);
    if (!w) {
        hd_fail_system(err, ENOMEM, "%s", name);
        close(fd);
        return NULL;
    }
    struct hd_header header = {.version = HD_TRACE_VERSION,
                               .event_size = sizeof(struct hd_event)};
    memcpy(header.magic, HD_TRACE_MAGIC, sizeof header.magic);
    put(w, &header, sizeof header);
    return w;
}

struct hd_trace_writer *hd_writer_open(const char *path, struct hd_error *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        hd_fail_system(err, errno, "cannot write %s", path);
        return NULL;
    }
    return hd_writer_open_fd(fd, path, err);
}

/* The trace behind a path to which names may be added. */
static struct hd_trace *open_to_append(const char *path, struct hd_error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        hd_fail_system(err, errno, "cannot open %s", path);
        return NULL;
    }
    char magic[8];
    if (pread(fd, magic, sizeof magic, 0) != sizeof magic ||
        memcmp(magic, HD_TRACE_MAGIC, sizeof magic) != 0) {
        hd_fail(err, 0, "%s: names can only be added to a binary trace", path);
        close(fd);
        return NULL;
    }
    return hd_trace_open_fd(fd, path, HD_OPEN_TABLES, err);
}

struct hd_trace_writer *hd_writer_append(const char *path, struct hd_trace **trace,
                                         struct hd_error *err) {
    /* Opening it as a trace checks it whole; its length goes into the new END. */
    *trace = open_to_append(path, err);
    if (!*trace) return NULL;
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    struct hd_trace_writer *w = fd < 0 ? NULL : make(fd, path);
    if (!w) {
        hd_fail_system(err, fd < 0 ? errno : ENOMEM, "cannot append to %s", path);
        if (fd >= 0) close(fd);
        hd_trace_free(*trace);
        *trace = NULL;
        return NULL;
    }
    w->names_only = true;
    w->total = hd_trace_length(*trace);
    return w;
}

int hd_writer_event(struct hd_trace_writer *w, const struct hd_event *event) {
    if (w->names_only) {
        if (!w->cause) w->cause = EINVAL;
        return -1;
    }
    struct hd_coder *coder = &w->coder;
    if (!hd_code_expected(coder, event->site, event) &&
        !hd_code_known(coder, event->site, event)) {
        hd_code_new(coder, event->site, event);
    }
    return coder->at > coder->full ? flush_events(w) : w->cause ? -1 : 0;
}

/* One record: its numbers, then one string or two. */
static int define(struct hd_trace_writer *w, enum hd_table table, uint32_t id,
                  const uint64_t *numbers, unsigned count, const char *first,
                  const char *second) {
    size_t one = first ? strlen(first) + 1 : 1;
    bool two = table == HD_TABLE_SITE || table == HD_TABLE_MODULE;
    size_t other = !two ? 0 : second ? strlen(second) + 1 : 1;
    if (one > HD_NAME_MOST + 1 || other > HD_NAME_MOST + 1) {
        if (!w->cause) w->cause = ENAMETOOLONG;
        return -1;
    }
    size_t most = 1 + (count + 1) * HD_NUMBER_BYTES + one + other;
    if (w->used + most > w->room && flush_definitions(w) < 0) return -1;
    unsigned char *from = w->definitions + sizeof(struct hd_chunk) + w->used;
    w->used += (size_t)(hd_record_put(from, table, id, numbers, count, first ? first : "",
                                      one, second ? second : "", other) -
                        from);
    w->records++;
    return w->cause ? -1 : 0;
}

#define DEFINE(table, id, first, second, ...)                                            \
    define(w, table, id, (const uint64_t[]){__VA_ARGS__},                                \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), first, second)

int hd_writer_thread(struct hd_trace_writer *w, uint32_t id, const char *name) {
    return define(w, HD_TABLE_THREAD, id, NULL, 0, name, NULL);
}

int hd_writer_register(struct hd_trace_writer *w, uint32_t id, const char *name) {
    return define(w, HD_TABLE_REGISTER, id, NULL, 0, name, NULL);
}

int hd_writer_module(struct hd_trace_writer *w, uint32_t id, const struct hd_module *m) {
    return define(w, HD_TABLE_MODULE, id, NULL, 0, m->path, m->build_id);
}

int hd_writer_variable(struct hd_trace_writer *w, uint32_t id,
                       const struct hd_variable *v) {
    return DEFINE(HD_TABLE_VARIABLE, id, v->name, NULL, v->object, v->size, v->offset);
}

int hd_writer_object(struct hd_trace_writer *w, uint32_t id, const struct hd_object *o) {
    return DEFINE(HD_TABLE_OBJECT, id, o->name, NULL, o->kind, o->owner, o->nth, o->site,
                  o->module, o->size, o->address, o->each);
}

int hd_writer_sync(struct hd_trace_writer *w, uint32_t id, const struct hd_sync *s) {
    return DEFINE(HD_TABLE_SYNC, id, s->name, NULL, s->kind, s->object, s->initial,
                  s->offset);
}

int hd_writer_label(struct hd_trace_writer *w, uint32_t id, const struct hd_label *l) {
    return DEFINE(HD_TABLE_LABEL, id, l->name, NULL, l->flags, l->site);
}

int hd_writer_site(struct hd_trace_writer *w, uint32_t id, const struct hd_site *s) {
    return DEFINE(HD_TABLE_SITE, id, s->function, s->file, s->module, s->line, s->address);
}

int hd_writer_close(struct hd_trace_writer *w, struct hd_error *err) {
    if (!w) return 0;
    flush_events(w);
    flush_definitions(w);
    struct hd_chunk end = {.type = HD_CHUNK_END, .count = w->total};
    put(w, &end, sizeof end);
    if (close(w->fd) < 0 && !w->cause) w->cause = errno;
    int rc = w->cause ? -1 : 0;
    if (rc < 0) hd_fail_system(err, w->cause, "cannot write %s", w->name);
    free(w->name);
    free(w->events);
    free(w->definitions);
    free(w);
    return rc;
}
