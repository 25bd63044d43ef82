/* writer.c - a binary trace, chunk by chunk.
 *
 * Events and definitions are gathered in a buffer each and written as a chunk
 * when it is full; nothing is ever written twice, so the file may be a pipe.
 * A failed write is remembered and told by hd_writer_close; until then the
 * calls return -1. */
#include "writer.h"
#include "format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EVENTS_A_CHUNK = 1 << 14,
    DEFINITIONS_BYTES = 1 << 18, /* more than any one record has */
};

struct hd_trace_writer {
    int fd;
    char *name;
    int cause;       /* errno of the first write that failed */
    bool names_only; /* appending: the events are there already */
    uint64_t total;
    size_t events;
    struct { /* a chunk as it goes to the file */
        struct hd_chunk chunk;
        struct hd_event event[EVENTS_A_CHUNK];
    } * out;
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
    if (!w->events) return 0;
    w->out->chunk = (struct hd_chunk){.type = HD_CHUNK_EVENTS,
                                      .bytes = w->events * sizeof(struct hd_event),
                                      .count = w->events};
    w->total += w->events;
    size_t bytes = sizeof w->out->chunk + w->events * sizeof(struct hd_event);
    w->events = 0;
    return put(w, w->out, bytes);
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
    w->out = malloc(sizeof *w->out);
    w->definitions = malloc(sizeof(struct hd_chunk) + w->room);
    if (w->name && w->out && w->definitions) return w;
    free(w->name);
    free(w->out);
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

struct hd_trace_writer *hd_writer_append(const char *path, struct hd_error *err) {
    /* Opening it as a trace checks it whole; its length goes into the new END. */
    struct hd_trace *trace = hd_trace_open(path, err);
    if (!trace) return NULL;
    uint64_t total = hd_trace_length(trace);
    hd_trace_free(trace);

    int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (fd < 0) {
        hd_fail_system(err, errno, "cannot append to %s", path);
        return NULL;
    }
    char magic[8];
    if (pread(fd, magic, sizeof magic, 0) != sizeof magic ||
        memcmp(magic, HD_TRACE_MAGIC, sizeof magic) != 0) {
        hd_fail(err, 0, "%s: names can only be added to a binary trace", path);
        close(fd);
        return NULL;
    }
    struct hd_trace_writer *w = make(fd, path);
    if (!w) {
        hd_fail_system(err, ENOMEM, "%s", path);
        close(fd);
        return NULL;
    }
    w->names_only = true;
    w->total = total;
    return w;
}

int hd_writer_event(struct hd_trace_writer *w, const struct hd_event *event) {
    if (w->names_only) {
        if (!w->cause) w->cause = EINVAL;
        return -1;
    }
    w->out->event[w->events++] = *event;
    return w->events == EVENTS_A_CHUNK ? flush_events(w) : w->cause ? -1 : 0;
}

/* One record: the fixed part, then one string or two. */
static int define(struct hd_trace_writer *w, enum hd_table table, uint32_t id,
                  const void *fixed, size_t fixed_bytes, const char *first,
                  const char *second) {
    size_t one = first ? strlen(first) + 1 : 1;
    bool two = table == HD_TABLE_SITE || table == HD_TABLE_MODULE;
    size_t other = !two ? 0 : second ? strlen(second) + 1 : 1;
    if (one > HD_NAME_MOST + 1 || other > HD_NAME_MOST + 1) {
        if (!w->cause) w->cause = ENAMETOOLONG;
        return -1;
    }
    size_t bytes = fixed_bytes + one + other;
    size_t whole = sizeof(struct hd_record) + (size_t)hd_format_padded(bytes);
    if (w->used + whole > w->room && flush_definitions(w) < 0) return -1;
    unsigned char *at = w->definitions + sizeof(struct hd_chunk) + w->used;
    memset(at, 0, whole);
    struct hd_record record = {.table = table, .id = id, .bytes = (uint32_t)bytes};
    memcpy(at, &record, sizeof record);
    at += sizeof record;
    if (fixed_bytes) memcpy(at, fixed, fixed_bytes);
    at += fixed_bytes;
    if (first) memcpy(at, first, one);
    if (second && two) memcpy(at + one, second, other);
    w->used += whole;
    w->records++;
    return w->cause ? -1 : 0;
}

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
    struct hd_variable_record r = {
        .object = v->object, .size = v->size, .offset = v->offset};
    return define(w, HD_TABLE_VARIABLE, id, &r, sizeof r, v->name, NULL);
}

int hd_writer_object(struct hd_trace_writer *w, uint32_t id, const struct hd_object *o) {
    struct hd_object_record r = {.kind = o->kind,
                                 .owner = o->owner,
                                 .nth = o->nth,
                                 .site = o->site,
                                 .module = o->module,
                                 .size = o->size,
                                 .address = o->address};
    return define(w, HD_TABLE_OBJECT, id, &r, sizeof r, o->name, NULL);
}

int hd_writer_sync(struct hd_trace_writer *w, uint32_t id, const struct hd_sync *s) {
    struct hd_sync_record r = {
        .kind = s->kind, .object = s->object, .initial = s->initial, .offset = s->offset};
    return define(w, HD_TABLE_SYNC, id, &r, sizeof r, s->name, NULL);
}

int hd_writer_label(struct hd_trace_writer *w, uint32_t id, const struct hd_label *l) {
    struct hd_label_record r = {.flags = l->flags, .site = l->site};
    return define(w, HD_TABLE_LABEL, id, &r, sizeof r, l->name, NULL);
}

int hd_writer_site(struct hd_trace_writer *w, uint32_t id, const struct hd_site *s) {
    struct hd_site_record r = {
        .module = s->module, .line = s->line, .address = s->address};
    return define(w, HD_TABLE_SITE, id, &r, sizeof r, s->function, s->file);
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
    free(w->out);
    free(w->definitions);
    free(w);
    return rc;
}
