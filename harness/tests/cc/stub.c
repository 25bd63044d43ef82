/* stub.c - a runtime that only counts, to test heddle-cc without libheddle.
 *
 * Defines what gcc 12 and clang 14 call under thread instrumentation. With STUB_FLAG
 * in the environment, the fifth four-byte read sets the program's `flag`, so that a
 * spin loop ends exactly if its read is inside the loop. STUB_REPORT prints counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long reads, writes, entries, atomics;
extern int flag __attribute__((weak));
int stub_is_linked;

static void on_read(void) {
    if (++reads == 5 && &flag) *(volatile int *)&flag = 1;
}

#define ACCESS(name)                                                                     \
    void __tsan_read##name(void *p) { (void)p, on_read(); }                              \
    void __tsan_write##name(void *p) { (void)p, writes++; }                              \
    void __tsan_volatile_read##name(void *p) { (void)p, on_read(); }                     \
    void __tsan_volatile_write##name(void *p) { (void)p, writes++; }                     \
    void __tsan_unaligned_read##name(void *p) { (void)p, on_read(); }                    \
    void __tsan_unaligned_write##name(void *p) { (void)p, writes++; }                    \
    void __tsan_unaligned_volatile_read##name(void *p) { (void)p, on_read(); }           \
    void __tsan_unaligned_volatile_write##name(void *p) { (void)p, writes++; }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

#define ATOMIC(bits, type)                                                               \
    type __tsan_atomic##bits##_load(const volatile type *p, int o) {                     \
        (void)o, atomics++;                                                              \
        return *p;                                                                       \
    }                                                                                    \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int o) {                  \
        (void)o, atomics++;                                                              \
        *p = v;                                                                          \
    }                                                                                    \
    type __tsan_atomic##bits##_fetch_add(volatile type *p, type v, int o) {              \
        type old = *p;                                                                   \
        (void)o, atomics++;                                                              \
        *p = old + v;                                                                    \
        return old;                                                                      \
    }
ATOMIC(8, unsigned char)
ATOMIC(32, unsigned)
ATOMIC(64, unsigned long)

void __tsan_atomic_thread_fence(int o) { (void)o, atomics++; }
void __tsan_read_range(void *p, unsigned long n) { (void)p, (void)n, on_read(); }
void __tsan_write_range(void *p, unsigned long n) { (void)p, (void)n, writes++; }
void __tsan_vptr_update(void **p, void *v) { (void)p, (void)v, writes++; }
void __tsan_vptr_read(void **p) { (void)p, on_read(); }
void __tsan_func_entry(void *p) { (void)p, entries++; }
void __tsan_func_exit(void) {}
void __tsan_init(void) { stub_is_linked = 1; }

__attribute__((destructor)) static void report(void) {
    if (getenv("STUB_REPORT")) {
        fprintf(stderr, "reads %ld writes %ld entries %ld atomics %ld\n", reads, writes,
                entries, atomics);
    }
}
