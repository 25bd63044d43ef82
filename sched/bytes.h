/* bytes.h - copying and filling, for the runtime's own use.
 *
 * memcpy and memset are among the names heddle takes over; the runtime must not
 * call what it defines. Included before everything else in each file of the
 * runtime (the Makefile says so). */
#ifndef HD_BYTES_H
#define HD_BYTES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A word anywhere, of anything. */
typedef uint64_t hd_word __attribute__((may_alias, aligned(1)));
typedef uint32_t hd_half __attribute__((may_alias, aligned(1)));

/* Most are a few words: the processor's own string instructions take longer to
 * begin than those take. The last words may overlap. */
#define HD_FEW_BYTES 256

static inline void hd_copy_few(char *to, const char *from, size_t n) {
    if (n >= 8) {
        hd_word last = *(const hd_word *)(from + n - 8);
        for (size_t i = 0; i + 8 < n; i += 8) *(hd_word *)(to + i) = *(const hd_word *)(from + i);
        *(hd_word *)(to + n - 8) = last;
    } else if (n >= 4) {
        hd_half last = *(const hd_half *)(from + n - 4);
        *(hd_half *)to = *(const hd_half *)from;
        *(hd_half *)(to + n - 4) = last;
    } else {
        for (size_t i = 0; i < n; i++) to[i] = from[i];
    }
}

static inline void hd_fill_few(char *to, int value, size_t n) {
    uint64_t word = (unsigned char)value * 0x0101010101010101UL;
    if (n >= 8) {
        for (size_t i = 0; i + 8 < n; i += 8) *(hd_word *)(to + i) = word;
        *(hd_word *)(to + n - 8) = word;
    } else if (n >= 4) {
        *(hd_half *)to = *(hd_half *)(to + n - 4) = (uint32_t)word;
    } else {
        for (size_t i = 0; i < n; i++) to[i] = (char)value;
    }
}

static inline void *hd_memcpy(void *to, const void *from, size_t n) {
    if (n <= HD_FEW_BYTES) {
        hd_copy_few(to, from, n);
        return to;
    }
    void *at = to;
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n) : : "memory");
#else
    char *t = at;
    const char *f = from;
    while (n--) *t++ = *f++;
#endif
    return to;
}

static inline void *hd_memset(void *to, int value, size_t n) {
    if (n <= HD_FEW_BYTES) {
        hd_fill_few(to, value, n);
        return to;
    }
    void *at = to;
#if defined(__x86_64__)
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(value) : "memory");
#else
    char *t = at;
    while (n--) *t++ = (char)value;
#endif
    return to;
}

static inline void *hd_memmove(void *to, const void *from, size_t n) {
    if ((uintptr_t)to - (uintptr_t)from >= n) return hd_memcpy(to, from, n);
    char *t = (char *)to + n;
    const char *f = (const char *)from + n;
    while (n--) *--t = *--f;
    return to;
}

#include "raw.h"

#ifndef HD_DEFINES_STRINGS
#define memcpy hd_memcpy
#define memset hd_memset
#define memmove hd_memmove
#endif

#endif
