/* reader.c - a binary trace, read in constant memory.
 *
 * Opening hops from chunk header to chunk header and loads the definitions.
 * Events are decoded (coding.h) from a window of the file, a buffer full at a
 * time, and checked (rule (3) of trace.h) as they are. Nothing in the file is
 * believed: lengths are compared with what is left, ids with the tables. */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW_BYTES = 16 << 20, /* mapped at once, if no chunk needs more */
};

/* Exactly `bytes` bytes from `offset`. */
static int read_at(struct hd_trace *t, void *to, uint64_t bytes, uint64_t offset,
                   struct hd_error *err) {
    unsigned char *at = to;
    while (bytes) {
        ssize_t got = pread(t->fd, at, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            hd_fail_system(err, errno, "cannot read %s", t->path);
            return -1;
        }
        if (got == 0) {
            HD_FAIL_BYTE(err, t->path, offset,
                         "the file became shorter while it was read");
            return -1;
        }
        at += got;
        bytes -= (uint64_t)got;
        offset += (uint64_t)got;
    }
    return 0;
}

/* Make the chunk's payload visible. */
static int slide_window(struct hd_trace *t, uint64_t from, uint64_t bytes,
                        struct hd_error *err) {
    if (t->window && from >= t->window_from &&
        from + bytes <= t->window_from + t->window_bytes) {
        return 0;
    }
    if (t->window) munmap(t->window, t->window_bytes);
    t->window = NULL;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t start = from & ~(page - 1), length = from + bytes - start;
    if (length < WINDOW_BYTES) length = WINDOW_BYTES;
    if (length > t->size - start) length = t->size - start;
    void *map = mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, t->fd, (off_t)start);
    if (map == MAP_FAILED) {
        hd_fail_system(err, errno, "cannot map %s", t->path);
        return -1;
    }
    madvise(map, (size_t)length, MADV_SEQUENTIAL);
    t->window = map;
    t->window_from = start;
    t->window_bytes = (size_t)length;
    return 0;
}

/* A chunk of events that is cut short: the tokens of which all bytes are there. */
static int what_is_whole(struct hd_trace *t, uint64_t from, uint64_t left,
                         struct hd_chunk *chunk, struct hd_error *err) {
    chunk->bytes = left;
    chunk->count = 0;
    if (!left) return 0;
    if (slide_window(t, from, left, err) < 0) return -1;
    chunk->count = hd_decode_count(t->window + (from - t->window_from), &chunk->bytes);
    return 0;
}

/* The chunk header at `offset`, known to fit in the file with its payload. */
static int read_chunk(struct hd_trace *t, uint64_t offset, struct hd_chunk *chunk,
                      struct hd_error *err) {
    if (t->size - offset < sizeof *chunk) {
        HD_FAIL_BYTE(err, t->path, offset,
                     "the trace was cut short: %llu bytes left, expected a chunk",
                     (unsigned long long)(t->size - offset));
        return -1;
    }
    if (read_at(t, chunk, sizeof *chunk, offset, err) < 0) return -1;
    uint64_t left = t->size - offset - sizeof *chunk;
    bool fits;
    switch (chunk->type) {
    case HD_CHUNK_EVENTS:
        fits = chunk->bytes <= HD_CHUNK_MOST &&
               chunk->count <= chunk->bytes * HD_CODE_RUN_MOST;
        break;
    case HD_CHUNK_DEFINITIONS:
        fits = chunk->bytes <= HD_CHUNK_MOST &&
               chunk->count <= chunk->bytes;
        break;
    case HD_CHUNK_END:
        fits = chunk->bytes == 0;
        break;
    default:
        HD_FAIL_BYTE(err, t->path, offset,
                     "chunk of type %u, expected 1 (events), 2 (definitions) or 3 (end)",
                     chunk->type);
        return -1;
    }
    if (!fits) {
        HD_FAIL_BYTE(
            err, t->path, offset,
            "chunk of type %u with %llu bytes and %llu entries, which do not agree",
            chunk->type, (unsigned long long)chunk->bytes,
            (unsigned long long)chunk->count);
        return -1;
    }
    if (chunk->bytes > left) {
        if (t->partial && chunk->type == HD_CHUNK_EVENTS) {
            return what_is_whole(t, offset + sizeof *chunk, left, chunk, err);
        }
        HD_FAIL_BYTE(err, t->path, offset,
                     "the trace was cut short: a chunk of %llu bytes, %llu are left",
                     (unsigned long long)chunk->bytes, (unsigned long long)left);
        return -1;
    }
    return 0;
}

