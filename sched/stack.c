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
#include "confined.h"
#include "library.h"
#include "runtime.h"
#include "zero.h"

#include <string.h>
#include <sys/mman.h>

struct home {
    char *low;   /* lowest byte of the stack */
    size_t size; /* of the stack, without the thread block */
    void *tp;
    struct hd_tls_image *image; /* the thread block as it was made */
    uint32_t generation; /* last execution that used it */
    uint32_t deep; /* bytes below the top that threads here use to write, or 0 */
};

struct hd_stack_state {
    struct home homes[HD_HOMES];
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

/* Put back zeros where the last thread of this home left its frames, so that no
 * execution sees another's. Frames can have holes (a large array that was never
 * touched), so look on a little below the last byte found. The same code ran here
 * last time: so far down there are frames again, without looking. */
static void wipe(struct home *home, char *top) {
    enum { LOOK = 4096, STRIDE = 256, USUAL = 8192 };
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
    *home = (struct home){0};
    char *low = top - block - size;
    void *at = mmap(low, size + block, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != low) return -1;
    void *tp = hd_tls_make(top);
    if (!tp) return -1;
    *home = (struct home){.low = low, .size = size, .tp = tp, .image = hd_tls_keep(tp)};
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
    thread->stack_low = home->low;
    thread->stack_size = home->size;
    thread->tp = home->tp;
    return 0;
}
