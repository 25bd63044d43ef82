/* stack.c - stacks by home.
 *
 * A home is a number that follows from a thread's name alone, so a thread's
 * stack (and heap) has the same address in every execution, whatever the
 * others do. Children of main live at home n; grandchildren are scattered by a
 * hash of (parent's home, n) over the upper half, with the next free home taken
 * on a collision: the one place where a name could meet the schedule, with
 * more than a few thousand grandchildren.
 *
 * A home's mapping holds the stack and, above it, the thread block. Below it
 * nothing is ever mapped: an overflow is a fault at an address that tells whose. */
#include "code.h"
#include "confined.h"
#include "library.h"
#include "pthread/kernel.h"
#include "runtime.h"
#include "zero.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

struct home {
    char *low;   /* lowest byte of the stack */
    size_t size; /* of the stack, without the thread block */
    void *tp;
    struct hd_tls_image *image; /* the thread block as it was made */
    uint32_t generation; /* last execution that used it */
    uint32_t deep; /* bytes below the top that threads here use to write, or 0 */
    bool clean;    /* since it was last used */
    bool bare;     /* and below what is looked at there are no pages */
    bool met;      /* others got at what threads here had on their stacks */
    uint16_t thread; /* whose it is, in that execution */
};

struct hd_stack_state {
    struct home homes[HD_HOMES];
    uint64_t faults; /* of this process, when all was clean */
    uint32_t taken[HD_HOMES]; /* generation: the home belongs to a thread of that execution */
};

static struct hd_stack_state *state(void) {
    if (hd_unlikely(!hd_rt->stacks)) hd_rt->stacks = hd_own(sizeof *hd_rt->stacks);
    return hd_rt->stacks;
}

int hd_home_of(uint32_t parent, uint32_t nth) {
    struct hd_stack_state *self = state();
    uint32_t home;
    if (parent == 0 && nth < HD_HOMES / 2) {
        home = nth;
    } else {
        uint64_t mix = ((uint64_t)parent << 32 | nth) * 0x9e3779b97f4a7c15UL;
        home = HD_HOMES / 2 + (uint32_t)(mix >> 33) % (HD_HOMES / 2);
        uint32_t first = home;
        while (self->taken[home] == hd_rt->generation) {
            if (++home == HD_HOMES) home = HD_HOMES / 2;
            if (home == first) return -1;
        }
    }
    self->taken[home] = hd_rt->generation;
    return (int)home;
}

/* ---- no execution sees another's frames -------------------------------------------------
 *
 * Where the last thread of a home left its frames there are zeros again. How deep they
 * were nobody says: frames can have holes (a large array of which a few bytes were
 * touched), and what is not instrumented goes where it wants. So
 *
 *   (1) if all that ran was the program's and has small frames only (confined.h, code.h),
 *       there is a return address at least every few kB: looking a little below the last
 *       byte found misses nothing;
 *   (2) otherwise the pages nearest to the top are looked at whole, and those below do not
 *       exist at the start of an execution. Whether any of them came to be the kernel's
 *       count of page faults tells; then all are dropped. */

#define NEAR (2 * HD_PAGE)

static uint64_t faults(void) {
    struct rusage use = {0};
    hd_kernel(SYS_getrusage, RUSAGE_THREAD, (long)&use, 0, 0, 0, 0);
    return (uint64_t)use.ru_minflt + (uint64_t)use.ru_majflt;
}

/* By (1). The same code ran here last time: so far down there are frames again, without
 * looking. */
static void wipe(struct home *home, char *top) {
    enum { LOOK = 2 * HD_SMALL_FRAME, STRIDE = 256, USUAL = 8192 };
    if (home->clean) {
        home->clean = false;
        return;
    }
    home->bare = false;
    size_t room = (size_t)(top - home->low) / STRIDE * STRIDE, deep = home->deep;
    if (deep > room) deep = room;
    while (deep && hd_is_zero(top - deep, STRIDE)) deep -= STRIDE;
    if (deep) hd_rt->real.memset(top - deep, 0, deep);
    for (size_t look; (look = room - deep < LOOK ? room - deep : LOOK) > 0;) {
        if (hd_is_zero(top - deep - look, look)) break;
        do deep += STRIDE; while (hd_is_zero(top - deep, STRIDE));
        hd_rt->real.memset(top - deep, 0, STRIDE);
    }
    home->deep = deep <= USUAL ? (uint32_t)deep : 0;
}