static int load_definitions(struct hd_trace *t, uint64_t offset,
                            const struct hd_chunk *chunk, struct hd_error *err) {
    struct hd_payload *payload = malloc(sizeof *payload + chunk->bytes);
    if (!payload) {
        hd_fail_system(err, ENOMEM, "%s", t->path);
        return -1;
    }
    payload->offset = offset + sizeof *chunk;
    payload->bytes = chunk->bytes;
    if (read_at(t, payload->data, payload->bytes, payload->offset, err) < 0) {
        free(payload);
        return -1;
    }
    uint32_t check = hd_format_check(payload->data, payload->bytes);
    if (check != chunk->check) {
        HD_FAIL_BYTE(err, t->path, offset,
                     "the definitions are damaged: check %08x, expected %08x", check,
                     chunk->check);
        free(payload);
        return -1;
    }
    return hd_tables_take(&t->tables, t->path, payload, chunk->count, err);
}

/* From header to header to the end of the file. */
static int hop(struct hd_trace *t, struct hd_error *err) {
    uint64_t offset = sizeof(struct hd_header);
    bool ended = false, whole = false;
    while (offset < t->size) {
        struct hd_chunk chunk;
        struct hd_error cut = {0};
        int rc = read_chunk(t, offset, &chunk, t->partial ? &cut : err);
        if (rc == 0 && chunk.type == HD_CHUNK_DEFINITIONS) {
            rc = load_definitions(t, offset, &chunk, t->partial ? &cut : err);
        }
        if (rc < 0) {
            if (!t->partial) return -1;
            t->size = offset; /* what is whole ends here */
            break;
        }
        whole = chunk.type == HD_CHUNK_END;
        if (chunk.type == HD_CHUNK_EVENTS) {
            if (ended && chunk.count) {
                HD_FAIL_BYTE(err, t->path, offset, "events after the end of the trace");
                return -1;
            }
            t->events += chunk.count;
        }
        if (chunk.type == HD_CHUNK_END) {
            ended = true;
            if (chunk.count != t->events) {
                HD_FAIL_BYTE(
                    err, t->path, offset, "%llu events before the end, expected %llu",
                    (unsigned long long)t->events, (unsigned long long)chunk.count);
                return -1;
            }
        }
        offset += sizeof chunk + chunk.bytes;
    }
    if (!whole && !t->partial) {
        HD_FAIL_BYTE(err, t->path, t->size,
                     "the trace was cut short: expected an end chunk here");
        return -1;
    }
    return 0;
}

static int check_header(struct hd_trace *t, struct hd_error *err) {
    struct hd_header header;
    if (t->size < sizeof header) {
        HD_FAIL_BYTE(err, t->path, t->size,
                     "the trace was cut short: expected a header of %zu bytes",
                     sizeof header);
        return -1;
    }
    if (read_at(t, &header, sizeof header, 0, err) < 0) return -1;
    if (memcmp(header.magic, HD_TRACE_MAGIC, sizeof header.magic) != 0) {
        HD_FAIL_BYTE(err, t->path, 0, "not a binary trace");
        return -1;
    }
    if (header.version != HD_TRACE_VERSION) {
        HD_FAIL_BYTE(
            err, t->path, 8,
            "trace version %u, expected %u; record it again, or convert it to text "
            "with the heddle that wrote it",
            header.version, HD_TRACE_VERSION);
        return -1;
    }
    if (header.event_size != sizeof(struct hd_event)) {
        HD_FAIL_BYTE(err, t->path, 12, "events of %u bytes, expected %zu",
                     header.event_size, sizeof(struct hd_event));
        return -1;
    }
    return 0;
}

