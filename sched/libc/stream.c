/* stream.c - see stream.h; and flockfile. */
#include "stream.h"

#include "../access.h"
#include "../confined.h"
#include "files.h"
#include "hold.h"
#include "../pthread/block.h"
#include "../spin.h"

#include <errno.h>
#include <poll.h>

#define BUCKETS 64
#define LOCK_FIELD 136 /* of FILE: the pointer to libc's lock, which no program touches */

struct hd_stdio_state {
    uint32_t generation;
    struct hd_stream *bucket[BUCKETS];
    struct hd_stream *last; /* found last time */
};

static struct hd_stdio_state *state(void) {
    if (hd_unlikely(!hd_rt->stdio)) hd_rt->stdio = hd_lasting(sizeof *hd_rt->stdio);
    struct hd_stdio_state *self = hd_rt->stdio;
    if (hd_unlikely(self->generation != hd_rt->generation)) {
        memset(self, 0, sizeof *self);
        self->generation = hd_rt->generation;
    }
    return self;
}

static enum hd_hidden key_of(const FILE *file) {
    return file == stdout ? HD_KEY_STDOUT
           : file == stderr ? HD_KEY_STDERR
           : file == stdin ? HD_KEY_STDIN
                           : HD_KEY_NONE;
}

static struct hd_stream *make(FILE *file) {
    struct hd_stream *stream = hd_passing(sizeof *stream);
    enum hd_hidden key = key_of(file);
    stream->file = file;
    stream->primitive = hd_primitive_new(&stream->tag, HD_SYNC_STREAM);
    stream->primitive->place.key = key ? (uint64_t)key : (uintptr_t)file;
    stream->var = hd_var_get((uintptr_t)file + LOCK_FIELD, 8);
    hd_var_more(stream->var)->place = &stream->primitive->place;
    return stream;
}

struct hd_stream *hd_stream_of(FILE *file) {
    struct hd_stdio_state *self = state();
    if (hd_likely(self->last && self->last->file == file)) return self->last;
    struct hd_stream **bucket = &self->bucket[(uintptr_t)file / 16 % BUCKETS];
    struct hd_stream *stream = *bucket;
    while (stream && stream->file != file) stream = stream->next;
    if (!stream) {
        stream = make(file);
        stream->next = *bucket;
        *bucket = stream;
    }
    return self->last = stream;
}

static bool is_free(struct hd_thread *self, void *argument) {
    const struct hd_stream *stream = argument;
    return stream->primitive->owner == 0 || stream->primitive->owner == self->id + 1u;
}

static void wait_for(struct hd_stream *stream, enum hd_kind kind, bool write, void *pc) {
    hd_block(kind, &stream->primitive->place, write ? HD_MODE_WRITE : HD_MODE_READ, pc, is_free,
             stream, HD_NEVER, 0);
}

/* Returns how often the current thread had it already. */
static uint32_t take(struct hd_stream *stream) {
    stream->primitive->owner = hd_me();
    if (hd_unlikely(stream->primitive->place.pending)) hd_changed(&stream->primitive->place);
    return stream->primitive->count++;
}

/* Does what is written here reach another thread? */
static bool talks(const struct hd_stream *stream) {
    return stream->file->_fileno > 2 && hd_files_may_wait(stream->file->_fileno);
}

struct hd_stream *hd_stream_enter(FILE *file, enum hd_kind kind, bool write, void *pc) {
    if (hd_unlikely(!hd_inside() || !file)) return NULL;
    int saved = errno;
    hd_spin_outside(hd_rt->current);
    struct hd_stream *stream = hd_stream_of(file);
    if (stream->var->locked) {
        wait_for(stream, kind, write, pc);
    } else if (talks(stream)) { /* a step on the pipe, which others may wait for */
        hd_step(kind, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, pc);
        if (!is_free(hd_rt->current, stream)) wait_for(stream, kind, write, pc);
    } else {
        if (hd_access_hidden(stream->var, write, pc)) {
            hd_step(kind, &stream->primitive->place, write ? HD_MODE_WRITE : HD_MODE_READ, pc);
        }
        if (!is_free(hd_rt->current, stream)) wait_for(stream, kind, write, pc);
    }
    take(stream);
    if (kind == HD_OUTPUT && talks(stream)) {
        while (hd_files_wait(file->_fileno, POLLOUT, pc) < 0) continue;
    }
    stream->within++;
    errno = saved;
    return stream;
}

static void let_go(struct hd_stream *stream) {
    if (--stream->primitive->count > 0) return;
    stream->primitive->owner = 0;
    if (hd_unlikely(stream->primitive->place.pending)) hd_changed(&stream->primitive->place);
}

void hd_stream_leave(struct hd_stream *stream) {
    if (!stream) return;
    stream->within--;
    let_go(stream);
    if (hd_unlikely(hd_rt->pseudo[HD_KEY_FILES].pending)) hd_files_changed();
}

void hd_stream_wrote(struct hd_stream *stream, long bytes, void *pc) {
    if (!stream) return;
    if (bytes > 0) {
        hd_rt->progress_step = hd_rt->steps;
        hd_record_sync(HD_OUTPUT, stream->primitive,
                       bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes, 0, pc);
    }
    hd_stream_leave(stream);
}

