/* memory.c - mmap and its relatives: what an execution maps goes when it ends. */
#include "memory.h"

#include "../pthread/kernel.h"
#include "../shadow.h"
#include "files.h"
#include "stream.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

struct range {
    uintptr_t low, high;
};

struct hd_mapping_state {
    struct range *list;
    uint32_t count, room;
};

static struct hd_mapping_state *state(void) {
    if (!hd_rt->mappings) hd_rt->mappings = hd_lasting(sizeof *hd_rt->mappings);
    return hd_rt->mappings;
}

static void add(uintptr_t low, uintptr_t high) {
    struct hd_mapping_state *self = state();
    if (self->count == self->room) {
        uint32_t room = self->room ? self->room * 2 : 64;
        struct range *more = hd_lasting(room * sizeof *more);
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

void hd_mappings_drop(void) {
    struct hd_mapping_state *self = hd_rt->mappings;
    if (!self) return;
    for (uint32_t i = 0; i < self->count; i++) {
        hd_kernel(SYS_munmap, (long)self->list[i].low,
                  (long)(self->list[i].high - self->list[i].low), 0, 0, 0, 0);
    }
    self->count = 0;
}