static void limit(const struct hd_tables *tables, enum hd_operand operand, bool optional,
                  uint64_t *below, uint32_t *plus) {
    static const uint8_t table[] = {
        [HD_OPERAND_VARIABLE] = HD_TABLE_VARIABLE,
        [HD_OPERAND_SYNC] = HD_TABLE_SYNC,
        [HD_OPERAND_THREAD] = HD_TABLE_THREAD,
        [HD_OPERAND_OBJECT] = HD_TABLE_OBJECT,
        [HD_OPERAND_LABEL] = HD_TABLE_LABEL,
        [HD_OPERAND_REGISTER] = HD_TABLE_REGISTER,
    };
    *plus = optional;
    switch (operand) {
    case HD_OPERAND_NOTHING: /* HD_NO_ID or 0 */
        *plus = 1;
        *below = 2;
        break;
    case HD_OPERAND_NUMBER:
        *below = 1ull << 32;
        break;
    case HD_OPERAND_ORDER:
        *below = HD_ORDER_COUNT;
        break;
    default:
        *below = (uint64_t)tables->count[table[operand]] + *plus;
        break;
    }
}

static void set_limits(struct hd_trace *t) {
    /* Kinds that do not exist let nothing through. */
    memset(t->limits, 0, sizeof t->limits);
    for (int kind = HD_NONE + 1; kind < HD_KIND_COUNT; kind++) {
        struct hd_limit *l = &t->limits[kind];
        limit(&t->tables, hd_kind_obj(kind), hd_kind_obj_optional(kind), &l->obj_below,
              &l->obj_plus);
        limit(&t->tables, hd_kind_aux(kind), hd_kind_aux_optional(kind), &l->aux_below,
              &l->aux_plus);
    }
}

struct hd_trace *hd_trace_open_fd(int fd, const char *path, enum hd_open how,
                                  struct hd_error *err) {
    struct hd_trace *t = calloc(1, sizeof *t);
    if (!t) {
        hd_fail_system(err, ENOMEM, "%s", path);
        close(fd);
        return NULL;
    }
    hd_tables_init(&t->tables);
    t->fd = fd;
    t->partial = how == HD_OPEN_PARTIAL;
    t->path = strdup(path);
    struct stat stat;
    if (!t->path || fstat(fd, &stat) < 0) {
        hd_fail_system(err, errno, "cannot read %s", path);
        goto fail;
    }
    t->size = (uint64_t)stat.st_size;
    if (check_header(t, err) < 0 || hop(t, err) < 0) goto fail;
    if (hd_tables_build(&t->tables, path, err) < 0) goto fail;
    if (how != HD_OPEN_TABLES && hd_tables_cut(&t->tables, err) < 0) goto fail;
    set_limits(t);
    hd_trace_rewind(t);
    return t;

fail:
    hd_trace_free(t);
    return NULL;
}

void hd_trace_free(struct hd_trace *t) {
    if (!t) return;
    if (t->window) munmap(t->window, t->window_bytes);
    hd_tables_free(&t->tables);
    close(t->fd);
    free(t->path);
    free(t);
}

void hd_trace_rewind(struct hd_trace *t) {
    t->next_chunk = sizeof(struct hd_header);
    t->left = 0;
    if (t->begun || !t->decoder.limits) hd_decode_begin(&t->decoder, t->limits);
    t->begun = false;
}

_Static_assert(HD_FLAG_COUNT == 8, "a byte of flags is a good one, whatever it is");

static bool event_is_good(const struct hd_trace *t, const struct hd_event *e) {
    const struct hd_limit *l = &t->limits[e->kind];
    return ((uint32_t)(e->obj + l->obj_plus) < l->obj_below) &
           ((uint32_t)(e->aux + l->aux_plus) < l->aux_below) &
           ((uint32_t)(e->site + 1) <= t->tables.count[HD_TABLE_SITE]) &
           (e->thread < t->tables.count[HD_TABLE_THREAD]);
}

