/* record.c - the trace, written as it happens.
 *
 * Events go to one buffer, definitions of the ids in them to another; a full
 * buffer becomes a chunk of the file (trace/format.h). Ids are given on first
 * use. A program counter finds its site by a table over the code of its module,
 * a variable carries its id: nothing on the event path is searched for.
 *
 * Function entries are held back until something happens inside: a call without
 * any event says nothing. */
#include "record.h"

#include "heap.h"
#include "module.h"
#include "runtime.h"
#include "shadow.h"
#include "trace/coding.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS (1u << 18)
#define DEFINITIONS (1u << 20)
#define LAST_LABELS 256

struct site_ids { /* of one module, by code offset */
    uint32_t *site, *label;
};

struct label_id { /* found last for a place in the code */
    void *pc;
    uint32_t label;
};

struct hd_record_state {
    struct hd_coder coder;
    int fd;
    uint64_t total;
    uint32_t defined;
    unsigned char *definitions, *definitions_at;
    uint32_t sites, labels, objects, variables, syncs, threads;
    uint32_t module_object[HD_MODULES], module_known[HD_MODULES];
    struct site_ids ids[HD_MODULES];
    uint32_t *stack_object, *tls_object; /* by thread */
    uint32_t other_object;
    uint32_t **site_cells, **label_cells;
    uint32_t site_cell_count, site_cell_room, label_cell_count, label_cell_room;
    struct label_id last_labels[LAST_LABELS];
    uint32_t threads_before; /* of the last execution */
    uint32_t region_count;
    const char *region_name[1024];
    uint32_t region_label[1024];
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

static void flush_definitions(void) {
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

/* One definition: its numbers, then up to two strings. */
static void define(enum hd_table table, uint32_t id, const uint64_t *numbers, unsigned count,
                   const char *first, const char *second) {
    size_t a = first ? strlen(first) + 1 : 0, b = second ? strlen(second) + 1 : 0;
    size_t most = 1 + (count + 1) * HD_NUMBER_BYTES + a + b;
    unsigned char *at = self->definitions_at;
    if (most > (size_t)(self->definitions + DEFINITIONS - at)) {
        flush_definitions();
        at = self->definitions_at;
    }
    *at++ = (unsigned char)table;
    at = hd_number_put(at, id);
    for (unsigned i = 0; i < count; i++) at = hd_number_put(at, numbers[i]);
    if (a) memcpy(at, first, a);
    if (b) memcpy(at + a, second, b);
    self->definitions_at = at + a + b;
    self->defined++;
}

#define DEFINE(table, id, first, second, ...)                                            \
    define(table, id, (const uint64_t[]){__VA_ARGS__},                                   \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), first, second)

/* ---- ids ----------------------------------------------------------------------- */

static void know_module(int module) {
    if (self->module_known[module]) return;
    self->module_known[module] = 1;
    const struct hd_module_map *map = hd_module_at(module);
    size_t bytes = ((map->high - map->low) * sizeof(uint32_t) + HD_PAGE) & ~(HD_PAGE - 1);
    for (int i = 0; i < 2; i++) {
        void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) hd_give_up("out of memory for the trace");
        *(i ? &self->ids[module].label : &self->ids[module].site) = at;
    }
}

static uint32_t *site_cell(void *pc, int *module) {
    uintptr_t address = (uintptr_t)pc - 1;
    *module = hd_module_of(address);
    if (*module < 0) return NULL;
    know_module(*module);
    return &self->ids[*module].site[address - hd_module_at(*module)->low];
}

static void remember_cell(uint32_t ***list, uint32_t *count, uint32_t *room, uint32_t *cell) {
    if (*count == *room) {
        uint32_t more = *room ? *room * 2 : 256;
        uint32_t **cells = hd_own(more * sizeof *cells);
        if (*count) memcpy(cells, *list, *count * sizeof *cells);
        *list = cells;
        *room = more;
    }
    (*list)[(*count)++] = cell;
}

static uint32_t site_of(void *pc) {
    int module;
    if (!pc) return HD_NO_ID;
    uint32_t *cell = site_cell(pc, &module);
    if (!cell) return HD_NO_ID;
    if (*cell == 0) {
        *cell = ++self->sites;
        remember_cell(&self->site_cells, &self->site_cell_count, &self->site_cell_room, cell);
        DEFINE(HD_TABLE_SITE, *cell - 1, "", "", (uint32_t)module, 0,
               (uintptr_t)pc - 1 - hd_module_at(module)->base);
    }
    return *cell - 1;
}

