/* primitive.c - from a tag in the program's memory to the object. */
#include "primitive.h"

#include "frame.h"
#include "module.h"
#include "runtime.h"

#include <pthread.h>
#include <string.h>

struct hd_object_state {
    struct hd_primitive **table;
    uint32_t count, room;
    uint32_t generation;
};

static const char *const words[HD_SYNC_KIND_COUNT] = {
    [HD_SYNC_UNKNOWN] = "object",          [HD_SYNC_MUTEX] = "mutex",
    [HD_SYNC_RWLOCK] = "read-write lock",  [HD_SYNC_SPINLOCK] = "spin lock",
    [HD_SYNC_COND] = "condition variable", [HD_SYNC_BARRIER] = "barrier",
    [HD_SYNC_SEM] = "semaphore",           [HD_SYNC_ONCE] = "once control",
    [HD_SYNC_STREAM] = "stream",           [HD_SYNC_FUTEX] = "futex",
};

const char *hd_primitive_word(const struct hd_primitive *primitive) {
    return words[primitive->kind];
}

static struct hd_object_state *state(void) {
    struct hd_object_state *self = hd_rt->objects;
    if (hd_unlikely(!self)) self = hd_rt->objects = hd_lasting(sizeof *self);
    if (hd_unlikely(self->generation != hd_rt->generation)) {
        self->generation = hd_rt->generation;
        self->count = self->room = 0;
    }
    return self;
}

static int32_t gate_at_first(enum hd_sync_kind kind) {
    bool lock = kind == HD_SYNC_MUTEX || kind == HD_SYNC_RWLOCK || kind == HD_SYNC_SPINLOCK;
    return lock ? 0 : HD_NO_GATE;
}

/* An object that is prepared again where there was one of its kind takes its
 * place: a loop that prepares and destroys needs no more memory, and what was
 * done to the former one stays ordered before. */
static struct hd_primitive *again(struct hd_object_state *self, const void *tag,
                                  enum hd_sync_kind kind) {
    uint32_t number = *(const uint32_t *)tag;
    if (number - 1 >= self->count) return NULL;
    struct hd_primitive *old = self->table[number - 1];
    if (old->tag != tag || old->kind != kind || old->place.pending) return NULL;
    struct hd_primitive fresh = {
        .place = old->place, .tag = old->tag, .kind = (uint8_t)kind, .block = old->block};
    fresh.place.gate = gate_at_first(kind);
    *old = fresh;
    return old;
}

struct hd_primitive *hd_primitive_new(void *tag, enum hd_sync_kind kind) {
    struct hd_object_state *self = state();
    struct hd_primitive *reused = again(self, tag, kind);
    if (reused) return reused;
    if (self->count == self->room) {
        uint32_t room = self->room ? self->room * 2 : 32;
        struct hd_primitive **table = hd_passing(room * sizeof *table);
        if (self->count) memcpy(table, self->table, self->count * sizeof *table);
        self->table = table;
        self->room = room;
    }
    struct hd_primitive *primitive = hd_passing(sizeof *primitive);
    primitive->place.key = (uintptr_t)tag;
    primitive->place.gate = gate_at_first(kind);
    primitive->tag = tag;
    primitive->kind = kind;
    primitive->block = hd_heap_block((uintptr_t)tag);
    self->table[self->count++] = primitive;
    *primitive->tag = self->count;
    return primitive;
}

/* ---- memory that nothing has initialised -------------------------------------------- */

/* What an initialiser of glibc or an init function of ours leaves behind the tag, word by
 * word: the bits that may be set. Words that are not listed are zero. */
enum { MUTEX_COUNT = 1, MUTEX_KIND = 4, COND_CLOCK = 1, RWLOCK_FLAGS = 12 };
enum { MUTEX_PROTECT = 64, MUTEX_KINDS = 0x3ff };

static uint32_t may_be_set(enum hd_sync_kind kind, const uint32_t *memory, unsigned word) {
    switch (kind) {
    case HD_SYNC_MUTEX:
        if (word == MUTEX_KIND) return MUTEX_KINDS;
        return word == MUTEX_COUNT && memory[MUTEX_KIND] & MUTEX_PROTECT ? UINT32_MAX : 0;
    case HD_SYNC_COND: return word == COND_CLOCK ? 0xf : 0;
    case HD_SYNC_RWLOCK: return word == RWLOCK_FLAGS ? 3 : 0;
    default: return 0;
    }
}

static bool initialised(enum hd_sync_kind kind, const uint32_t *memory) {
    size_t size = kind == HD_SYNC_MUTEX    ? sizeof(pthread_mutex_t)
                  : kind == HD_SYNC_COND   ? sizeof(pthread_cond_t)
                  : kind == HD_SYNC_RWLOCK ? sizeof(pthread_rwlock_t)
                                           : 0;
    for (unsigned word = 1; word < size / sizeof *memory; word++) {
        if (memory[word] & ~may_be_set(kind, memory, word)) return false;
    }
    return true;
}

static struct hd_primitive *first_met(void *tag, enum hd_sync_kind kind, void *pc) {
    struct hd_primitive *primitive = hd_primitive_new(tag, kind);
    bool freed = primitive->block && primitive->block->magic == HD_BLOCK_FREED;
    if (hd_unlikely(!initialised(kind, tag)) && !freed && hd_rt->current) {
        char name[128], what[300];
        hd_failure(HD_FAIL_MISUSE, pc, "thread %s uses what nothing has initialised: %s %s",
                   hd_thread_name(hd_rt->current, name, sizeof name), words[kind],
                   hd_frame_describe((uintptr_t)tag, what, sizeof what));
    }
    return primitive;
}

struct hd_primitive *hd_primitive_get(void *tag, enum hd_sync_kind kind, void *pc) {
    struct hd_object_state *self = state();
    uint32_t number = *(uint32_t *)tag;
    if (hd_likely(number - 1 < self->count)) {
        struct hd_primitive *primitive = self->table[number - 1];
        if (hd_likely(primitive->tag == tag)) {
            if (hd_likely(primitive->kind == kind)) return primitive;
            if (primitive->destroyed) return hd_primitive_new(tag, kind);
            hd_failure(HD_FAIL_MISUSE, pc, "a %s is used as a %s",
                       hd_primitive_word(primitive), words[kind]);
        }
    }
    return first_met(tag, kind, pc);
}

struct hd_primitive *hd_primitive_numbered(uint32_t number, const void *tag) {
    struct hd_object_state *self = state();
    if (number - 1 >= self->count) return NULL;
    struct hd_primitive *primitive = self->table[number - 1];
    return primitive->tag == tag ? primitive : NULL;
}

void hd_primitive_destroy(struct hd_primitive *primitive) {
    primitive->destroyed = true;
}

struct hd_primitive *hd_primitive_of(const struct hd_place *place) {
    struct hd_object_state *self = state();
    for (uint32_t i = 0; i < self->count; i++) {
        if (&self->table[i]->place == place) return self->table[i];
    }
    return NULL;
}