void hd_stream_forget(struct hd_stream *stream) {
    if (!stream) return;
    struct hd_stdio_state *self = state();
    struct hd_stream **at = &self->bucket[(uintptr_t)stream->file / 16 % BUCKETS];
    while (*at != stream) at = &(*at)->next;
    *at = stream->next;
    if (self->last == stream) self->last = NULL;
    stream->primitive->owner = 0;
}

void hd_stream_step(FILE *file, enum hd_kind kind, void *pc) {
    if (!hd_inside()) return;
    hd_spin_outside(hd_rt->current);
    struct hd_stream *stream = hd_stream_of(file);
    if (hd_access_hidden(stream->var, true, pc)) {
        hd_step(kind, &stream->primitive->place, HD_MODE_WRITE, pc);
    }
}

void hd_hidden_step(enum hd_hidden key, bool write, void *pc) {
    if (!hd_inside()) return;
    hd_spin_outside(hd_rt->current);
    struct hd_var *var = hd_var_get((uintptr_t)&hd_rt->pseudo[key], 8);
    if (hd_access_hidden(var, write, pc)) {
        hd_step(HD_NONE, hd_pseudo(key), write ? HD_MODE_WRITE : HD_MODE_READ, pc);
    }
}

void hd_memory_file_give(const struct hd_memory_file *self, void *pc) {
    if (!self) return;
    hd_give(self->to, &self->at, sizeof self->at, pc);
    hd_give(self->to_size, &self->size, sizeof self->size, pc);
}

void hd_memory_files_give(void *pc) {
    const struct hd_stdio_state *self = state();
    for (int i = 0; i < BUCKETS; i++) {
        for (struct hd_stream *s = self->bucket[i]; s; s = s->next) hd_memory_file_give(s->memory, pc);
    }
}

/* At the end of the process every stream is flushed, but for those in the middle
 * of a call: libc would wait for them. */
int hd_stdio_flush(void) {
    const struct hd_stdio_state *self = hd_rt->stdio;
    bool used = self && self->generation == hd_rt->generation, busy = false;
    for (int i = 0; used && i < BUCKETS; i++) {
        for (struct hd_stream *s = self->bucket[i]; s; s = s->next) busy = busy || s->within > 0;
    }
    if (hd_confined_now()) return 0; /* nobody wrote anything */
    if (!busy) return HD_ENTER(fflush)(NULL);
    int result = 0;
    for (int i = 0; i < BUCKETS; i++) {
        for (struct hd_stream *s = self->bucket[i]; s; s = s->next) {
            if (s->within == 0) result |= HD_REAL(fflush_unlocked)(s->file);
        }
    }
    return result;
}

/* ---- flockfile -------------------------------------------------------------------- */

/* From the first time on, whoever uses the stream may have to wait for it. */
static struct hd_stream *by_hand(FILE *file) {
    struct hd_stream *stream = hd_stream_of(file);
    if (!stream->var->locked) {
        stream->var->locked = 1;
        hd_var_show(stream->var);
    }
    return stream;
}

HD_TAKEN void flockfile(FILE *file) {
    if (!hd_inside()) return;
    struct hd_stream *stream = by_hand(file);
    wait_for(stream, HD_ACQUIRE, true, HD_PC());
    stream->primitive->where = HD_PC();
    if (take(stream) == 0) {
        hd_record_sync(HD_ACQUIRE, stream->primitive, 0, 0, HD_PC());
    }
}
HD_ALIAS(_IO_flockfile, flockfile);

HD_TAKEN int ftrylockfile(FILE *file) {
    if (!hd_inside()) return 0;
    struct hd_stream *stream = by_hand(file);
    hd_step(HD_ACQUIRE, &stream->primitive->place, HD_MODE_WRITE, HD_PC());
    if (!is_free(hd_rt->current, stream)) {
        hd_record_sync(HD_LOOK, stream->primitive, 0, HD_FLAG_READ, HD_PC());
        return EBUSY;
    }
    stream->primitive->where = HD_PC();
    if (take(stream) == 0) {
        hd_record_sync(HD_ACQUIRE, stream->primitive, 0, HD_FLAG_TRY, HD_PC());
    }
    return 0;
}
HD_ALIAS(_IO_ftrylockfile, ftrylockfile);

HD_TAKEN void funlockfile(FILE *file) {
    if (!hd_inside()) return;
    struct hd_stream *stream = by_hand(file);
    if (stream->primitive->owner != hd_me()) {
        hd_complain(HD_FAIL_MISUSE, stream->primitive, HD_PC(), "unlocks what it does not hold");
    }
    hd_step(HD_RELEASE, &stream->primitive->place, HD_MODE_WRITE, HD_PC());
    if (stream->primitive->count == 1) {
        hd_record_sync(HD_RELEASE, stream->primitive, 0, 0, HD_PC());
    }
    let_go(stream);
}
HD_ALIAS(_IO_funlockfile, funlockfile);
