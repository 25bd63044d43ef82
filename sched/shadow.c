/* shadow.c - making shadow cells and variables. */
#include "shadow.h"

#include "heap.h"

#include <sys/mman.h>

/* Before the cells of a piece: which of its pages of cells were ever used. */
#define MARK_BYTES HD_PAGE
#define PIECE_BYTES (HD_PIECE_CELLS * sizeof(uint64_t))
#define MORE_VARS 1024u
#define PAGE_SHIFT 11 /* a page of cells is for 2 kB of the program's memory */

/* Room for some more variables, all at once. */
static void more_room(void) {
    uint32_t room = hd_rt->var_count + MORE_VARS;
    if (room > HD_VARS_MOST || !hd_region_take(&hd_rt->vars, MORE_VARS * sizeof(struct hd_var)) ||
        !hd_region_take(&hd_rt->vars_at, MORE_VARS * sizeof *hd_vars_at) ||
        !hd_region_take(&hd_rt->vars_more, MORE_VARS * sizeof(struct hd_var_more))) {
        hd_give_up("out of memory for the shadow of memory");
    }
    hd_rt->var_room = room;
}

static void map(uintptr_t base, size_t bytes) {
    void *at = mmap((void *)base, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (void *)base) hd_give_up("cannot map the shadow of memory");
}

void hd_shadow_boot(void) {
    map(HD_AT_TOP, HD_TOP_BYTES);
    map(HD_AT_SMALL, HD_SMALL_BYTES);
    more_room();
    hd_rt->var_count = 1; /* number 0: none */
}

uint64_t *hd_shadow_map(uintptr_t address) {
    char *piece = hd_region_take(&hd_rt->shadow, MARK_BYTES + PIECE_BYTES);
    if (!piece) hd_give_up("out of memory for the shadow of memory");
    uint64_t *cells = (uint64_t *)(piece + MARK_BYTES);
    *hd_shadow_entry(address) = cells;
    return cells;
}

static uint64_t *marks(uint64_t *piece) { return (uint64_t *)((char *)piece - MARK_BYTES); }

static unsigned page_in_piece(uintptr_t address) {
    return (unsigned)(address >> PAGE_SHIFT) & ((1u << (HD_PIECE_SHIFT - PAGE_SHIFT)) - 1);
}

bool hd_shadow_none(uintptr_t low, uintptr_t high) {
    for (uintptr_t at = low >> PAGE_SHIFT << PAGE_SHIFT; at < high; at += 1UL << PAGE_SHIFT) {
        uint64_t *piece = hd_shadow_piece(at);
        unsigned page = page_in_piece(at);
        if (piece && marks(piece)[page / 64] >> page % 64 & 1) return false;
    }
    return true;
}

