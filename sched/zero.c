/* zero.c - see zero.h. */
#include "zero.h"

#include "runtime.h"

#if defined(__x86_64__)
#include <cpuid.h>

typedef uint64_t wide __attribute__((vector_size(32), aligned(1), may_alias));

/* Wide registers, if the processor has them and the kernel keeps them. */
void hd_zero_boot(void) {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27)) return;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    hd_rt->wide_registers = (b & 1u << 5) != 0;
}

/* `size` a multiple of 128 */
__attribute__((target("avx2"))) static bool wide_zero(const char *at, size_t size) {
    for (const char *end = at + size; at < end; at += 128) {
        const wide *w = (const wide *)at;
        wide any = (w[0] | w[1]) | (w[2] | w[3]);
        if (any[0] | any[1] | any[2] | any[3]) return false;
    }
    return true;
}
#else
void hd_zero_boot(void) {}
static bool wide_zero(const char *at, size_t size) {
    (void)at;
    (void)size;
    return false;
}
#endif

bool hd_is_zero(const void *at_, size_t size) {
    const char *at = at_;
    if (hd_rt->wide_registers && size >= 128) {
        size_t most = size & ~(size_t)127;
        if (!wide_zero(at, most)) return false;
        at += most;
        size -= most;
    }
    for (; size >= 8; at += 8, size -= 8) {
        if (*(const hd_word *)at) return false;
    }
    for (; size > 0; at++, size--) {
        if (*at) return false;
    }
    return true;
}
