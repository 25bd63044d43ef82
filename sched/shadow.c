/* shadow.c - making shadow cells and variables. */
#include "shadow.h"

#include "heap.h"

#include <sys/mman.h>

#define PIECE_BYTES ((1UL << 21) * sizeof(uint32_t)) /* for 16 MB of the program's memory */
#define TOP_ENTRIES (1UL << 23)

void hd_shadow_boot(void) {
    size_t bytes = TOP_ENTRIES * sizeof(uint32_t *);
    void *at = mmap((void *)HD_AT_SHADOW, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (void *)HD_AT_SHADOW) hd_give_up("cannot map the shadow of memory");
    hd_rt->shadow_top = at;
    hd_region_init(&hd_rt->shadow, HD_AT_SHADOW + bytes, HD_AT_OWN);
    hd_region_take(&hd_rt->vars, sizeof(struct hd_var)); /* number 0: none */
    hd_vars[0].off = 255;
    hd_rt->var_count = 1;
}

uint32_t *hd_shadow_map(uintptr_t address) {
    void *piece = hd_region_take(&hd_rt->shadow, PIECE_BYTES);
    if (!piece) hd_give_up("out of memory for the shadow of memory");
    hd_rt->shadow_top[(address >> 24) & 0x7fffff] = piece;
    return piece;
}

static struct hd_var *add(uint32_t *cell, uintptr_t address, unsigned size) {
    struct hd_var *var = hd_region_take(&hd_rt->vars, sizeof *var);
    if (!var) hd_give_up("out of memory for the shadow of memory");
    *var = (struct hd_var){.off = address & 7, .size = (uint8_t)size, .address = address,
                           .next = *cell};
    *cell = hd_rt->var_count++;
    return var;
}

/* A part of `from` becomes a variable: it was accessed as `from` was. */
static struct hd_var *part(uint32_t *cell, const struct hd_var *from, unsigned off,
                           unsigned size) {
    uint32_t next = *cell;
    struct hd_var *var = add(cell, (from->address & ~7UL) + off, size);
    uintptr_t address = var->address;
    *var = *from;
    var->next = next;
    var->off = (uint8_t)off;
    var->size = (uint8_t)size;
    var->address = address;
    var->trace = 0;
    if (from->readers && from->generation == hd_rt->generation) {
        var->readers = hd_passing(sizeof *var->readers);
        hd_clock_copy(var->readers, from->readers);
    }
    return var;
}

/* A piece of a range in which the program now shows a variable of its own is
 * taken apart around it. NULL: there is none. */
static struct hd_var *take_apart(uint32_t *cell, unsigned off, unsigned size) {
    struct hd_var *soft = NULL;
    for (uint32_t i = *cell; i; i = hd_vars[i].next) {
        struct hd_var *other = &hd_vars[i];
        if (other->off >= off + size || off >= other->off + other->size) continue;
        if (soft || other->off > off || other->off + other->size < off + size) return NULL;
        if (!(other->flags & HD_VAR_SOFT) || (other->flags & (HD_VAR_VISIBLE | HD_VAR_MIXED))) {
            return NULL;
        }
        soft = other;
    }
    if (!soft) return NULL;
    unsigned before = off - soft->off, after = soft->off + soft->size - (off + size);
    if (after) part(cell, soft, off + size, after);
    if (before) part(cell, soft, soft->off, before);
    soft->off = (uint8_t)off;
    soft->size = (uint8_t)size;
    soft->address = (soft->address & ~7UL) + off;
    soft->flags &= (uint8_t)~HD_VAR_SOFT;
    soft->trace = 0;
    return soft;
}

