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
#include "trace/format.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS 65536
#define DEFINITIONS (1u << 20)
#define LABELS 65536

struct site_ids { /* of one module, by code offset */
    uint32_t *site, *label;
};

struct hd_record_state {
    int fd;
    uint64_t total;
    uint32_t used, defined;
    size_t bytes;
    struct hd_event *events;
    char *definitions;
    uint32_t sites, labels, objects, variables, syncs, threads;
    uint32_t module_object[HD_MODULES], module_known[HD_MODULES];
    struct site_ids ids[HD_MODULES];
    uint32_t *stack_object, *tls_object; /* by thread */
    uint32_t other_object;
    uint32_t **site_cells, **label_cells;
    uint32_t site_cell_count, site_cell_room, label_cell_count, label_cell_room;
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

static uint32_t fnv(const char *data, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)data[i]) * 16777619u;
    return hash;
}

static void flush_definitions(void) {
    if (self->defined == 0) return;
    struct hd_chunk chunk = {HD_CHUNK_DEFINITIONS, fnv(self->definitions, self->bytes),
                             self->bytes, self->defined};
    put(&chunk, sizeof chunk);
    put(self->definitions, self->bytes);
    self->bytes = self->defined = 0;
}

static void flush_events(void) {
    if (self->used == 0) return;
    struct hd_chunk chunk = {HD_CHUNK_EVENTS, 0, self->used * sizeof(struct hd_event),
                             self->used};
    put(&chunk, sizeof chunk);
    put(self->events, self->used * sizeof(struct hd_event));
    self->total += self->used;
    self->used = 0;
}

/* One definition: its fixed part, then up to two strings. */
static void define(enum hd_table table, uint32_t id, const void *fixed, size_t size,
                   const char *first, const char *second) {
    size_t a = first ? strlen(first) + 1 : 0, b = second ? strlen(second) + 1 : 0;
    size_t bytes = size + a + b;
    size_t padded = (bytes + 7) & ~(size_t)7;
    if (self->bytes + sizeof(struct hd_record) + padded > DEFINITIONS) flush_definitions();
    struct hd_record record = {(uint32_t)table, id, (uint32_t)bytes, 0};
    char *at = self->definitions + self->bytes;
    memcpy(at, &record, sizeof record);
    at += sizeof record;
    memset(at, 0, padded);
    memcpy(at, fixed, size);
    if (a) memcpy(at + size, first, a);
    if (b) memcpy(at + size + a, second, b);
    self->bytes += sizeof record + padded;
    self->defined++;
}

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
        struct hd_site_record site = {(uint32_t)module, 0,
                                      (uintptr_t)pc - 1 - hd_module_at(module)->base};
        define(HD_TABLE_SITE, *cell - 1, &site, sizeof site, "", "");
    }
    return *cell - 1;
}

static uint32_t label_of(void *pc, bool entry) {
    int module;
    uint32_t site = site_of(pc);
    if (site == HD_NO_ID) return HD_NO_ID;
    uint32_t *cell = site_cell(pc, &module);
    uint32_t *label = &self->ids[module].label[cell - self->ids[module].site];
    if (*label == 0) {
        *label = ++self->labels;
        remember_cell(&self->label_cells, &self->label_cell_count, &self->label_cell_room, label);
        struct hd_label_record record = {entry ? HD_LABEL_ENTRY : 0, site};
        define(HD_TABLE_LABEL, *label - 1, &record, sizeof record, "", NULL);
    } else if (entry) {
        struct hd_label_record record = {HD_LABEL_ENTRY, site};
        define(HD_TABLE_LABEL, *label - 1, &record, sizeof record, "", NULL);
    }
    return *label - 1;
}

static uint32_t new_object(struct hd_object_record object, const char *name) {
    define(HD_TABLE_OBJECT, self->objects, &object, sizeof object, name, NULL);
    return self->objects++;
}