uintptr_t hd_shadow_seek(uintptr_t at, uintptr_t end) {
    at &= ~7UL;
    while (at < end) {
        uint64_t *piece = hd_shadow_piece(at);
        if (!piece) { /* nothing of this piece was ever accessed */
            at = ((at >> HD_PIECE_SHIFT) + 1) << HD_PIECE_SHIFT;
            continue;
        }
        unsigned page = page_in_piece(at);
        if (!(marks(piece)[page / 64] >> page % 64 & 1)) {
            at = ((at >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
            continue;
        }
        if (hd_word_var(at)) return at;
        at += 8;
    }
    return end;
}

/* ---- making variables --------------------------------------------------------- */

static void unstamp(struct hd_var *var) {
    uint64_t *cell = hd_shadow_cell(hd_var_address(var));
    *cell = hd_cell_var(*cell);
    if (var->size <= 2) *hd_small_cell(hd_var_address(var)) = 0;
    var->stamp = 0;
}

static struct hd_var *add(uintptr_t address, unsigned size) {
    uint32_t number = hd_rt->var_count, first = hd_word_var(address);
    if (hd_unlikely(number == hd_rt->var_room)) more_room();
    struct hd_var *var = &hd_vars[number];
    hd_rt->var_count++;
    *var = (struct hd_var){.off = address & 7, .size = (uint8_t)size, .next = number};
    hd_vars_at[number] = address;
    if (first) {
        var->next = hd_vars[first].next;
        hd_vars[first].next = number;
    }
    *hd_shadow_cell(address) = number;
    unsigned page = page_in_piece(address);
    marks(hd_shadow_piece(address))[page / 64] |= 1UL << page % 64;
    return var;
}

/* A part of `from` becomes a variable: it was accessed as `from` was. */
static void part(const struct hd_var *from, unsigned off, unsigned size) {
    uintptr_t address = (hd_var_address(from) & ~7UL) + off;
    struct hd_var *var = add(address, size);
    uint32_t next = var->next;
    *var = *from;
    var->next = next;
    var->off = (uint8_t)off;
    var->size = (uint8_t)size;
    var->trace = 0;
    hd_vars_at[var - hd_vars] = address;
    if ((from->flags & HD_VAR_READERS) && from->generation == hd_rt->generation) {
        struct hd_clock *readers = hd_passing(sizeof *readers);
        hd_clock_copy(readers, hd_var_more(from)->readers);
        hd_var_more(var)->readers = readers;
    }
}

static bool overlap(const struct hd_var *var, unsigned off, unsigned size) {
    return var->off < off + size && off < var->off + var->size;
}

/* A piece of a range in which the program now shows a variable of its own is
 * taken apart around it. NULL: there is none. */
static struct hd_var *take_apart(uintptr_t address, unsigned size) {
    struct hd_var *soft = NULL;
    unsigned off = address & 7;
    HD_EACH_IN_WORD(other, address) {
        if (!overlap(other, off, size)) continue;
        if (soft || other->off > off || other->off + other->size < off + size) return NULL;
        if (!(other->flags & HD_VAR_SOFT) || (other->flags & (HD_VAR_VISIBLE | HD_VAR_MIXED))) {
            return NULL;
        }
        soft = other;
    }
    if (!soft) return NULL;
    unsigned before = off - soft->off, after = soft->off + soft->size - (off + size);
    unstamp(soft);
    if (after) part(soft, off + size, after);
    if (before) part(soft, soft->off, before);
    soft->off = (uint8_t)off;
    soft->size = (uint8_t)size;
    hd_vars_at[soft - hd_vars] = address;
    soft->flags &= (uint8_t)~HD_VAR_SOFT;
    soft->trace = 0;
    return soft;
}

static struct hd_var *make(uintptr_t address, unsigned size) {
    unsigned off = address & 7;
    if (hd_likely(!hd_word_var(address))) return add(address, size);
    struct hd_var *var = take_apart(address, size);
    if (var) return var;
    var = add(address, size);
    bool visible = false;
    HD_EACH_IN_WORD(other, address) {
        if (other != var && overlap(other, off, size)) {
            visible = visible || (other->flags & HD_VAR_VISIBLE);
            if (hd_var_more(other)->place) hd_rt->shown++; /* they will meet at one: search again */
            var->flags |= HD_VAR_MIXED;
            other->flags |= HD_VAR_MIXED;
            unstamp(other);
        }
    }
    /* Who meets at a place with one that is visible has to meet there. */
    if (visible) hd_var_show(var);
    return var;
}

static struct hd_var *find(uintptr_t address, unsigned size) {
    HD_EACH_IN_WORD(var, address) {
        if (var->off == (address & 7) && var->size == size) return var;
    }
    return NULL;
}

void hd_var_refresh(struct hd_var *var, uintptr_t address) {
    /* One that is new has nothing more: not to look saves its page. */
    if (var->generation && hd_var_more(var)->place) hd_var_more(var)->place = NULL;
    var->generation = hd_rt->generation;
    var->stamp = 0;
    var->trace = 0;
    var->wepoch = var->repoch = 0;
    var->flags &= (uint8_t)~(HD_VAR_FREED | HD_VAR_READERS);
    if (hd_heap_owns(address)) {
        const struct hd_block *block = hd_heap_block(address);
        if (block && block->magic == HD_BLOCK_FREED) var->flags |= HD_VAR_FREED;
    }
}

struct hd_var *hd_var_get(uintptr_t address, unsigned size) {
    uint64_t *cell = hd_shadow_cell(address);
    struct hd_var *var = &hd_vars[hd_cell_var(*cell)];
    if (hd_unlikely(var->off != (address & 7) || var->size != size)) {
        var = find(address, size);
        if (!var) var = make(address, size);
        *cell = (uint64_t)(var - hd_vars); /* the next time at once */
    }
    hd_var_fresh(var, address);
    return var;
}

struct hd_var *hd_var_get_soft(uintptr_t address, unsigned size) {
    uint32_t count = hd_rt->var_count;
    struct hd_var *var = hd_var_get(address, size);
    if (hd_rt->var_count == count + 1 && var == &hd_vars[count]) var->flags |= HD_VAR_SOFT;
    return var;
}

/* ---- visible ---------------------------------------------------------------- */

struct hd_place *hd_var_place(struct hd_var *var) {
    struct hd_var_more *more = hd_var_more(var);
    if (!more->place) {
        if (var->flags & HD_VAR_SECOND) {
            return more->place = hd_var_place(hd_var_get(hd_var_address(var) - 8, 8));
        }
        /* Overlapping variables meet at one place, that of their word. */
        if (var->flags & HD_VAR_MIXED) {
            HD_EACH_IN_WORD(other, hd_var_address(var)) {
                if (other->flags & HD_VAR_SECOND) {
                    return more->place = hd_var_place(hd_var_get(hd_var_address(other), 8));
                }
                if ((other->flags & HD_VAR_MIXED) && hd_var_more(other)->place &&
                    other->generation == hd_rt->generation) {
                    return more->place = hd_var_more(other)->place;
                }
            }
        }
        more->place = hd_passing(sizeof *more->place);
        uintptr_t at = hd_var_address(var);
        more->place->key = var->flags & HD_VAR_MIXED ? (at & ~7UL) | HD_KEY_WORD : at;
    }
    return more->place;
}

void hd_var_show(struct hd_var *var) {
    if (var->flags & HD_VAR_VISIBLE) return;
    var->flags |= HD_VAR_VISIBLE;
    unstamp(var);
    hd_rt->shown++;
    if (!(var->flags & HD_VAR_MIXED)) return;
    HD_EACH_IN_WORD(other, hd_var_address(var)) {
        if ((other->flags & HD_VAR_MIXED) && !(other->flags & HD_VAR_VISIBLE)) {
            other->flags |= HD_VAR_VISIBLE;
            unstamp(other);
        }
    }
}

struct hd_var *hd_var_second(const struct hd_var *first) {
    struct hd_var *second = hd_var_get(hd_var_address(first) + 8, 8);
    if (hd_likely(second->flags & HD_VAR_SECOND)) return second;
    second->flags |= HD_VAR_ATOMIC | HD_VAR_SECOND;
    hd_var_show(second);
    hd_var_more(second)->place = NULL;
    hd_rt->shown++; /* from now on they meet at one place: search again */
    return second;
}

void hd_shadow_freed(uintptr_t address, size_t size, bool freed) {
    uintptr_t end = address + size;
    for (uintptr_t at = hd_shadow_seek(address, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        HD_EACH_IN_WORD(var, at) {
            unstamp(var);
            if (freed) {
                var->flags |= HD_VAR_FREED;
            } else {
                var->generation = 0; /* another object: start over */
                hd_var_more(var)->place = NULL;
            }
        }
    }
}

void hd_stamps_renew(void) {
    for (uint32_t i = 1; i < hd_rt->var_count; i++) unstamp(&hd_vars[i]);
    hd_rt->real.memset((void *)HD_AT_SMALL, 0, HD_SMALL_BYTES);
    hd_rt->stamp = 1UL << HD_CELL_STAMP;
    /* for tests: so few before there are no more */
    if (hd_rt->config.stamps) hd_rt->stamp = -(hd_rt->config.stamps + 1) << HD_CELL_STAMP;
}