/* A slot's events differ in their objects alone, and its first one was good. */
static bool run_is_good(const struct hd_trace *t, const struct hd_event *events, int count) {
    bool good = true;
    for (int i = 0; i < count; i++) {
        const struct hd_limit *l = &t->limits[events[i].kind];
        good &= (uint32_t)(events[i].obj + l->obj_plus) < l->obj_below;
    }
    return good;
}

static void tell_bad_event(const struct hd_trace *t, const struct hd_event *e,
                           uint64_t offset, struct hd_error *err) {
    const uint32_t *count = t->tables.count;
    if (e->kind == HD_NONE || e->kind >= HD_KIND_COUNT) {
        HD_FAIL_BYTE(err, t->path, offset, "event of kind %u, expected 1 to %u", e->kind,
                     HD_KIND_COUNT - 1);
    } else if (e->thread >= count[HD_TABLE_THREAD]) {
        HD_FAIL_BYTE(err, t->path, offset, "event of thread %u, %u are defined",
                     e->thread, count[HD_TABLE_THREAD]);
    } else if ((uint32_t)(e->site + 1) > count[HD_TABLE_SITE]) {
        HD_FAIL_BYTE(err, t->path, offset, "event at site %u, %u are defined", e->site,
                     count[HD_TABLE_SITE]);
    } else {
        HD_FAIL_BYTE(err, t->path, offset,
                     "%s with operands %u and %u: one of them is not defined",
                     hd_kind_word(e->kind), e->obj, e->aux);
    }
}

/* The next chunk of events, whole in the window. 0: there is none. */
static int next_chunk(struct hd_trace *t, struct hd_error *err) {
    while (!t->left) {
        if (t->next_chunk >= t->size) return 0;
        struct hd_chunk chunk;
        if (read_chunk(t, t->next_chunk, &chunk, err) < 0) return -1;
        if (chunk.type == HD_CHUNK_EVENTS && chunk.count) {
            t->at = t->next_chunk + sizeof chunk;
            t->end = t->at + chunk.bytes;
            t->left = chunk.count;
            if (slide_window(t, t->at, chunk.bytes, err) < 0) return -1;
        }
        t->next_chunk += sizeof chunk + chunk.bytes;
    }
    return 1;
}

const struct hd_event *hd_trace_next(struct hd_trace *t, size_t *count,
                                     struct hd_error *err) {
    *count = 0;
    if (next_chunk(t, err) <= 0) return NULL;
    t->begun = true;
    const unsigned char *at = t->window + (t->at - t->window_from);
    const unsigned char *from = at, *end = at + (t->end - t->at);
    uint32_t wanted = t->left < HD_RUN_EVENTS ? (uint32_t)t->left : HD_RUN_EVENTS;
    uint32_t done = 0;
    while ((done += hd_decode_known(&t->decoder, &at, end, &t->run[done], wanted - done)) <
           wanted) {
        uint64_t offset = t->at + (uint64_t)(at - from);
        struct hd_event *event = &t->run[done];
        uint32_t sure;
        int got = hd_decode_token(&t->decoder, &at, end, event, wanted - done, &sure);
        if (got < 0) {
            HD_FAIL_BYTE(err, t->path, offset,
                         "no token of an event here, expected %llu events more",
                         (unsigned long long)(t->left - done));
            return NULL;
        }
        if (!(got > 1 ? run_is_good(t, event + sure, got - (int)sure) : event_is_good(t, event))) {
            while (event_is_good(t, event))
                event++;
            tell_bad_event(t, event, offset, err);
            hd_decode_begin(&t->decoder, t->limits); /* no slot is known to be good now */
            return NULL;
        }
        done += (uint32_t)got;
    }
    t->at += (uint64_t)(at - from);
    t->left -= done;
    if (!t->left && (t->at != t->end || t->decoder.run)) {
        HD_FAIL_BYTE(err, t->path, t->at, "more events than the chunk is said to have");
        return NULL;
    }
    *count = done;
    return t->run;
}

uint64_t hd_trace_length(const struct hd_trace *t) { return t->events; }