static uint32_t block_object(struct hd_block *block) {
    if (block->generation != hd_rt->generation || block->trace == 0) {
        block->generation = hd_rt->generation;
        struct hd_object_record object = {HD_OBJECT_HEAP, block->thread, (uint32_t)block->nth,
                                          site_of(block->pc), HD_NO_ID, 0, block->size, 0};
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
        struct hd_object_record object = {(uint32_t)kind, thread->id, 0, HD_NO_ID, HD_NO_ID, 0,
                                          thread->stack_size, 0};
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
            struct hd_object_record object = {HD_OBJECT_GLOBAL, 0, 0, HD_NO_ID, (uint32_t)module,
                                              0, map->high - map->base, 0};
            self->module_object[module] = new_object(object, "") + 1;
        }
        *offset = address - map->base;
        return self->module_object[module] - 1;
    } else if (address - (uintptr_t)hd_rt->root_tp + 65536 < 65536 + 4096) {
        *offset = address - (uintptr_t)hd_rt->root_tp + 65536;
        return thread_object(self->tls_object, hd_rt->threads[0], HD_OBJECT_TLS, "tls");
    }
    if (self->other_object == 0) {
        struct hd_object_record object = {HD_OBJECT_GLOBAL, 0, 0, HD_NO_ID, HD_NO_ID, 0,
                                          UINT64_MAX, 0};
        self->other_object = new_object(object, "memory") + 1;
    }
    *offset = address;
    return self->other_object - 1;
}

static uint32_t variable_of(struct hd_var *var) {
    if (var->trace == 0) {
        struct hd_variable_record variable = {.size = var->size};
        variable.object = object_of(var->address, &variable.offset);
        var->trace = ++self->variables;
        define(HD_TABLE_VARIABLE, var->trace - 1, &variable, sizeof variable, "", NULL);
    }
    return var->trace - 1;
}

static uint32_t sync_of(struct hd_primitive *primitive) {
    if (primitive->place.trace == 0) {
        struct hd_sync_record sync = {.kind = primitive->kind, .object = HD_NO_ID,
                                      .initial = primitive->initial};
        const char *name = hd_hidden_name(primitive->place.key);
        if (!name) {
            name = "";
            sync.object = object_of(primitive->place.key, &sync.offset);
        }
        primitive->place.trace = ++self->syncs;
        define(HD_TABLE_SYNC, primitive->place.trace - 1, &sync, sizeof sync, name, NULL);
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

static void emit(struct hd_event event) {
    if (hd_unlikely(self->used == EVENTS)) flush_events();
    self->events[self->used++] = event;
}

static void show_calls(struct hd_thread *thread) {
    while (thread->entered < thread->depth) {
        bool entry = thread->entered == 0;
        void *pc = thread->calls[thread->entered++].pc;
        uint32_t label = label_of(pc, entry);
        if (label == HD_NO_ID) continue;
        emit((struct hd_event){label, 0, site_of(pc), thread->id, HD_ENTER,
                               entry ? HD_FLAG_ENTRY : 0});
    }
}

static void event(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc) {
    struct hd_thread *thread = hd_rt->current;
    if (hd_unlikely(!thread->shown)) { /* the first thing it does that a schedule counts */
        thread->shown = true;
        if (thread->id != 0) {
            emit((struct hd_event){HD_NO_ID, HD_NO_ID, HD_NO_ID, thread->id, HD_START, 0});
        }
    }
    if (hd_unlikely(thread->entered < thread->depth)) show_calls(thread);
    emit((struct hd_event){obj, aux, site_of(pc), thread->id, (uint8_t)kind, (uint8_t)flags});
}

void hd_call_left(struct hd_thread *thread) {
    thread->depth--;
    if (thread->entered <= thread->depth) return;
    thread->entered = thread->depth;
    if (!hd_rt->recording) return;
    void *pc = thread->calls[thread->depth].pc;
    uint32_t label = label_of(pc, false);
    if (label == HD_NO_ID) return;
    emit((struct hd_event){label, 0, HD_NO_ID, thread->id, HD_EXIT, 0});
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
    hd_rt->current->stamp = ++hd_rt->stamps;
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
            struct hd_label_record record = {0, site_of(pc)};
            define(HD_TABLE_LABEL, self->region_label[i], &record, sizeof record, name, NULL);
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
    self->events = hd_own(EVENTS * sizeof *self->events);
    self->definitions = hd_own(DEFINITIONS);
    self->stack_object = hd_own(HD_HOMES * sizeof(uint32_t));
    self->tls_object = hd_own(HD_HOMES * sizeof(uint32_t));
    for (int i = 0; i < hd_module_count(); i++) know_module(i);
}

void hd_record_begin(void) {
    if (!hd_rt->config.trace[0]) return;
    hd_record_prepare();
    self->total = self->used = self->defined = 0;
    self->bytes = 0;
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
    know_threads();
}

void hd_record_end(void) {
    if (!hd_rt->recording) return;
    hd_rt->recording = false;
    know_threads();
    self->threads_before = hd_rt->thread_count;
    flush_events();
    flush_definitions();
    struct hd_chunk end = {HD_CHUNK_END, 0, 0, self->total};
    put(&end, sizeof end);
    close(self->fd);
}
