/* heap.c - arenas, blocks, and their rest after free.
 *
 * An arena hands out addresses upward and never looks back until it has given
 * out REST bytes; after that the blocks that were freed longest ago are used
 * again, by size class. So an address means one object for as long as a use
 * after free is likely to be made, and a program that allocates for ever still
 * runs. Memory above the mark is zero at the start of every execution. */
#include "heap.h"

#include "access.h"
#include "module.h"
#include "record.h"
#include "runtime.h"
#include "shadow.h"

#include <stdio.h>
#include <sys/mman.h>

#define REST (64UL << 20)  /* bytes an arena gives out before it takes freed blocks */
#define CLASSES 160
#define LARGE (1UL << 20)  /* pages of a freed block this large go back to the kernel */

struct arena {
    struct hd_region region;
    uint32_t home;
    bool used;
    struct hd_block **index; /* headers by address */
    uint32_t count, room;
    uint32_t recent; /* the header that was looked for last: the next is most often the same */
    struct hd_block *first[CLASSES], *last[CLASSES]; /* freed, oldest first */
    uintptr_t mark;
    uint32_t count_at_mark;
    void *saved; /* the bytes below the mark */
    struct arena *next; /* of those in use */
};

struct hd_heap_state {
    struct arena *homes[HD_HOMES];
    struct arena *spill;
    struct arena *all;
    uint64_t early; /* allocations while no thread is known */
};

static struct hd_heap_state *state(void) {
    if (hd_unlikely(!hd_rt->heap)) hd_rt->heap = hd_own(sizeof *hd_rt->heap);
    return hd_rt->heap;
}

static struct arena *make(uint32_t home, uintptr_t base, uintptr_t end) {
    struct arena *arena = hd_own(sizeof *arena);
    hd_region_init(&arena->region, base, end);
    arena->home = home;
    arena->mark = base;
    arena->next = state()->all;
    state()->all = arena;
    return arena;
}

static struct arena *arena_of(uint32_t home) {
    struct arena **at = &state()->homes[home];
    if (!*at) {
        uintptr_t base = home == 0 ? HD_AT_HEAP : HD_AT_HEAPS + home * HD_HEAP_STRIDE;
        *at = make(home, base, home == 0 ? HD_AT_SPILL : base + HD_HEAP_STRIDE);
    }
    return *at;
}

static struct arena *spill(void) {
    if (!state()->spill) state()->spill = make(HD_HOMES, HD_AT_SPILL, HD_AT_HEAPS);
    return state()->spill;
}

static struct arena *arena_at(uintptr_t address) {
    if (!hd_heap_owns(address)) return NULL;
    if (address < HD_AT_SPILL) return state()->homes[0];
    if (address < HD_AT_HEAPS) return state()->spill;
    return state()->homes[(address - HD_AT_HEAPS) / HD_HEAP_STRIDE];
}

/* Sizes in steps of 16 up to 1 kB, then four steps to each doubling. */
static unsigned class_of(size_t size, size_t *rounded) {
    if (size <= 1024) {
        unsigned class = (unsigned)((size + 15) / 16);
        *rounded = class * 16UL;
        return class;
    }
    unsigned shift = 63 - (unsigned)__builtin_clzl(size - 1);
    size_t step = 1UL << (shift - 2);
    *rounded = (size + step - 1) & ~(step - 1);
    unsigned class = 65 + (shift - 10) * 4 + (unsigned)((size - 1 - (1UL << shift)) / step);
    return class < CLASSES ? class : CLASSES - 1;
}

static void index_add(struct arena *arena, struct hd_block *block) {
    if (arena->count == arena->room) {
        uint32_t room = arena->room ? arena->room * 2 : 256;
        struct hd_block **more = hd_own(room * sizeof *more);
        if (arena->count) memcpy(more, arena->index, arena->count * sizeof *more);
        arena->index = more;
        arena->room = room;
    }
    arena->index[arena->count++] = block;
}

static struct hd_block *reuse(struct arena *arena, unsigned class, size_t rounded) {
    if (arena->region.next - arena->region.base < REST || class == CLASSES - 1) return NULL;
    struct hd_block *block = arena->first[class];
    if (!block || block->class != rounded / 16) return NULL;
    arena->first[class] = block->pc;
    if (!arena->first[class]) arena->last[class] = NULL;
    return block;
}

