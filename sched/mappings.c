/* mappings.c - see mappings.h. */
#include "mappings.h"

#include "beyond.h"
#include "module.h"
#include "pthread/kernel.h"
#include "runtime.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEPT 2048
#define LINES 8192     /* bytes of the kernel's list that are looked at together */

struct range {
    uintptr_t low, high;
    int protection;
    bool private, program; /* copied at a write; made by a constructor */
};

struct hd_mapping_state {
    struct range *list; /* the execution's */
    uint32_t count, room;
    struct range *guarded; /* what it protected */
    uint32_t guarded_count, guarded_room;
    uintptr_t end; /* of the data segment, where brk moves it */
    long size;     /* of the process when the list was last compared, in pages */
    struct range kept[KEPT]; /* of before main, ascending; heddle's own are not among them */
    uint32_t kept_count;
};

static struct hd_mapping_state *state(void) {
    if (!hd_rt->mappings) hd_rt->mappings = hd_own(sizeof *hd_rt->mappings);
    return hd_rt->mappings;
}

static void put(struct range **list, uint32_t *count, uint32_t *room, uintptr_t low, uintptr_t high) {
    if (*count == *room) {
        uint32_t larger = *room ? *room * 2 : 64;
        struct range *more = hd_own(larger * sizeof *more);
        if (*count) memcpy(more, *list, *count * sizeof *more);
        *list = more;
        *room = larger;
    }
    (*list)[(*count)++] = (struct range){.low = low, .high = high};
}

void hd_mappings_made(uintptr_t low, uintptr_t high) {
    struct hd_mapping_state *self = state();
    put(&self->list, &self->count, &self->room, low, high);
}

/* Take [low, high) out of the list; how much of it was there? */
static uintptr_t cut(uintptr_t low, uintptr_t high) {
    struct hd_mapping_state *self = state();
    uintptr_t found = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        struct range *range = &self->list[i];
        if (range->high <= low || high <= range->low) continue;
        struct range old = *range;
        found += (old.high < high ? old.high : high) - (old.low > low ? old.low : low);
        *range = self->list[--self->count];
        i--;
        if (old.low < low) hd_mappings_made(old.low, low);
        if (old.high > high) hd_mappings_made(high, old.high);
    }
    return found;
}

/* Heddle's, with the heap and the stacks: each is put back by its own rules. */
static bool own(uintptr_t at) {
    return at >= HD_AT_WORDS && at < HD_AT_STACKS + (uintptr_t)HD_HOMES * HD_STACK_STRIDE;
}

/* How much of it there was before main, or belongs to the heap and the stacks. */
static bool was_there(uintptr_t low, uintptr_t high) {
    const struct hd_mapping_state *self = state();
    if (own(low)) return true;
    for (uint32_t i = 0; i < self->kept_count; i++) {
        if (self->kept[i].low < high && low < self->kept[i].high) return true;
    }
    return false;
}

void hd_mappings_gone(uintptr_t low, uintptr_t high) {
    if (cut(low, high) < high - low && hd_rt->explore && was_there(low, high)) {
        hd_beyond("unmaps memory that was there before main, or maps other memory over it");
    }
}

void hd_mappings_protected(uintptr_t low, uintptr_t high) {
    struct hd_mapping_state *self = state();
    if (!hd_rt->explore) return;
    put(&self->guarded, &self->guarded_count, &self->guarded_room, low, high);
}

/* ---- the kernel's list ------------------------------------------------------------- */

static uintptr_t hex(const char **at) {
    uintptr_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9') value = value * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f') value = value * 16 + (uintptr_t)(c - 'a' + 10);
        else return value;
    }
}

/* "low-high rwxp ...  name"; a name in brackets is the kernel's. False: one of its, or
 * heddle's. */
static bool parse(const char *at, const char *end, struct range *to) {
    *to = (struct range){.low = hex(&at)};
    at++;
    to->high = hex(&at);
    if (at[1] == 'r') to->protection |= PROT_READ;
    if (at[2] == 'w') to->protection |= PROT_WRITE;
    if (at[3] == 'x') to->protection |= PROT_EXEC;
    to->private = at[4] == 'p';
    for (; at < end; at++) {
        if (*at == '[') return false;
    }
    return !own(to->low);
}

/* Every mapping that may be the program's or a library's, ascending; at most `room`. */
static uint32_t all(struct range *list, uint32_t room) {
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char *text = hd_passing_as_it_is(LINES);
    size_t used = 0;
    uint32_t count = 0;
    if (fd < 0) return 0;
    for (ssize_t n; (n = read(fd, text + used, LINES - used)) > 0;) {
        char *end = text + used + n, *at = text;
        for (char *line = at; at < end; at++) {
            if (*at != '\n') continue;
            if (count < room && parse(line, at, &list[count])) count++;
            line = at + 1;
            used = (size_t)(end - line);
        }
        if (used == LINES) break; /* no line is that long */
        if (used) memmove(text, end - used, used);
    }
    close(fd);
    return count;
}

