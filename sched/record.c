/* record.c - the trace, written as it happens.
 *
 * Events go to one buffer, definitions of the ids in them to another; a full
 * buffer becomes a chunk of the file (trace/format.h). Most events are those that
 * were to be expected (trace/coding.h), and all that happens is that a number
 * goes down.
 *
 * Function entries are held back until something happens inside: a call without
 * any event says nothing. */
#include "record.h"

#include "heap.h"
#include "ids.h"
#include "linkage.h"
#include "pthread/kernel.h"
#include "runtime.h"
#include "shadow.h"
#include "trace/coding.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EVENTS (1u << 18)
#define DEFINITIONS (1u << 20)
#define ROW_BYTES (1 + 6 * HD_NUMBER_BYTES) /* that a row of variables takes at most */

/* Variables of one object and size with ids in a row, and the same way from each to
 * the next. */
struct hd_row {
    uint32_t first, object, size, count;
    uint64_t offset, last;
    int64_t step;
};

struct hd_record_state {
    struct hd_coder coder;
    int fd;
    uint64_t total;
    uint32_t defined;
    unsigned char *definitions, *definitions_at;
    struct hd_row row; /* of variables, not told yet */
    uintptr_t value_at; /* of the last access, whose value is to be told; 0: none */
    uint8_t value_size;
    uint16_t value_thread;
};

static struct hd_record_state *self_(void) { return hd_rt->record; }
#define self (self_())

/* ---- the file ------------------------------------------------------------------ */

static void put(const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        long n = syscall(SYS_write, self->fd, at, size);
        if (n <= 0) hd_give_up("cannot write the trace %s: disk full?", hd_rt->config.trace);
        at += n;
        size -= (size_t)n;
    }
}

static unsigned char *put_row(unsigned char *at, const struct hd_row *row) {
    const uint64_t numbers[] = {row->object, row->size, row->offset, hd_number_signed(row->step),
                                row->count};
    bool one = row->count == 1;
    return hd_record_put(at, one ? HD_TABLE_VARIABLE : HD_RECORD_ROW, row->first, numbers,
                         one ? 3 : 5, "", one, "", 0);
}

static void flush_definitions(void) {
    if (self->row.count) { /* there is always room for one */
        self->definitions_at = put_row(self->definitions_at, &self->row);
        self->defined++;
        self->row.count = 0;
    }
    if (self->defined == 0) return;
    size_t bytes = (size_t)(self->definitions_at - self->definitions);
    struct hd_chunk chunk = {HD_CHUNK_DEFINITIONS, hd_format_check(self->definitions, bytes),
                             bytes, self->defined};
    put(&chunk, sizeof chunk);
    put(self->definitions, bytes);
    self->definitions_at = self->definitions;
    self->defined = 0;
}

static void flush_events(void) {
    struct hd_coder *coder = &self->coder;
    hd_code_end_run(coder);
    if (coder->count == 0) return;
    size_t bytes = (size_t)(coder->at - coder->bytes);
    struct hd_chunk chunk = {HD_CHUNK_EVENTS, 0, bytes, coder->count};
    put(&chunk, sizeof chunk);
    put(coder->bytes, bytes);
    self->total += coder->count;
    coder->count = 0;
    coder->at = coder->bytes;
}

static void have_room(size_t bytes) {
    if (bytes + ROW_BYTES > (size_t)(self->definitions + DEFINITIONS - self->definitions_at)) {
        flush_definitions();
    }
}

void hd_record_variable(uint32_t id, uint32_t object, uint32_t size, uint64_t offset) {
    struct hd_row *row = &self->row;
    int64_t step = (int64_t)(offset - row->last);
    if (row->count && row->object == object && row->size == size && row->count < HD_ROW_MOST &&
        (row->count == 1 || row->step == step)) {
        row->count++;
        row->step = step;
        row->last = offset;
        return;
    }
    have_room(ROW_BYTES);
    if (row->count) {
        self->definitions_at = put_row(self->definitions_at, row);
        self->defined++;
    }
    *row = (struct hd_row){id, object, size, 1, offset, offset, 0};
}

