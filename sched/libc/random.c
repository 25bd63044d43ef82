/* random.c - chance from outside of the program: the same every time.
 *
 * Bytes follow from the seed, the thread and how many it drew before: neither the
 * run nor the schedule changes them, as a search needs it. What the processor
 * itself gives (rdrand) is out of reach, but for std::random_device. */
#include "hold.h"
#include "random.h"

#include "../access.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t word(void) {
    struct hd_thread *self = hd_booted ? hd_rt->current : NULL;
    uint64_t z = hd_booted ? hd_rt->config.seed * 0x9e3779b97f4a7c15UL : 1;
    if (self) z ^= (uint64_t)self->home << 40 ^ ++self->draws * 0xd1342543de82ef95UL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}

void hd_random_fill(char *to, size_t n, void *pc) {
    if (hd_watched()) hd_access_range((uintptr_t)to, n, HD_WRITE, pc);
    for (size_t i = 0; i < n;) {
        uint64_t drawn = word();
        for (int k = 0; k < 8 && i < n; k++, i++) to[i] = (char)(drawn >> (8 * k));
    }
}

HD_TAKEN ssize_t getrandom(void *to, size_t n, unsigned flags) {
    if (!hd_inside()) return HD_REAL(getrandom)(to, n, flags);
    hd_random_fill(to, n, HD_PC());
    return (ssize_t)n;
}

HD_TAKEN int getentropy(void *to, size_t n) {
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    if (!hd_inside()) return HD_REAL(getentropy)(to, n);
    hd_random_fill(to, n, HD_PC());
    return 0;
}

HD_TAKEN uint32_t arc4random(void) { return (uint32_t)word(); }

HD_TAKEN void arc4random_buf(void *to, size_t n) { hd_random_fill(to, n, HD_PC()); }

HD_TAKEN uint32_t arc4random_uniform(uint32_t bound) {
    return bound < 2 ? 0 : (uint32_t)(((word() >> 32) * bound) >> 32);
}

/* std::random_device::operator() comes to one of these. */
extern unsigned _ZNSt13random_device9_M_getvalEv(void *self);
extern unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void *self);
HD_TAKEN unsigned _ZNSt13random_device9_M_getvalEv(void *self) {
    (void)self;
    return (unsigned)word();
}
HD_TAKEN unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void *self) {
    (void)self;
    return (unsigned)word();
}
