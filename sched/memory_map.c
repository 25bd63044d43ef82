/* memory_map.c - see memory_map.h. */
#include "memory_map.h"

#include "layout.h"
#include "runtime.h"

#include <string.h>
#include <sys/mman.h>

#define STEP (1UL << 20)

void hd_region_init(struct hd_region *region, uintptr_t base, uintptr_t end) {
    region->base = region->next = region->mapped = region->peak = base;
    region->end = end;
}

int hd_region_reach(struct hd_region *region, uintptr_t upto) {
    if (upto <= region->mapped) return 0;
    if (upto > region->end) return -1;
    /* Grow by a quarter of what is there, so that the number of calls stays
     * logarithmic in the size. */
    uintptr_t step = (region->mapped - region->base) / 4;
    if (step < STEP) step = STEP;
    uintptr_t want = (upto + step - 1) & ~(STEP - 1);
    if (want < upto) want = (upto + STEP - 1) & ~(STEP - 1);
    if (want > region->end) want = region->end;
    void *at = mmap((void *)region->mapped, want - region->mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                    0);
    if (at != (void *)region->mapped) {
        if (at != MAP_FAILED) munmap(at, want - region->mapped);
        return -1;
    }
    region->mapped = want;
    return 0;
}

void *hd_region_take(struct hd_region *region, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size > region->end - region->next) return NULL;
    uintptr_t at = region->next;
    if (at + size > region->mapped && hd_region_reach(region, at + size) < 0) return NULL;
    region->next = at + size;
    if (region->next > region->peak) region->peak = region->next;
    return (void *)at;
}

void *hd_lasting(size_t size) {
    void *at = hd_region_take(&hd_rt->lasting, size);
    if (!at) hd_give_up("out of memory for heddle's own bookkeeping");
    return at;
}

void *hd_passing(size_t size) {
    uintptr_t dirty = hd_rt->passing.peak;
    void *at = hd_region_take(&hd_rt->passing, size);
    if (!at) hd_give_up("out of memory for one execution's bookkeeping; see --steps");
    if ((uintptr_t)at < dirty) memset(at, 0, size);
    return at;
}