static uint32_t label_of(void *pc, bool entry) {
    int module;
    struct label_id *last = &self->last_labels[((uintptr_t)pc >> 4) % LAST_LABELS];
    if (hd_likely(last->pc == pc && !entry)) return last->label;
    uint32_t site = site_of(pc);
    if (site == HD_NO_ID) return HD_NO_ID;
    uint32_t *cell = site_cell(pc, &module);
    uint32_t *label = &self->ids[module].label[cell - self->ids[module].site];
    if (*label == 0) {
        *label = ++self->labels;
        remember_cell(&self->label_cells, &self->label_cell_count, &self->label_cell_room, label);
        DEFINE(HD_TABLE_LABEL, *label - 1, "", NULL, entry ? HD_LABEL_ENTRY : 0, site);
    } else if (entry) {
        DEFINE(HD_TABLE_LABEL, *label - 1, "", NULL, HD_LABEL_ENTRY, site);
    }
    *last = (struct label_id){pc, *label - 1};
    return *label - 1;
}

static uint32_t new_object(struct hd_object object, const char *name) {
    DEFINE(HD_TABLE_OBJECT, self->objects, name, NULL, object.kind, object.owner, object.nth,
           object.site, object.module, object.size, 0);
    return self->objects++;
}

static uint32_t block_object(struct hd_block *block) {
    if (block->generation != hd_rt->generation || block->trace == 0) {
        block->generation = hd_rt->generation;
        struct hd_object object = {.kind = HD_OBJECT_HEAP, .owner = block->thread,
                                   .nth = (uint32_t)block->nth, .site = site_of(block->pc),
                                   .module = HD_NO_ID, .size = block->size};
        block->trace = new_object(object, "") + 1;
    }
    return block->trace - 1;
}

static struct hd_thread *stack_owner(uintptr_t address) {
    uint32_t home = (uint32_t)((address - HD_AT_STACKS) / HD_STACK_STRIDE);
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (hd_rt->threads[i]->home == home) return hd_rt->threads[i];
    }
    return NULL;
}

static uint32_t thread_object(uint32_t *table, const struct hd_thread *thread,
                              enum hd_object_kind kind, const char *what) {
    if (table[thread->id] == 0) {
        char name[160], path[128];
        snprintf(name, sizeof name, "%s(%s)", what, hd_thread_name(thread, path, sizeof path));
        struct hd_object object = {.kind = (uint8_t)kind, .owner = thread->id,
                                   .site = HD_NO_ID, .module = HD_NO_ID,
                                   .size = thread->stack_size};
        table[thread->id] = new_object(object, name) + 1;
    }
    return table[thread->id] - 1;
}

/* The object an address lies in, and where in it. */
static uint32_t object_of(uintptr_t address, uint64_t *offset) {
    int module;
    if (hd_heap_owns(address)) {
        struct hd_block *block = hd_heap_block(address);
        if (block) {
            *offset = address - (uintptr_t)(block + 1);
            return block_object(block);
        }
    } else if (address >= HD_AT_STACKS &&
               address < HD_AT_STACKS + (uintptr_t)HD_HOMES * HD_STACK_STRIDE) {
        const struct hd_thread *thread = stack_owner(address);
        if (thread) {
            bool tls = address >= (uintptr_t)hd_stack_top(thread->home);
            *offset = address - (uintptr_t)thread->stack_low - (tls ? thread->stack_size : 0);
            return tls ? thread_object(self->tls_object, thread, HD_OBJECT_TLS, "tls")
                       : thread_object(self->stack_object, thread, HD_OBJECT_STACK, "stack");
        }
    } else if ((module = hd_module_of(address)) >= 0) {
        know_module(module);
        const struct hd_module_map *map = hd_module_at(module);
        if (self->module_object[module] == 0) {
            struct hd_object object = {.kind = HD_OBJECT_GLOBAL, .site = HD_NO_ID,
                                       .module = (uint32_t)module,
                                       .size = map->high - map->base};
            self->module_object[module] = new_object(object, "") + 1;
        }
        *offset = address - map->base;
        return self->module_object[module] - 1;
    } else if (address - (uintptr_t)hd_rt->root_tp + 65536 < 65536 + 4096) {
        *offset = address - (uintptr_t)hd_rt->root_tp + 65536;
        return thread_object(self->tls_object, hd_rt->threads[0], HD_OBJECT_TLS, "tls");
    }
    if (self->other_object == 0) {
        struct hd_object object = {.kind = HD_OBJECT_GLOBAL, .site = HD_NO_ID,
                                   .module = HD_NO_ID, .size = UINT64_MAX};
        self->other_object = new_object(object, "memory") + 1;
    }
    *offset = address;
    return self->other_object - 1;
}