/* Pages of the whole address space of this process; 0: the kernel does not tell. */
static long size_now(void) {
    char text[32];
    long pages = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
        pages = pages * 10 + (text[i] - '0');
    }
    return pages;
}

void hd_mappings_keep(void) {
    struct hd_mapping_state *self = state();
    self->kept_count = all(self->kept, KEPT);
    for (uint32_t i = 0; i < self->kept_count; i++) { /* what constructors mapped is in the list */
        struct range *kept = &self->kept[i];
        for (uint32_t k = 0; k < self->count; k++) {
            const struct range *made = &self->list[k];
            if (made->low < kept->high && kept->low < made->high) kept->program = true;
        }
    }
    self->count = self->guarded_count = 0;
    self->end = (uintptr_t)hd_kernel(SYS_brk, 0, 0, 0, 0, 0, 0);
    self->size = 0;
}

/* [low, high) less the modules, which are kept segment by segment. */
static void tell_gaps(uintptr_t low, uintptr_t high, void (*tell)(char *low, char *high)) {
    while (low < high) {
        uintptr_t end = high;
        int module = hd_module_of(low);
        if (module >= 0) {
            low = (hd_module_at(module)->high + HD_PAGE - 1) & ~(HD_PAGE - 1);
            continue;
        }
        for (int i = 0; i < hd_module_count(); i++) {
            uintptr_t next = hd_module_at(i)->low;
            if (next > low && next < end) end = next;
        }
        tell((char *)low, (char *)end);
        low = end;
    }
}

void hd_mappings_early(void (*tell)(char *low, char *high), bool of_program) {
    const struct hd_mapping_state *self = state();
    for (uint32_t i = 0; i < self->kept_count; i++) {
        const struct range *kept = &self->kept[i];
        if (!kept->private || kept->program != of_program) continue;
        if ((kept->protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE)) continue;
        tell_gaps(kept->low, kept->high, tell);
    }
}

/* ---- back to it ---------------------------------------------------------------------- */

void hd_mappings_unprotect(void) {
    struct hd_mapping_state *self = hd_rt->mappings;
    if (!self) return;
    for (; self->guarded_count; self->guarded_count--) {
        struct range range = self->guarded[self->guarded_count - 1];
        if (own(range.low)) { /* of the heap, or a stack */
            hd_kernel(SYS_mprotect, (long)range.low, (long)(range.high - range.low),
                      PROT_READ | PROT_WRITE, 0, 0, 0);
            continue;
        }
        for (uint32_t i = 0; i < self->kept_count; i++) {
            const struct range *kept = &self->kept[i];
            uintptr_t low = kept->low > range.low ? kept->low : range.low;
            uintptr_t high = kept->high < range.high ? kept->high : range.high;
            if (low >= high) continue;
            hd_kernel(SYS_mprotect, (long)low, (long)(high - low), kept->protection, 0, 0, 0);
        }
    }
}

static void unmap(uintptr_t low, uintptr_t high) {
    hd_kernel(SYS_munmap, (long)low, (long)(high - low), 0, 0, 0, 0);
}

/* Unmap of it what was not there before. */
static void drop_new(struct range range) {
    const struct hd_mapping_state *self = hd_rt->mappings;
    for (uint32_t i = 0; i < self->kept_count && range.low < range.high; i++) {
        const struct range *kept = &self->kept[i];
        if (kept->high <= range.low) continue;
        if (kept->low >= range.high) break;
        if (kept->low > range.low) unmap(range.low, kept->low);
        range.low = kept->high;
    }
    if (range.low < range.high) unmap(range.low, range.high);
}

static void compare(struct hd_mapping_state *self) {
    if (self->kept_count == 0 || self->kept_count == KEPT) return;
    struct range *now = hd_passing_as_it_is(KEPT * sizeof *now);
    uint32_t count = all(now, KEPT);
    for (uint32_t i = 0; i < count; i++) drop_new(now[i]);
    self->size = size_now();
}

void hd_mappings_drop(bool known) {
    struct hd_mapping_state *self = hd_rt->mappings;
    if (!self) return;
    for (uint32_t i = 0; i < self->count; i++) unmap(self->list[i].low, self->list[i].high);
    self->count = 0;
    if (hd_rt->extended) hd_kernel(SYS_brk, (long)self->end, 0, 0, 0, 0, 0);
    bool loaded = hd_rt->loaded;
    if (loaded || hd_rt->mapped || (!known && size_now() != self->size)) compare(self);
    if (loaded) hd_module_scan();
    hd_rt->loaded = hd_rt->mapped = hd_rt->extended = false;
}