static char *top_of(const struct home *home, uint32_t number) {
    if (number == 0 && hd_library && hd_library->test) return hd_library->floor; /* library.h */
    return home->low + home->size;
}

/* By (2). */
static void sweep(uint32_t number, bool deep) {
    struct home *home = &hd_rt->stacks->homes[number];
    char *top = top_of(home, number), *near = (char *)(((uintptr_t)top - NEAR) & ~(HD_PAGE - 1));
    if (near < home->low) near = home->low;
    hd_put_zero(near, (size_t)(top - near));
    if ((deep || !home->bare) && madvise(home->low, (size_t)(near - home->low), MADV_DONTNEED) < 0) {
        hd_put_zero(home->low, (size_t)(near - home->low)); /* locked in memory */
    }
    home->clean = home->bare = true;
}

void hd_stacks_settle(bool confined) {
    struct hd_stack_state *self = hd_rt->stacks;
    if (!self || (confined && hd_confined_flat())) return;
    uint64_t now = faults();
    bool deep = now != self->faults;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) sweep(hd_rt->threads[i]->home, deep);
    if (deep) self->faults = faults();
}

/* Another process counts its own. */
void hd_stacks_copied(void) {
    if (hd_rt->stacks) hd_rt->stacks->faults = UINT64_MAX;
}

void *hd_stack_top(uint32_t home) {
    return state()->homes[home].low + state()->homes[home].size;
}

/* Anew, or a larger one than last time. */
static int make(struct home *home, uint32_t number, size_t size) {
    size = (size + HD_PAGE - 1) & ~(HD_PAGE - 1);
    size_t block = (hd_tls_size() + 2 * HD_PAGE) & ~(HD_PAGE - 1);
    if (size < 16 * HD_PAGE) size = 16 * HD_PAGE;
    if (size > HD_STACK_STRIDE - block - HD_PAGE) size = HD_STACK_STRIDE - block - HD_PAGE;
    if (home->low && home->size >= size) return 0;
    char *top = (char *)(HD_AT_STACKS + (number + 1UL) * HD_STACK_STRIDE);
    if (home->low) munmap(home->low, (size_t)(top - home->low));
    bool met = home->met;
    *home = (struct home){0};
    char *low = top - block - size;
    void *at = mmap(low, size + block, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != low) return -1;
    madvise(low, size, MADV_NOHUGEPAGE); /* a page in use is to tell of itself alone */
    void *tp = hd_tls_make(top);
    if (!tp) return -1;
    *home = (struct home){.low = low, .size = size, .tp = tp, .image = hd_tls_keep(tp),
                          .bare = true, .met = met};
    return 0;
}

int hd_stack_get(struct hd_thread *thread, size_t size) {
    struct home *home = &state()->homes[thread->home];
    if (thread->home == 0 && hd_library && hd_library->test) { /* library.h: below the floor */
        wipe(home, hd_library->floor);
        thread->stack_low = home->low;
        thread->stack_size = (size_t)(hd_library->floor - home->low);
        thread->tp = home->tp;
        return 0;
    }
    if ((!home->low || home->size < size) && make(home, thread->home, size) < 0) return -1;
    if (home->generation) {
        wipe(home, home->low + home->size);
        bool confined = hd_confined_was(home->generation);
        if (thread->home != 0) hd_tls_reset(home->tp, home->image, confined); /* main has the process's own */
    }
    home->generation = hd_rt->generation;
    home->thread = thread->id;
    thread->stack_low = home->low;
    thread->stack_size = home->size;
    thread->tp = home->tp;
    return 0;
}

struct hd_thread *hd_stack_owner(uintptr_t address) {
    uintptr_t number = (address - HD_AT_STACKS) / HD_STACK_STRIDE;
    if (number == 0 || number >= HD_HOMES) return NULL;
    const struct home *home = &state()->homes[number];
    if (home->generation != hd_rt->generation) return NULL;
    struct hd_thread *thread = hd_rt->threads[home->thread];
    return address - (uintptr_t)thread->stack_low < thread->stack_size ? thread : NULL;
}

void hd_stack_meet(const struct hd_thread *owner) {
    struct home *home = &state()->homes[owner->home];
    if (home->met) return;
    home->met = true;
    hd_rt->shown++; /* a search that took its end for nobody's business starts over */
}

bool hd_stack_met(const struct hd_thread *owner) {
    const struct home *home = &state()->homes[owner->home];
    return home->met && owner->stack_low == home->low; /* else it is the program's memory */
}