static uint32_t variable_of(struct hd_var *var) {
    if (!var->trace) {
        uint64_t offset;
        uint32_t object = object_of(hd_var_more(var)->address, &offset);
        var->trace = self->variables | HD_VAR_TRACED;
        DEFINE(HD_TABLE_VARIABLE, self->variables++, "", NULL, object, var->size, offset);
    }
    return var->trace & ~HD_VAR_TRACED;
}

static uint32_t sync_of(struct hd_primitive *primitive) {
    if (primitive->place.trace == 0) {
        uint32_t object = HD_NO_ID;
        uint64_t offset = 0;
        const char *name = hd_hidden_name(primitive->place.key);
        if (!name) {
            name = "";
            object = object_of(primitive->place.key, &offset);
        }
        primitive->place.trace = ++self->syncs;
        DEFINE(HD_TABLE_SYNC, primitive->place.trace - 1, name, NULL, primitive->kind, object,
               primitive->initial, offset);
    }
    return primitive->place.trace - 1;
}

static void know_threads(void) {
    char name[256];
    while (self->threads < hd_rt->thread_count) {
        hd_thread_name(hd_rt->threads[self->threads], name, sizeof name);
        define(HD_TABLE_THREAD, self->threads++, NULL, 0, name, NULL);
    }
}

/* ---- events ---------------------------------------------------------------------- */

/* Its site is looked for only where the file does not know it yet. */
static void emit(struct hd_event event, void *pc) {
    struct hd_coder *coder = &self->coder;
    uint64_t where = (uintptr_t)pc;
    if (!hd_code_expected(coder, where, &event) && !hd_code_known(coder, where, &event)) {
        event.site = site_of(pc);
        hd_code_new(coder, where, &event);
    }
    if (hd_unlikely(coder->at > coder->full)) flush_events();
}

void hd_record_run(void) {
    struct hd_coder *coder = &self->coder;
    hd_code_end_run(coder);
    if (coder->at > coder->full) flush_events();
}

static void show_calls(struct hd_thread *thread) {
    while (thread->entered < thread->depth) {
        bool entry = thread->entered == 0;
        void *pc = thread->calls[thread->entered++].pc;
        uint32_t label = label_of(pc, entry);
        if (label == HD_NO_ID) continue;
        emit((struct hd_event){label, 0, 0, thread->id, HD_ENTER, entry ? HD_FLAG_ENTRY : 0},
             pc);
    }
}

static void event(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc) {
    struct hd_thread *thread = hd_rt->current;
    if (hd_unlikely(!thread->shown)) { /* the first thing it does that a schedule counts */
        thread->shown = true;
        if (thread->id != 0) {
            emit((struct hd_event){HD_NO_ID, HD_NO_ID, 0, thread->id, HD_START, 0}, NULL);
        }
    }
    if (hd_unlikely(thread->entered < thread->depth)) show_calls(thread);
    emit((struct hd_event){obj, aux, 0, thread->id, (uint8_t)kind, (uint8_t)flags}, pc);
}

void hd_call_left(struct hd_thread *thread) {
    thread->depth--;
    if (thread->entered <= thread->depth) return;
    thread->entered = thread->depth;
    if (!hd_rt->recording) return;
    void *pc = thread->calls[thread->depth].pc;
    uint32_t label = label_of(pc, false);
    if (label == HD_NO_ID) return;
    emit((struct hd_event){label, 0, 0, thread->id, HD_EXIT, 0}, NULL);
}

void hd_record_access(enum hd_kind kind, struct hd_var *var, unsigned order, unsigned flags,
                      void *pc) {
    event(kind, variable_of(var), hd_kind_is_plain(kind) ? HD_NO_ID : order, flags, pc);
}

void hd_record_sync(enum hd_kind kind, struct hd_primitive *primitive, uint32_t aux,
                    unsigned flags, void *pc) {
    if (hd_rt->recording) event(kind, sync_of(primitive), aux, flags, pc);
}

