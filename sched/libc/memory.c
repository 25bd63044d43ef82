/* memory.c - mmap and its relatives: what an execution maps goes when it ends. */
#include "memory.h"

#include "../pthread/kernel.h"
#include "../shadow.h"
#include "../module.h"
#include "files.h"
#include "stream.h"

#include <errno.h>
#include <stdarg.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEPT 2048
#define MAPS (1u << 20) /* of the text of the kernel's list */

struct range {
    uintptr_t low, high;
};

struct hd_mapping_state {
    struct range *list;
    uint32_t count, room;
    struct range kept[KEPT]; /* of before main, ascending; heddle's own are not among them */
    uint32_t kept_count;
};

static struct hd_mapping_state *state(void) {
    if (!hd_rt->mappings) hd_rt->mappings = hd_own(sizeof *hd_rt->mappings);
    return hd_rt->mappings;
}

static void add(uintptr_t low, uintptr_t high) {
    struct hd_mapping_state *self = state();
    if (self->count == self->room) {
        uint32_t room = self->room ? self->room * 2 : 64;
        struct range *more = hd_own(room * sizeof *more);
        if (self->count) memcpy(more, self->list, self->count * sizeof *more);
        self->list = more;
        self->room = room;
    }
    self->list[self->count++] = (struct range){low, high};
}

/* Take [low, high) out of the list. What is not in it was there before main. */
static void cut(uintptr_t low, uintptr_t high) {
    struct hd_mapping_state *self = state();
    uintptr_t found = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        struct range *range = &self->list[i];
        if (range->high <= low || high <= range->low) continue;
        struct range old = *range;
        found += (old.high < high ? old.high : high) - (old.low > low ? old.low : low);
        *range = self->list[--self->count];
        i--;
        if (old.low < low) add(old.low, low);
        if (old.high > high) add(high, old.high);
    }
    if (found < high - low && hd_rt->explore) {
        hd_note("memory that was mapped before main was unmapped by an execution: it is not put back");
    }
}

static uintptr_t whole(size_t size) { return (size + HD_PAGE - 1) & ~(HD_PAGE - 1); }

static void *answer(long result) {
    if ((unsigned long)result < -4095UL) return (void *)result;
    errno = (int)-result;
    return MAP_FAILED;
}

/* Addresses that the kernel hands out depend on what is mapped: hidden state. */
HD_TAKEN void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    hd_hidden_step(HD_KEY_FILES, true, HD_PC());
    long made = hd_kernel(SYS_mmap, (long)at, (long)size, protection, flags, fd, offset);
    if (hd_inside() && (unsigned long)made < -4095UL) {
        if (flags & MAP_FIXED) cut((uintptr_t)made, (uintptr_t)made + whole(size));
        add((uintptr_t)made, (uintptr_t)made + whole(size));
        hd_shadow_freed((uintptr_t)made, size, false);
        if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && !(flags & MAP_ANONYMOUS)) {
            hd_files_written(fd);
        }
    }
    return answer(made);
}
HD_ALIAS(mmap64, mmap);

HD_TAKEN int munmap(void *at, size_t size) {
    hd_hidden_step(HD_KEY_FILES, true, HD_PC());
    long result = hd_kernel(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
    if (hd_inside() && result == 0) cut((uintptr_t)at, (uintptr_t)at + whole(size));
    return answer(result) == MAP_FAILED ? -1 : 0;
}

HD_TAKEN void *mremap(void *at, size_t old, size_t size, int flags, ...) {
    va_list args;
    va_start(args, flags);
    void *to = va_arg(args, void *);
    va_end(args);
    hd_hidden_step(HD_KEY_FILES, true, HD_PC());
    long made = hd_kernel(SYS_mremap, (long)at, (long)old, (long)size, flags, (long)to, 0);
    if (hd_inside() && (unsigned long)made < -4095UL) {
        if (old) cut((uintptr_t)at, (uintptr_t)at + whole(old));
        add((uintptr_t)made, (uintptr_t)made + whole(size));
    }
    return answer(made);
}

/* ---- what is mapped without a call of mmap: libraries ------------------------------- */

static bool own(uintptr_t at) {
    return at >= HD_AT_RUNTIME && at < HD_AT_STACKS + (uintptr_t)HD_HOMES * HD_STACK_STRIDE;
}

static uintptr_t hex(const char **at) {
    uintptr_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9') value = value * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f') value = value * 16 + (uintptr_t)(c - 'a' + 10);
        else return value;
    }
}

/* All mappings from the kernel's own list, less heddle's and those with a name of
 * the kernel's ([stack], [vdso]). Returns how many; at most `room`. */
static uint32_t all(struct range *list, uint32_t room) {
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char *text = hd_passing(MAPS);
    size_t used = 0;
    uint32_t count = 0;
    if (fd < 0) return 0;
    for (ssize_t n; used < MAPS - 1 && (n = read(fd, text + used, MAPS - 1 - used)) > 0;) {
        used += (size_t)n;
    }
    close(fd);
    for (const char *at = text; *at && count < room;) {
        struct range range = {hex(&at), 0};
        if (*at == '-') at++;
        range.high = hex(&at);
        bool named = false;
        for (; *at && *at != '\n'; at++) named = named || *at == '[';
        if (*at) at++;
        if (!named && !own(range.low)) list[count++] = range;
    }
    return count;
}

void hd_mappings_keep(void) {
    struct hd_mapping_state *self = state();
    self->count = 0;
    self->kept_count = all(self->kept, KEPT);
}

/* Unmap of [low, high) what was not there before. */
static void drop_new(struct range range) {
    const struct hd_mapping_state *self = hd_rt->mappings;
    for (uint32_t i = 0; i < self->kept_count && range.low < range.high; i++) {
        const struct range *kept = &self->kept[i];
        if (kept->high <= range.low) continue;
        if (kept->low >= range.high) break;
        if (kept->low > range.low) {
            hd_kernel(SYS_munmap, (long)range.low, (long)(kept->low - range.low), 0, 0, 0, 0);
        }
        range.low = kept->high;
    }
    if (range.low < range.high) {
        hd_kernel(SYS_munmap, (long)range.low, (long)(range.high - range.low), 0, 0, 0, 0);
    }
}

static void drop_libraries(void) {
    if (hd_rt->mappings->kept_count == 0 || hd_rt->mappings->kept_count == KEPT) return;
    struct range *now = hd_passing(KEPT * sizeof *now);
    uint32_t count = all(now, KEPT);
    for (uint32_t i = 0; i < count; i++) drop_new(now[i]);
    hd_module_scan();
}

void hd_mappings_drop(void) {
    struct hd_mapping_state *self = hd_rt->mappings;
    if (!self) return;
    if (hd_rt->loaded) {
        hd_rt->loaded = false;
        drop_libraries();
    }
    for (uint32_t i = 0; i < self->count; i++) {
        hd_kernel(SYS_munmap, (long)self->list[i].low,
                  (long)(self->list[i].high - self->list[i].low), 0, 0, 0, 0);
    }
    self->count = 0;
}