/* One definition: its numbers, then up to two strings. */
void hd_record_define(enum hd_table table, uint32_t id, const uint64_t *numbers, unsigned count,
                      const char *first, const char *second) {
    size_t a = first ? strlen(first) + 1 : 0, b = second ? strlen(second) + 1 : 0;
    size_t most = 1 + (count + 1) * HD_NUMBER_BYTES + a + b;
    have_room(most);
    self->definitions_at = hd_record_put(self->definitions_at, table, id, numbers, count, first, a, second, b);
    self->defined++;
}

/* ---- events ---------------------------------------------------------------------- */

/* Its site is looked for only where the file does not know it yet. */
static void emit(struct hd_event event, void *pc) {
    struct hd_coder *coder = &self->coder;
    uint64_t where = (uintptr_t)pc;
    if (!hd_code_expected(coder, where, &event) && !hd_code_known(coder, where, &event)) {
        event.site = hd_ids_site(pc);
        hd_code_new(coder, where, &event);
    }
    if (hd_unlikely(coder->at > coder->full)) flush_events();
}

void hd_record_run(void) {
    struct hd_coder *coder = &self->coder;
    hd_code_end_run(coder);
    if (coder->at > coder->full) flush_events();
}

/* The value of the last access, which is made when the thread goes on: told before
 * anything else happens. The kernel reads it, since the access may have failed. */
static void tell_value(void) {
    uint64_t value = 0;
    struct iovec to = {&value, self->value_size}, from = {(void *)self->value_at, self->value_size};
    self->value_at = 0;
    if (hd_kernel(SYS_process_vm_readv, hd_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&to, 1,
                  (long)&from, 1, 0) != (long)self->value_size) {
        return;
    }
    emit((struct hd_event){(uint32_t)value, (uint32_t)(value >> 32), 0, self->value_thread,
                           HD_VALUE, 0},
         NULL);
}

void hd_record_leave(void) {
    if (hd_rt->recording && self->value_at) tell_value();
}

static void show_calls(struct hd_thread *thread) {
    while (thread->entered < thread->depth) {
        bool entry = thread->entered == 0;
        void *pc = thread->calls[thread->entered++].pc;
        uint32_t label = hd_ids_label(pc, entry);
        if (label == HD_NO_ID) continue;
        emit((struct hd_event){label, 0, 0, thread->id, HD_ENTER, entry ? HD_FLAG_ENTRY : 0},
             pc);
    }
}

static void event_of(struct hd_thread *thread, enum hd_kind kind, uint32_t obj, uint32_t aux,
                     unsigned flags, void *pc) {
    if (hd_unlikely(self->value_at)) tell_value();
    if (hd_unlikely(!thread->shown)) { /* the first thing it does that a schedule counts */
        thread->shown = true;
        if (thread->id != 0) {
            emit((struct hd_event){HD_NO_ID, HD_NO_ID, 0, thread->id, HD_START, 0}, NULL);
        }
    }
    if (hd_unlikely(thread->entered < thread->depth)) show_calls(thread);
    emit((struct hd_event){obj, aux, 0, thread->id, (uint8_t)kind, (uint8_t)flags}, pc);
}

static void event(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc) {
    event_of(hd_rt->current, kind, obj, aux, flags, pc);
}

void hd_record_stands(struct hd_thread *thread, struct hd_primitive *lock) {
    if (!hd_rt->recording) return;
    unsigned flags = thread->op.mode == HD_MODE_READ ? HD_FLAG_READ : 0;
    event_of(thread, HD_STANDS, hd_ids_sync(lock), 0, flags, thread->op.pc);
}

void hd_record_awaits(struct hd_thread *thread, const struct hd_thread *other) {
    if (!hd_rt->recording) return;
    hd_ids_threads();
    event_of(thread, HD_AWAITS, other->id, 0, 0, thread->op.pc);
}

void hd_call_left(struct hd_thread *thread) {
    thread->depth--;
    if (thread->entered <= thread->depth) return;
    thread->entered = thread->depth;
    if (!hd_rt->recording) return;
    if (hd_unlikely(self->value_at)) tell_value();
    void *pc = thread->calls[thread->depth].pc;
    uint32_t label = hd_ids_label(pc, false);
    if (label == HD_NO_ID) return;
    emit((struct hd_event){label, 0, 0, thread->id, HD_EXIT, 0}, NULL);
}