void hd_record_wait(enum hd_kind kind, struct hd_primitive *condition,
                    struct hd_primitive *lock, void *pc) {
    if (hd_rt->recording) event(kind, sync_of(condition), sync_of(lock), 0, pc);
}

void hd_record_guarded(struct hd_var *var, struct hd_primitive *lock, void *pc) {
    if (hd_rt->recording) event(HD_GUARDED, variable_of(var), sync_of(lock), 0, pc);
}

void hd_record_plain(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc) {
    if (!hd_rt->recording) return;
    know_threads();
    event(kind, obj, aux, flags, pc);
}

void hd_record_region(enum hd_kind kind, const char *name, unsigned flags, void *pc) {
    if (!hd_rt->recording) return;
    hd_stamp(hd_rt->current);
    uint32_t label = HD_NO_ID;
    uint32_t i = 0;
    if (name) {
        while (i < self->region_count && strcmp(self->region_name[i], name) != 0) i++;
        if (i == self->region_count && i < 1024) {
            size_t size = strlen(name) + 1;
            char *kept = hd_passing(size);
            memcpy(kept, name, size);
            self->region_name[i] = kept;
            self->region_label[i] = self->labels++;
            DEFINE(HD_TABLE_LABEL, self->region_label[i], name, NULL, 0, site_of(pc));
            self->region_count++;
        }
        label = i < 1024 ? self->region_label[i] : HD_NO_ID;
    }
    event(kind, label, 0, flags, pc);
}

void hd_record_alloc(struct hd_block *block, void *pc) {
    if (!hd_rt->current) return;
    uint32_t object = block_object(block);
    event(HD_ALLOC, object, block->size > UINT32_MAX ? UINT32_MAX : (uint32_t)block->size, 0, pc);
}

void hd_record_free(struct hd_block *block, void *pc) {
    if (hd_rt->current) event(HD_FREE, block_object(block), 0, 0, pc);
}

/* ---- begin and end ------------------------------------------------------------------ */

/* Sites get their ids anew in every trace; those that had one are listed. */
static void forget_sites(void) {
    for (uint32_t i = 0; i < self->site_cell_count; i++) *self->site_cells[i] = 0;
    for (uint32_t i = 0; i < self->label_cell_count; i++) *self->label_cells[i] = 0;
    self->site_cell_count = self->label_cell_count = 0;
}

void hd_record_prepare(void) {
    if (!hd_rt->config.trace[0] || hd_rt->record) return;
    hd_rt->record = hd_own(sizeof *hd_rt->record);
    self->coder.bytes = hd_own(EVENTS);
    self->definitions = hd_own(DEFINITIONS);
    self->stack_object = hd_own(HD_HOMES * sizeof(uint32_t));
    self->tls_object = hd_own(HD_HOMES * sizeof(uint32_t));
    for (int i = 0; i < hd_module_count(); i++) know_module(i);
}

void hd_record_begin(void) {
    if (!hd_rt->config.trace[0]) return;
    hd_record_prepare();
    hd_code_begin(&self->coder, self->coder.bytes, EVENTS);
    self->definitions_at = self->definitions;
    self->total = self->defined = 0;
    memset(self->last_labels, 0, sizeof self->last_labels);
    self->sites = self->labels = self->objects = self->variables = self->syncs = 0;
    self->threads = self->other_object = self->region_count = 0;
    memset(self->module_object, 0, sizeof self->module_object);
    memset(self->stack_object, 0, self->threads_before * sizeof(uint32_t));
    memset(self->tls_object, 0, self->threads_before * sizeof(uint32_t));
    forget_sites();
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
    for (int i = 0; i < hd_module_count(); i++) {
        define(HD_TABLE_MODULE, (uint32_t)i, NULL, 0, hd_module_at(i)->path,
               hd_module_at(i)->build_id);
    }
    hd_rt->recording = true;
    hd_rt->coder = &self->coder;
    know_threads();
}

void hd_record_end(void) {
    if (!hd_rt->recording) return;
    hd_rt->recording = false;
    hd_rt->coder = NULL;
    know_threads();
    self->threads_before = hd_rt->thread_count;
    flush_events();
    flush_definitions();
    struct hd_chunk end = {HD_CHUNK_END, 0, 0, self->total};
    put(&end, sizeof end);
    close(self->fd);
}
