/* instrument.c - the functions that compiled code calls: plain memory and calls.
 *
 * gcc and clang with -fsanitize=thread put a call before every access. The name
 * says how many bytes; the return address says where. */
#include "access.h"
#include "linkage.h"
#include "record.h"
#include "runtime.h"

#define SEEN __attribute__((visibility("default")))

/* The repetition is a function without a frame; what is new is a jump away. */
#define ALIGNED_KIND(name, kind, n)                                                      \
    static __attribute__((noinline)) void new_##name##n(uintptr_t at, void *pc, uint64_t *cell) { \
        hd_access_new(at, n, kind, pc, cell);                                            \
    }                                                                                    \
    SEEN void __tsan_##name##n(void *at) {                                               \
        uint64_t *cell;                                                                  \
        if (hd_access_again((uintptr_t)at, n, kind, &cell)) return;                      \
        new_##name##n((uintptr_t)at, HD_PC(), cell);                                     \
    }                                                                                    \
    SEEN void __tsan_##name##n##_pc(void *at, void *pc) {                                \
        uint64_t *cell;                                                                  \
        if (hd_access_again((uintptr_t)at, n, kind, &cell)) return;                      \
        new_##name##n((uintptr_t)at, pc, cell);                                          \
    }
#define ALIGNED(n)                                                                       \
    ALIGNED_KIND(read, HD_READ, n)                                                       \
    ALIGNED_KIND(write, HD_WRITE, n)                                                     \
    SEEN void __tsan_read_write##n(void *at) {                                           \
        __tsan_read##n##_pc(at, HD_PC());                                                \
        __tsan_write##n##_pc(at, HD_PC());                                               \
    }
ALIGNED(1)
ALIGNED(2)
ALIGNED(4)
ALIGNED(8)

#define RANGE(name, n)                                                                   \
    SEEN void __tsan_##name##read##n(void *at) {                                         \
        hd_access_range((uintptr_t)at, n, HD_READ, HD_PC());                             \
    }                                                                                    \
    SEEN void __tsan_##name##write##n(void *at) {                                        \
        hd_access_range((uintptr_t)at, n, HD_WRITE, HD_PC());                            \
    }                                                                                    \
    SEEN void __tsan_##name##read_write##n(void *at) {                                   \
        hd_access_range((uintptr_t)at, n, HD_READ, HD_PC());                             \
        hd_access_range((uintptr_t)at, n, HD_WRITE, HD_PC());                            \
    }
RANGE(, 16)
RANGE(unaligned_, 2)
RANGE(unaligned_, 4)
RANGE(unaligned_, 8)
RANGE(unaligned_, 16)

SEEN void __tsan_read16_pc(void *at, void *pc) { hd_access_range((uintptr_t)at, 16, HD_READ, pc); }
SEEN void __tsan_write16_pc(void *at, void *pc) { hd_access_range((uintptr_t)at, 16, HD_WRITE, pc); }

SEEN void __tsan_read_range(void *at, size_t size) {
    hd_access_range((uintptr_t)at, size, HD_READ, HD_PC());
}
SEEN void __tsan_write_range(void *at, size_t size) {
    hd_access_range((uintptr_t)at, size, HD_WRITE, HD_PC());
}
SEEN void __tsan_read_range_pc(void *at, size_t size, void *pc) {
    hd_access_range((uintptr_t)at, size, HD_READ, pc);
}
SEEN void __tsan_write_range_pc(void *at, size_t size, void *pc) {
    hd_access_range((uintptr_t)at, size, HD_WRITE, pc);
}

/* Volatile: always a point. An unaligned one is taken apart at the word's end. */
static void touch_volatile(uintptr_t at, unsigned size, enum hd_kind kind, void *pc) {
    if (!hd_rt->current) return;
    while (size > 0) {
        unsigned piece = 8 - (at & 7);
        if (piece > size) piece = size;
        struct hd_var *var = hd_access_atomic(at, piece, kind, pc);
        hd_access_done(var, kind, HD_VOLATILE, 0, pc);
        at += piece;
        size -= piece;
    }
}

#define VOLATILE(name, n)                                                                \
    SEEN void __tsan_##name##volatile_read##n(void *at) {                                \
        touch_volatile((uintptr_t)at, n, HD_VREAD, HD_PC());                             \
    }                                                                                    \
    SEEN void __tsan_##name##volatile_write##n(void *at) {                               \
        touch_volatile((uintptr_t)at, n, HD_VWRITE, HD_PC());                            \
    }
VOLATILE(, 1)
VOLATILE(, 2)
VOLATILE(, 4)
VOLATILE(, 8)
VOLATILE(, 16)
VOLATILE(unaligned_, 2)
VOLATILE(unaligned_, 4)
VOLATILE(unaligned_, 8)
VOLATILE(unaligned_, 16)

/* A virtual table pointer: an ordinary access, except that storing the same
 * value again (every constructor of a base class does) changes nothing. */
SEEN void __tsan_vptr_update(void **at, void *value) {
    if (*at != value) __tsan_write8_pc(at, HD_PC());
}
SEEN void __tsan_vptr_read(void **at) { __tsan_read8_pc(at, HD_PC()); }

/* ---- calls ------------------------------------------------------------------ */

static void deeper(struct hd_thread *self) {
    struct hd_call *calls = hd_passing_as_it_is(self->calls_room * 2 * sizeof *calls);
    memcpy(calls, self->calls, self->calls_room * sizeof *calls);
    self->calls = calls;
    self->calls_room *= 2;
}

SEEN void __tsan_func_entry(void *caller) {
    (void)caller;
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self)) return;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    while (hd_unlikely(self->depth > 0 && self->calls[self->depth - 1].sp <= sp)) {
        hd_call_left(self); /* a longjmp went past it */
    }
    if (hd_unlikely(self->depth == self->calls_room)) deeper(self);
    self->calls[self->depth++] = (struct hd_call){HD_PC(), sp, *(uintptr_t *)sp};
    if (hd_rt->recording && hd_call_divides(HD_PC())) hd_stamp();
}

SEEN void __tsan_func_exit(void) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self || self->depth == 0)) return;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    while (hd_unlikely(self->depth > 1 && self->calls[self->depth - 1].sp < sp)) {
        hd_call_left(self);
    }
    void *pc = self->calls[self->depth - 1].pc;
    if (self->entered < self->depth) self->depth--; /* nothing was told of it */
    else hd_call_left(self);
    if (hd_rt->recording && hd_call_divides(pc)) hd_stamp();
}

SEEN void __tsan_init(void) {}
SEEN void __tsan_ignore_thread_begin(void) {}
SEEN void __tsan_ignore_thread_end(void) {}