void hd_record_access(enum hd_kind kind, struct hd_var *var, unsigned order, unsigned flags,
                      void *pc) {
    event(kind, hd_ids_variable(var), hd_kind_is_plain(kind) ? HD_NO_ID : order, flags, pc);
    if (hd_likely(!hd_rt->config.values)) return;
    self->value_at = hd_var_address(var);
    self->value_size = var->size;
    self->value_thread = hd_rt->current->id;
}

void hd_record_sync(enum hd_kind kind, struct hd_primitive *primitive, uint32_t aux,
                    unsigned flags, void *pc) {
    if (hd_rt->recording) event(kind, hd_ids_sync(primitive), aux, flags, pc);
}

void hd_record_wait(enum hd_kind kind, struct hd_primitive *condition,
                    struct hd_primitive *lock, void *pc) {
    if (hd_rt->recording) event(kind, hd_ids_sync(condition), hd_ids_sync(lock), 0, pc);
}

void hd_record_guarded(struct hd_var *var, struct hd_primitive *lock, void *pc) {
    if (hd_rt->recording) event(HD_GUARDED, hd_ids_variable(var), hd_ids_sync(lock), 0, pc);
}

void hd_record_plain(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc) {
    if (!hd_rt->recording) return;
    hd_ids_threads();
    event(kind, obj, aux, flags, pc);
}

void hd_record_region(enum hd_kind kind, const char *name, unsigned flags, void *pc) {
    if (!hd_rt->recording) return;
    hd_stamp();
    uint32_t label = name ? hd_ids_region(name, pc) : HD_NO_ID;
    event(kind, label, 0, flags, pc);
}

void hd_record_alloc(struct hd_block *block, void *pc) {
    if (!hd_rt->current) return;
    const struct hd_thread *thread = hd_rt->current;
    void *caller = thread->depth > 1 ? thread->calls[thread->depth - 2].pc : NULL;
    uint32_t object = hd_ids_block(block, caller);
    event(HD_ALLOC, object, block->size > UINT32_MAX ? UINT32_MAX : (uint32_t)block->size, 0, pc);
}

void hd_record_free(struct hd_block *block, void *pc) {
    if (hd_rt->current) event(HD_FREE, hd_ids_block(block, NULL), 0, 0, pc);
}

/* ---- begin and end ------------------------------------------------------------------ */

void hd_record_prepare(void) {
    if (!hd_rt->config.trace[0] || hd_rt->record) return;
    hd_rt->record = hd_own(sizeof *hd_rt->record);
    self->coder.bytes = hd_own(EVENTS);
    self->definitions = hd_own(DEFINITIONS);
    hd_ids_prepare();
    hd_linkage_prepare();
}

static void open_file(void) {
    self->fd = open(hd_rt->config.trace, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (self->fd < 0) hd_give_up("cannot write %s", hd_rt->config.trace);
    /* Out of the way of the program's own descriptors. */
    int high = fcntl(self->fd, F_DUPFD_CLOEXEC, 900);
    if (high >= 0) {
        close(self->fd);
        self->fd = high;
    }
    struct hd_header header = {HD_TRACE_MAGIC, HD_TRACE_VERSION, sizeof(struct hd_event)};
    put(&header, sizeof header);
}

static void close_file(void) {
    struct hd_chunk end = {HD_CHUNK_END, 0, 0, self->total};
    put(&end, sizeof end);
    close(self->fd);
}

void hd_record_begin(void) {
    if (!hd_rt->config.trace[0]) return;
    hd_record_prepare();
    hd_code_begin(&self->coder, self->coder.bytes, EVENTS);
    self->definitions_at = self->definitions;
    self->total = self->defined = self->row.count = 0;
    open_file();
    hd_rt->recording = true;
    hd_rt->coder = &self->coder;
    hd_ids_begin();
}

void hd_record_end(void) {
    if (!hd_rt->recording) return;
    if (!hd_rt->outcome.failure) hd_record_leave();
    self->value_at = 0;
    hd_rt->recording = false;
    hd_rt->coder = NULL;
    hd_ids_end();
    flush_events();
    flush_definitions();
    close_file();
}

void hd_record_lost(void) {
    if (!hd_rt->recording) return;
    hd_rt->recording = false;
    hd_rt->coder = NULL;
    self->total = 0;
    open_file();
    close_file();
}