static struct hd_var *make(uint32_t *cell, uintptr_t address, unsigned size) {
    unsigned off = address & 7;
    struct hd_var *var = *cell ? take_apart(cell, off, size) : NULL;
    if (var) return var;
    var = add(cell, address, size);
    for (uint32_t i = *cell; i; i = hd_vars[i].next) {
        struct hd_var *other = &hd_vars[i];
        if (other != var && other->off < off + size && off < other->off + other->size) {
            var->flags |= HD_VAR_MIXED | (other->flags & HD_VAR_VISIBLE);
            if (other->place) hd_rt->shown++; /* they will meet at one place: search again */
            other->flags |= HD_VAR_MIXED;
            other->rstamp = other->wstamp = 0;
        }
    }
    return var;
}

struct hd_var *hd_var_get(uintptr_t address, unsigned size) {
    uint32_t *cell = hd_shadow_cell(address);
    unsigned off = address & 7;
    struct hd_var *var = NULL;
    for (uint32_t i = *cell; i; i = hd_vars[i].next) {
        if (hd_vars[i].off == off && hd_vars[i].size == size) {
            var = &hd_vars[i];
            break;
        }
    }
    if (!var) var = make(cell, address, size);
    if (var->generation != hd_rt->generation) {
        var->generation = hd_rt->generation;
        var->rstamp = var->wstamp = 0;
        var->trace = 0;
        var->wepoch = var->repoch = 0;
        var->readers = NULL;
        var->place = NULL;
        var->flags &= (uint8_t)~HD_VAR_FREED;
        if (hd_heap_owns(address)) {
            const struct hd_block *block = hd_heap_block(address);
            if (block && block->magic == HD_BLOCK_FREED) var->flags |= HD_VAR_FREED;
        }
    }
    return var;
}

struct hd_var *hd_var_get_soft(uintptr_t address, unsigned size) {
    uint32_t count = hd_rt->var_count;
    struct hd_var *var = hd_var_get(address, size);
    if (hd_rt->var_count == count + 1 && var == &hd_vars[count]) var->flags |= HD_VAR_SOFT;
    return var;
}

struct hd_place *hd_var_place(struct hd_var *var) {
    if (!var->place) {
        /* Overlapping variables meet at one place, that of their word. */
        if (var->flags & HD_VAR_MIXED) {
            for (uint32_t i = *hd_shadow_cell(var->address); i; i = hd_vars[i].next) {
                struct hd_var *other = &hd_vars[i];
                if ((other->flags & HD_VAR_MIXED) && other->place &&
                    other->generation == hd_rt->generation) {
                    return var->place = other->place;
                }
            }
        }
        var->place = hd_passing(sizeof *var->place);
        var->place->key = var->flags & HD_VAR_MIXED ? var->address & ~7UL : var->address;
    }
    return var->place;
}

void hd_var_show(struct hd_var *var) {
    if (var->flags & HD_VAR_VISIBLE) return;
    var->flags |= HD_VAR_VISIBLE;
    var->rstamp = var->wstamp = 0;
    hd_rt->shown++;
    if (!(var->flags & HD_VAR_MIXED)) return;
    for (uint32_t i = *hd_shadow_cell(var->address); i; i = hd_vars[i].next) {
        if ((hd_vars[i].flags & HD_VAR_MIXED) && !(hd_vars[i].flags & HD_VAR_VISIBLE)) {
            hd_vars[i].flags |= HD_VAR_VISIBLE;
            hd_vars[i].rstamp = hd_vars[i].wstamp = 0;
        }
    }
}

void hd_shadow_freed(uintptr_t address, size_t size, bool freed) {
    for (uintptr_t at = address & ~7UL; at < address + size; at += 8) {
        const uint32_t *piece = hd_rt->shadow_top[(at >> 24) & 0x7fffff];
        if (!piece) { /* nothing of these 16 MB was ever accessed */
            at = (at | 0xffffff) - 7;
            continue;
        }
        for (uint32_t i = piece[(at >> 3) & 0x1fffff]; i; i = hd_vars[i].next) {
            struct hd_var *var = &hd_vars[i];
            var->rstamp = var->wstamp = 0;
            if (freed) {
                var->flags |= HD_VAR_FREED;
            } else {
                var->generation = 0; /* another object: start over */
            }
        }
    }
}
