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

/* A struct that is copied: as long as its words are variables of eight bytes each and
 * repeat themselves, nothing is new. */
static inline __attribute__((always_inline)) size_t again_in(uintptr_t at, size_t size,
                                                             enum hd_kind kind) {
    size_t done = 0;
    uint64_t *cell;
    if (at & 7) return 0;
    for (; done + 8 <= size; done += 8) {
        if (hd_access_again(at + done, 8, kind, &cell)) continue;
        hd_count_back(hd_lane(at + done)); /* it is counted there, as what it is */
        break;
    }
    return done;
}

static inline __attribute__((always_inline)) void range(uintptr_t at, size_t size,
                                                        enum hd_kind kind, void *pc) {
    size_t done = again_in(at, size, kind);
    if (hd_unlikely(done < size)) hd_access_range(at + done, size - done, kind, pc);
}

#define RANGE(name, n)                                                                   \
    SEEN void __tsan_##name##read##n(void *at) {                                         \
        range((uintptr_t)at, n, HD_READ, HD_PC());                             \
    }                                                                                    \
    SEEN void __tsan_##name##write##n(void *at) {                                        \
        range((uintptr_t)at, n, HD_WRITE, HD_PC());                            \
    }                                                                                    \
    SEEN void __tsan_##name##read_write##n(void *at) {                                   \
        range((uintptr_t)at, n, HD_READ, HD_PC());                             \
        range((uintptr_t)at, n, HD_WRITE, HD_PC());                            \
    }
RANGE(, 16)
RANGE(unaligned_, 2)
RANGE(unaligned_, 4)
RANGE(unaligned_, 8)
RANGE(unaligned_, 16)

SEEN void __tsan_read16_pc(void *at, void *pc) { range((uintptr_t)at, 16, HD_READ, pc); }
SEEN void __tsan_write16_pc(void *at, void *pc) { range((uintptr_t)at, 16, HD_WRITE, pc); }

SEEN void __tsan_read_range(void *at, size_t size) {
    range((uintptr_t)at, size, HD_READ, HD_PC());
}
SEEN void __tsan_write_range(void *at, size_t size) {
    range((uintptr_t)at, size, HD_WRITE, HD_PC());
}
SEEN void __tsan_read_range_pc(void *at, size_t size, void *pc) {
    range((uintptr_t)at, size, HD_READ, pc);
}
SEEN void __tsan_write_range_pc(void *at, size_t size, void *pc) {
    range((uintptr_t)at, size, HD_WRITE, pc);
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
    struct hd_call *calls = hd_calls_room(self->calls_room * 2);
    memcpy(calls, self->calls, self->calls_room * sizeof *calls);
    self->calls = calls;
    self->calls_room *= 2;
}

static inline void enter(struct hd_thread *self, void *pc, uintptr_t sp) {
    struct hd_call *call = self->calls + self->depth++;
    call->pc = pc;
    call->sp = sp;
    call->fp = *(uintptr_t *)sp;
    call->divides = false;
    if (hd_rt->recording && hd_call_divides(pc)) {
        call->divides = true;
        hd_stamp();
    }
}

static __attribute__((noinline)) void enter_late(struct hd_thread *self, void *pc, uintptr_t sp) {
    while (self->calls[(int)self->depth - 1].sp <= sp) hd_call_left(self); /* a longjmp went past it */
    if (self->depth == self->calls_room) deeper(self);
    enter(self, pc, sp);
}

SEEN void __tsan_func_entry(void *caller) {
    (void)caller;
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self)) return;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    if (hd_unlikely((self->calls + self->depth)[-1].sp <= sp) ||
        hd_unlikely(self->depth == self->calls_room)) {
        enter_late(self, HD_PC(), sp);
        return;
    }
    enter(self, HD_PC(), sp);
}

static __attribute__((noinline)) void leave_late(struct hd_thread *self, uintptr_t sp) {
    if (self->depth == 0) return;
    while (self->depth > 1 && self->calls[self->depth - 1].sp < sp) hd_call_left(self);
    bool divides = self->calls[self->depth - 1].divides;
    hd_call_left(self);
    if (divides) hd_stamp();
}

SEEN void __tsan_func_exit(void) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(!self)) return;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    const struct hd_call *call = self->calls + self->depth - 1;
    if (hd_unlikely(call->sp < sp) || hd_unlikely(self->entered >= self->depth)) {
        leave_late(self, sp); /* or the trace shows it */
        return;
    }
    self->depth--;
    if (call->divides) hd_stamp();
}

SEEN void __tsan_init(void) {}
SEEN void __tsan_ignore_thread_begin(void) {}
SEEN void __tsan_ignore_thread_end(void) {}