void *hd_heap_alloc(size_t size, size_t align, bool zero, void *pc) {
    if (size > (1UL << 46)) return NULL;
    if (hd_rt->quiet_depth > 0) return hd_own(size ? size : 1);
    struct hd_thread *self = hd_rt->current;
    struct arena *arena = arena_of(self ? self->home : 0);
    size_t rounded;
    unsigned class = class_of(size ? size : 1, &rounded);
    struct hd_block *block = NULL;
    bool fresh = true;
    if (align <= 16) {
        block = reuse(arena, class, rounded);
        fresh = !block;
    }
    if (!block) {
        size_t extra = align > 16 ? align : 0;
        char *at = hd_region_take(&arena->region, sizeof *block + rounded + extra);
        if (!at) {
            arena = spill();
            at = hd_region_take(&arena->region, sizeof *block + rounded + extra);
        }
        if (!at) return NULL;
        uintptr_t body = (uintptr_t)at + sizeof *block;
        if (extra) body = (body + align - 1) & ~(align - 1);
        block = (struct hd_block *)body - 1;
        index_add(arena, block);
    }
    *block = (struct hd_block){.magic = HD_BLOCK_LIVE,
                               .home = arena->home,
                               .nth = self ? self->allocations++ : state()->early++,
                               .size = size,
                               .pc = pc,
                               .thread = self ? self->id : 0,
                               .class = (uint32_t)(align > 16 ? 0 : rounded / 16)};
    void *body = block + 1;
    if (!fresh) {
        hd_shadow_freed((uintptr_t)body, rounded, false);
        if (zero) memset(body, 0, size);
    }
    if (hd_rt->recording) hd_record_alloc(block, pc);
    return body;
}

/* The last header that is not above this address. */
static uint32_t seek(struct arena *arena, uintptr_t address) {
    uint32_t low = 0, high = arena->count, recent = arena->recent;
    if (recent < high && (uintptr_t)arena->index[recent] <= address) {
        low = recent;
        if (low + 1 == high || address < (uintptr_t)arena->index[low + 1]) return low;
    }
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if ((uintptr_t)arena->index[middle] <= address) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return arena->recent = low;
}

struct hd_block *hd_heap_block(uintptr_t address) {
    struct arena *arena = arena_at(address);
    if (!arena || arena->count == 0 || address < (uintptr_t)arena->index[0]) return NULL;
    struct hd_block *block = arena->index[seek(arena, address)];
    size_t room = block->class ? block->class * 16UL : block->size;
    return address < (uintptr_t)(block + 1) + room ? block : NULL;
}

static struct hd_block *header(void *at, const char *what, void *pc) {
    struct hd_block *block = (struct hd_block *)at - 1;
    if (hd_heap_owns((uintptr_t)at) && hd_heap_block((uintptr_t)at) == block) {
        if (block->magic == HD_BLOCK_LIVE) return block;
        if (block->magic == HD_BLOCK_FREED) {
            hd_access_freed_again((uintptr_t)at, pc);
            hd_heap_freed_twice((uintptr_t)at, pc);
        }
    }
    if (hd_rt->running) {
        hd_failure(HD_FAIL_MISUSE, pc, "%s of a pointer that malloc did not return", what);
    }
    return NULL;
}

void hd_heap_free(void *at, void *pc) {
    if (!at) return;
    uintptr_t address = (uintptr_t)at;
    if (address >= HD_AT_OWN && address < HD_AT_HEAP) return; /* libc's, for a thread block */
    struct hd_block *block = header(at, "free", pc);
    if (!block) return;
    /* For every variable in it this is the last write: whoever may come to it in
     * another order races with the free. */
    if (hd_rt->current && hd_rt->closed_depth == 0) {
        hd_access_freed(address, block->size, pc);
        hd_primitives_freed(address, block->size, pc);
    }
    if (block->magic != HD_BLOCK_LIVE) header(at, "free", pc); /* freed meanwhile */
    if (hd_rt->recording) hd_record_free(block, pc);
    block->magic = HD_BLOCK_FREED;
    hd_shadow_freed(address, block->size, true);
    if (block->size >= LARGE) {
        uintptr_t low = (address + HD_PAGE - 1) & ~(HD_PAGE - 1);
        uintptr_t high = (address + block->size) & ~(HD_PAGE - 1);
        madvise((void *)low, high - low, MADV_DONTNEED);
    }
    if (block->class == 0) return; /* aligned by hand: not used again */
    struct arena *arena = arena_at(address);
    size_t rounded;
    unsigned class = class_of(block->size ? block->size : 1, &rounded);
    if (class == CLASSES - 1) return;
    block->pc = NULL; /* from here on the link to the next */
    if (arena->last[class]) {
        arena->last[class]->pc = block;
    } else {
        arena->first[class] = block;
    }
    arena->last[class] = block;
}

