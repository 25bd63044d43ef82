/* memory_map.c - see memory_map.h. */
#define _GNU_SOURCE
#include "memory_map.h"

#include "layout.h"
#include "pthread/kernel.h"
#include "runtime.h"
#include "shadow.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define STEP (1UL << 20)
/* From here on one that is filled from end to end gets large pages, if the kernel has
 * them to spare: they cost less to get and to find. */
#define HUGE (4UL << 20)

void hd_region_init(struct hd_region *region, uintptr_t base, uintptr_t end) {
    region->base = region->next = region->mapped = region->peak = base;
    region->end = end;
    region->dense = false;
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
    if (region->dense && want - region->base >= HUGE) madvise(at, want - region->mapped, MADV_HUGEPAGE);
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

void *hd_passing_more(size_t size) {
    void *at = hd_region_take(&hd_rt->passing, size);
    if (!at) hd_give_up("out of memory for one execution's bookkeeping; see --steps");
    return at;
}

void *hd_passing(size_t size) {
    uintptr_t dirty = hd_rt->passing.peak;
    void *at = hd_passing_as_it_is(size);
    if ((uintptr_t)at < dirty) hd_rt->real.memset(at, 0, size);
    return at;
}

/* ---- this process alone --------------------------------------------------------- */

/* The region is described in itself: everything else may be shared. */
static struct hd_region *own_region(void) { return (struct hd_region *)HD_AT_OWN; }

void hd_own_boot(void) {
    struct hd_region region;
    hd_region_init(&region, HD_AT_OWN, HD_AT_ASIDE);
    if (!hd_region_take(&region, sizeof region)) hd_give_up("cannot map memory at %p", (void *)HD_AT_OWN);
    *own_region() = region;
}

void *hd_own(size_t size) {
    void *at = hd_region_take(own_region(), size);
    if (!at) hd_give_up("out of memory for heddle's own bookkeeping");
    return at;
}

void *hd_map_aside(size_t size, int protection, int flags, int fd) {
    uintptr_t at = hd_rt->aside ? hd_rt->aside : HD_AT_ASIDE;
    size = (size + HD_PAGE - 1) & ~(HD_PAGE - 1);
    if (size > HD_AT_HEAP - at) return NULL;
    hd_rt->aside = at + size;
    void *got = mmap((void *)at, size, protection, flags | MAP_FIXED_NOREPLACE, fd, 0);
    return got == (void *)at ? got : NULL;
}

/* ---- several processes ------------------------------------------------------------ */

static bool empty(const uint64_t *page) {
    for (size_t i = 0; i < HD_PAGE / sizeof *page; i++) {
        if (page[i]) return false;
    }
    return true;
}

/* [base, end) becomes memory that children share (or, MAP_PRIVATE, do not), with
 * what is in [base, used). It is filled elsewhere and then put in place at once:
 * this very function's caller may live there. */
static bool replace(int how, uintptr_t base, uintptr_t used, uintptr_t end) {
    size_t size = end - base;
    long made = hd_kernel(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                          how | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((unsigned long)made > -4096UL) return false;
    for (uintptr_t at = base; at < used; at += HD_PAGE) {
        if (empty((const uint64_t *)at)) continue;
        hd_rt->real.memcpy((void *)((uintptr_t)made + (at - base)), (const void *)at, HD_PAGE);
    }
    return hd_kernel(SYS_mremap, made, (long)size, (long)size, MREMAP_MAYMOVE | MREMAP_FIXED,
                     (long)base, 0) == (long)base;
}

/* A child's mappings are not its parent's: all there can ever be is mapped now,
 * and costs nothing before it is used. */
static bool share_region(struct hd_region *region) {
    if (!replace(MAP_SHARED, region->base, region->mapped, region->end)) return false;
    region->mapped = region->end;
    return true;
}

static uintptr_t runtime_end(void) {
    return HD_AT_RUNTIME + ((sizeof(struct hd_runtime) + HD_PAGE - 1) & ~(HD_PAGE - 1));
}

static const uintptr_t top_end = HD_AT_TOP + HD_TOP_BYTES;

bool hd_regions_share(void) {
    hd_rt->shared = share_region(&hd_rt->lasting) && share_region(&hd_rt->passing) &&
                    share_region(&hd_rt->vars) && share_region(&hd_rt->vars_at) &&
                    share_region(&hd_rt->vars_more) &&
                    share_region(&hd_rt->shadow) && replace(MAP_SHARED, HD_AT_TOP, top_end, top_end) &&
                    replace(MAP_SHARED, HD_AT_RUNTIME, runtime_end(), runtime_end());
    return hd_rt->shared;
}

static bool leave_region(const struct hd_region *region) {
    uintptr_t used = (region->peak + HD_PAGE - 1) & ~(HD_PAGE - 1);
    return replace(MAP_PRIVATE, region->base, used, region->end);
}

bool hd_regions_leave(void) {
    const struct hd_region *pieces = &hd_rt->shadow;
    return !hd_rt->shared ||
           (leave_region(&hd_rt->lasting) && leave_region(&hd_rt->passing) &&
            leave_region(&hd_rt->vars) && leave_region(&hd_rt->vars_at) &&
            leave_region(&hd_rt->vars_more) &&
            replace(MAP_PRIVATE, pieces->base, pieces->base, pieces->end) &&
            replace(MAP_PRIVATE, HD_AT_TOP, HD_AT_TOP, top_end) &&
            replace(MAP_PRIVATE, HD_AT_RUNTIME, runtime_end(), runtime_end()));
}
