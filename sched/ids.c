/* ids.c - ids for what events are about, given on first use.
 *
 * A program counter finds its site by a table over the code of its module, a
 * variable, a block and a primitive carry their ids: nothing is searched for. */
#include "ids.h"

#include "frame.h"
#include "heap.h"
#include "linkage.h"
#include "module.h"
#include "primitive.h"
#include "runtime.h"
#include "shadow.h"
#include "trace/trace.h"

#include <stdio.h>
#include <sys/mman.h>

#define LAST_LABELS 256

struct site_ids { /* of one module, by code offset */
    uint32_t *site, *label;
};

struct label_id { /* found last for a place in the code */
    void *pc;
    uint32_t label;
};

struct hd_ids_state {
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

static struct hd_ids_state *self_(void) { return hd_rt->ids; }
#define self (self_())

#define DEFINE(table, id, first, second, ...)                                            \
    hd_record_define(table, id, (const uint64_t[]){__VA_ARGS__},                         \
                     sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), first,  \
                     second)

static void know_module(int module) {
    if (self->module_known[module]) return;
    self->module_known[module] = 1;
    const struct hd_module_map *map = hd_module_at(module);
    size_t bytes = ((map->high - map->low) * sizeof(uint32_t) + HD_PAGE) & ~(HD_PAGE - 1);
    for (int i = 0; i < 2; i++) {
        void *at = hd_map_aside(bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
        if (!at) hd_give_up("out of memory for the trace");
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

uint32_t hd_ids_site(void *pc) {
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

static void define_label(uint32_t id, void *pc, bool entry, uint32_t site) {
    unsigned flags = (entry ? HD_LABEL_ENTRY : 0) | (hd_call_divides(pc) ? 0 : HD_LABEL_SHORT);
    DEFINE(HD_TABLE_LABEL, id, "", NULL, flags, site);
}

uint32_t hd_ids_label(void *pc, bool entry) {
    int module;
    struct label_id *last = &self->last_labels[((uintptr_t)pc >> 4) % LAST_LABELS];
    if (hd_likely(last->pc == pc && !entry)) return last->label;
    uint32_t site = hd_ids_site(pc);
    if (site == HD_NO_ID) return HD_NO_ID;
    uint32_t *cell = site_cell(pc, &module);
    uint32_t *label = &self->ids[module].label[cell - self->ids[module].site];
    if (*label == 0) {
        *label = ++self->labels;
        remember_cell(&self->label_cells, &self->label_cell_count, &self->label_cell_room, label);
        define_label(*label - 1, pc, entry, site);
    } else if (entry) {
        define_label(*label - 1, pc, entry, site);
    }
    *last = (struct label_id){pc, *label - 1};
    return *label - 1;
}

uint32_t hd_ids_object(struct hd_object object, const char *name) {
    DEFINE(HD_TABLE_OBJECT, self->objects, name, NULL, object.kind, object.owner, object.nth,
           object.site, object.module, object.size, object.address, object.each);
    return self->objects++;
}

uint32_t hd_ids_block(struct hd_block *block, void *caller) {
    if (block->generation != hd_rt->generation || block->trace == 0) {
        block->generation = hd_rt->generation;
        struct hd_object object = {.kind = HD_OBJECT_HEAP, .owner = block->thread,
                                   .nth = (uint32_t)block->nth, .site = hd_ids_site(block->pc),
                                   .module = HD_NO_ID, .size = block->size,
                                   .address = hd_ids_site(caller) + 1u};
        block->trace = hd_ids_object(object, "") + 1;
    }
    return block->trace - 1;
}

static uint32_t thread_object(uint32_t *table, const struct hd_thread *thread,
                              enum hd_object_kind kind, const char *what) {
    if (table[thread->id] == 0) {
        char name[160], path[128];
        snprintf(name, sizeof name, "%s(%s)", what, hd_thread_name(thread, path, sizeof path));
        struct hd_object object = {.kind = (uint8_t)kind, .owner = thread->id,
                                   .site = HD_NO_ID, .module = HD_NO_ID,
                                   .size = thread->stack_size};
        table[thread->id] = hd_ids_object(object, name) + 1;
    }
    return table[thread->id] - 1;
}

static bool on_a_stack(uintptr_t address) {
    return address - HD_AT_STACKS < (uintptr_t)HD_HOMES * HD_STACK_STRIDE;
}

static void tell_frame(uintptr_t address) {
    const struct hd_thread *owner = hd_frame_owner(address);
    if (owner && address - (uintptr_t)owner->stack_low < owner->stack_size) {
        hd_frame_tell(owner, address);
    }
}

/* The object an address lies in, and where in it. */
static uint32_t object_of(uintptr_t address, uint64_t *offset) {
    int module;
    if (hd_heap_owns(address)) {
        struct hd_block *block = hd_heap_block(address);
        if (block) {
            *offset = address - (uintptr_t)(block + 1);
            return hd_ids_block(block, NULL);
        }
    } else if (on_a_stack(address)) {
        const struct hd_thread *thread = hd_frame_owner(address);
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
            self->module_object[module] = hd_ids_object(object, "") + 1;
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
        self->other_object = hd_ids_object(object, "memory") + 1;
    }
    *offset = address;
    return self->other_object - 1;
}

uint32_t hd_ids_variable(struct hd_var *var) {
    uintptr_t address = hd_var_address(var);
    if (hd_unlikely(on_a_stack(address))) {
        const struct hd_thread *me = hd_rt->current;
        if (!me || address - (uintptr_t)me->stack_low >= me->stack_size) tell_frame(address);
    }
    if (!var->trace) {
        uint64_t offset;
        uint32_t object = object_of(address, &offset);
        var->trace = self->variables | HD_VAR_TRACED;
        hd_record_variable(self->variables++, object, var->size, offset);
    }
    return var->trace & ~HD_VAR_TRACED;
}

uint32_t hd_ids_sync(struct hd_primitive *primitive) {
    if (on_a_stack(primitive->place.key)) tell_frame(primitive->place.key);
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

void hd_ids_threads(void) {
    char name[256];
    while (self->threads < hd_rt->thread_count) {
        hd_thread_name(hd_rt->threads[self->threads], name, sizeof name);
        hd_record_define(HD_TABLE_THREAD, self->threads++, NULL, 0, name, NULL);
    }
}

uint32_t hd_ids_region(const char *name, void *pc) {
    uint32_t i = 0;
    while (i < self->region_count && strcmp(self->region_name[i], name) != 0) i++;
    if (i == 1024) return HD_NO_ID;
    if (i == self->region_count) {
        size_t size = strlen(name) + 1;
        char *kept = hd_passing(size);
        memcpy(kept, name, size);
        self->region_name[i] = kept;
        self->region_label[i] = self->labels++;
        DEFINE(HD_TABLE_LABEL, self->region_label[i], name, NULL, 0, hd_ids_site(pc));
        self->region_count++;
    }
    return self->region_label[i];
}

/* ---- begin and end ------------------------------------------------------------------ */

/* Sites get their ids anew in every trace; those that had one are listed. */
static void forget_sites(void) {
    for (uint32_t i = 0; i < self->site_cell_count; i++) *self->site_cells[i] = 0;
    for (uint32_t i = 0; i < self->label_cell_count; i++) *self->label_cells[i] = 0;
    self->site_cell_count = self->label_cell_count = 0;
}

void hd_ids_prepare(void) {
    hd_rt->ids = hd_own(sizeof *hd_rt->ids);
    self->stack_object = hd_own(HD_HOMES * sizeof(uint32_t));
    self->tls_object = hd_own(HD_HOMES * sizeof(uint32_t));
    hd_frame_prepare();
    for (int i = 0; i < hd_module_count(); i++) know_module(i);
}

void hd_ids_begin(void) {
    memset(self->last_labels, 0, sizeof self->last_labels);
    self->sites = self->labels = self->objects = self->variables = self->syncs = 0;
    self->threads = self->other_object = self->region_count = 0;
    memset(self->module_object, 0, sizeof self->module_object);
    memset(self->stack_object, 0, self->threads_before * sizeof(uint32_t));
    memset(self->tls_object, 0, self->threads_before * sizeof(uint32_t));
    hd_frame_begin();
    forget_sites();
    for (int i = 0; i < hd_module_count(); i++) {
        hd_record_define(HD_TABLE_MODULE, (uint32_t)i, NULL, 0, hd_module_at(i)->path,
                         hd_module_at(i)->build_id);
    }
    hd_ids_threads();
}

void hd_ids_end(void) {
    hd_ids_threads();
    self->threads_before = hd_rt->thread_count;
}