void *hd_heap_resize(void *at, size_t size, void *pc) {
    if (!at) return hd_heap_alloc(size, 16, false, pc);
    uintptr_t address = (uintptr_t)at;
    if (address >= HD_AT_OWN && address < HD_AT_HEAP) {
        void *more = hd_own(size); /* libc's table for a thread block grows */
        memcpy(more, at, size);
        return more;
    }
    struct hd_block *block = header(at, "realloc", pc);
    if (!block) return NULL;
    /* Always to a new place: a pointer kept to the old one is then caught. */
    void *more = hd_heap_alloc(size, 16, false, pc);
    if (!more) return NULL;
    memcpy(more, at, size < block->size ? size : block->size);
    hd_heap_free(at, pc);
    return more;
}

static int describe(const struct hd_block *block, char *buffer, size_t size) {
    char name[128] = "0", where[300] = "";
    if (block->thread < hd_rt->thread_count) {
        hd_thread_name(hd_rt->threads[block->thread], name, sizeof name);
    }
    if (block->magic == HD_BLOCK_LIVE) hd_describe_pc(block->pc, where, sizeof where);
    return snprintf(buffer, size, "heap block %s#%lu (%lu bytes%s%s)", name, block->nth,
                    block->size, where[0] ? ", allocated at " : "", where);
}

bool hd_heap_describe(uintptr_t address, char *buffer, size_t size) {
    const struct hd_block *block = hd_heap_block(address);
    if (!block) return false;
    int used = describe(block, buffer, size);
    if (used > 0 && (size_t)used < size) {
        snprintf(buffer + used, size - (size_t)used, ", offset %lu",
                 address - (uintptr_t)(block + 1));
    }
    return true;
}

void hd_heap_freed_twice(uintptr_t address, void *pc) {
    char name[300] = "a block";
    const struct hd_block *block = hd_heap_block(address);
    if (block) describe(block, name, sizeof name);
    hd_failure(HD_FAIL_MISUSE, pc, "double free of %s", name);
}

/* ---- executions --------------------------------------------------------------- */

void hd_heap_mark(void) {
    for (struct arena *arena = state()->all; arena; arena = arena->next) {
        arena->mark = arena->region.next;
        arena->count_at_mark = arena->count;
        size_t bytes = arena->mark - arena->region.base;
        arena->saved = hd_lasting(bytes ? bytes : 1);
        memcpy(arena->saved, (void *)arena->region.base, bytes);
    }
}

void hd_heap_begin(void) {
    for (struct arena *arena = state()->all; arena; arena = arena->next) {
        uintptr_t next = arena->region.next;
        size_t below = arena->mark - arena->region.base;
        if (below) memcpy((void *)arena->region.base, arena->saved, below);
        if (next > arena->mark + 4 * LARGE / 16) { /* many pages: most may be untouched */
            uintptr_t low = (arena->mark + HD_PAGE - 1) & ~(HD_PAGE - 1);
            uintptr_t high = (next + HD_PAGE - 1) & ~(HD_PAGE - 1);
            memset((void *)arena->mark, 0, low - arena->mark);
            madvise((void *)low, high - low, MADV_DONTNEED);
        } else if (next > arena->mark) {
            memset((void *)arena->mark, 0, next - arena->mark);
        }
        arena->region.next = arena->mark;
        arena->count = arena->count_at_mark;
        memset(arena->first, 0, sizeof arena->first);
        memset(arena->last, 0, sizeof arena->last);
    }
}
