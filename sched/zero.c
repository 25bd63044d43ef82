/* zero.c - see zero.h. */
#include "zero.h"

#include "runtime.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* Wide registers, if the processor has them and the kernel keeps them. */
void hd_zero_boot(void) {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27)) return;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    hd_rt->wide_registers = (b & 1u << 5) != 0;
}

#define WIDE __attribute__((target("avx2")))
#define WIDE_INLINE WIDE static inline __attribute__((always_inline))

WIDE_INLINE __m256i load(const char *at) { return _mm256_loadu_si256((const __m256i *)at); }

/* 128 bytes, as one that is zero if they all are; or if they are the other's. */
WIDE_INLINE __m256i any_of(const char *at) {
    return _mm256_or_si256(_mm256_or_si256(load(at), load(at + 32)),
                           _mm256_or_si256(load(at + 64), load(at + 96)));
}

WIDE_INLINE __m256i differ(const char *a, const char *b) {
    return _mm256_xor_si256(load(a), load(b));
}

WIDE_INLINE __m256i differ_in(const char *a, const char *b) {
    return _mm256_or_si256(_mm256_or_si256(differ(a, b), differ(a + 32, b + 32)),
                           _mm256_or_si256(differ(a + 64, b + 64), differ(a + 96, b + 96)));
}

/* How many of the first bytes are zero, by steps of 128: most often all. */
WIDE static size_t wide_zero(const char *at, size_t size) {
    size_t done = 0;
    for (; done + 512 <= size; done += 512) {
        const char *from = at + done;
        __m256i any = _mm256_or_si256(_mm256_or_si256(any_of(from), any_of(from + 128)),
                                      _mm256_or_si256(any_of(from + 256), any_of(from + 384)));
        if (!_mm256_testz_si256(any, any)) return done;
    }
    for (; done + 128 <= size; done += 128) {
        __m256i any = any_of(at + done);
        if (!_mm256_testz_si256(any, any)) return done;
    }
    return done;
}

WIDE static size_t wide_same(const char *a, const char *b, size_t size) {
    size_t done = 0;
    for (; done + 256 <= size; done += 256) {
        __m256i any = _mm256_or_si256(differ_in(a + done, b + done),
                                      differ_in(a + done + 128, b + done + 128));
        if (!_mm256_testz_si256(any, any)) return done;
    }
    for (; done + 128 <= size; done += 128) {
        __m256i any = differ_in(a + done, b + done);
        if (!_mm256_testz_si256(any, any)) return done;
    }
    return done;
}
#else
void hd_zero_boot(void) {}
static size_t wide_zero(const char *at, size_t size) {
    (void)at;
    (void)size;
    return 0;
}
static size_t wide_same(const char *a, const char *b, size_t size) {
    (void)a;
    (void)b;
    (void)size;
    return 0;
}
#endif

bool hd_is_zero(const void *at_, size_t size) {
    const char *at = at_;
    if (hd_rt->wide_registers && size >= 128) {
        size_t done = wide_zero(at, size);
        at += done;
        size -= done;
    }
    for (; size >= 8; at += 8, size -= 8) {
        if (*(const hd_word *)at) return false;
    }
    for (; size > 0; at++, size--) {
        if (*at) return false;
    }
    return true;
}

/* What is looked at, and written, at once. */
#define STEP 512

void hd_put_zero(char *at, size_t size) {
    while (size > 0) {
        size_t clean = hd_rt->wide_registers ? wide_zero(at, size) : 0;
        at += clean;
        size -= clean;
        size_t n = size < STEP ? size : STEP;
        if (!hd_is_zero(at, n)) hd_rt->real.memset(at, 0, n);
        at += n;
        size -= n;
    }
}

void hd_put_back(char *at, const char *saved, size_t size) {
    while (size > 0) {
        size_t clean = hd_rt->wide_registers ? wide_same(at, saved, size) : 0;
        at += clean;
        saved += clean;
        size -= clean;
        size_t n = size < STEP ? size : STEP;
        if (hd_rt->real.memcmp(at, saved, n) != 0) hd_rt->real.memcpy(at, saved, n);
        at += n;
        saved += n;
        size -= n;
    }
}
