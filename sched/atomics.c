/* atomics.c - the atomic operations that compiled code calls.
 *
 * Each is a point, then the operation. There is one OS thread, so the operation
 * itself is plain C; what the program gets is sequential consistency, whatever
 * memory order it asked for. The order is kept in the trace for checkers. */
#include "access.h"
#include "record.h"
#include "runtime.h"

#define SEEN __attribute__((visibility("default")))

__extension__ typedef unsigned __int128 u128;

#define POINT(kind)                                                                      \
    struct hd_var *var = hd_access_atomic((uintptr_t)at, sizeof *at, kind, HD_PC())

/* Whether an exchange or the like changes anything shows when its turn has come. */
#define BEGIN() hd_access_begin((uintptr_t)at, sizeof *at, HD_PC())

/* 16 bytes are two words, and told as two: one may be accessed by itself. */
static inline void done(struct hd_var *var, unsigned size, enum hd_kind kind, int order,
                        unsigned flags, void *pc) {
    hd_access_done(var, kind, (unsigned)order, flags, pc);
    if (size > 8) hd_access_done(hd_var_second(var), kind, (unsigned)order, flags, pc);
}

#define ATOMICS(bits, type)                                                              \
    SEEN type __tsan_atomic##bits##_load(const volatile type *at, int order) {           \
        POINT(HD_VREAD);                                                                 \
        type value = *at;                                                                \
        done(var, sizeof *at, HD_VREAD, order, 0, HD_PC());                              \
        return value;                                                                    \
    }                                                                                    \
    SEEN void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {    \
        POINT(HD_VWRITE);                                                                \
        *at = value;                                                                     \
        done(var, sizeof *at, HD_VWRITE, order, 0, HD_PC());                             \
    }                                                                                    \
    SEEN type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) { \
        struct hd_var *var = BEGIN();                                                    \
        type old = *at;                                                                  \
        hd_access_settle(old != value);                                                  \
        *at = value;                                                                     \
        done(var, sizeof *at, HD_VRMW, order, 0, HD_PC());                               \
        return old;                                                                      \
    }                                                                                    \
    FETCH(bits, type, add, old + value)                                                  \
    FETCH(bits, type, sub, old - value)                                                  \
    FETCH(bits, type, and, old &value)                                                   \
    FETCH(bits, type, or, old | value)                                                   \
    FETCH(bits, type, xor, old ^ value)                                                  \
    FETCH(bits, type, nand, ~(old & value))                                              \
    static int exchange##bits(volatile type *at, type *expected, type value, int order,  \
                              int failed_order, void *pc) {                              \
        struct hd_var *var = hd_access_cas((uintptr_t)at, (const void *)at, expected,    \
                                           sizeof *at, pc);                              \
        type old = *at;                                                                  \
        if (old == *expected) {                                                          \
            *at = value;                                                                 \
            done(var, sizeof *at, HD_VRMW, order, 0, pc);                                \
            return 1;                                                                    \
        }                                                                                \
        *expected = old;                                                                 \
        done(var, sizeof *at, HD_VREAD, failed_order, HD_FLAG_FAILED, pc);               \
        return 0;                                                                        \
    }                                                                                    \
    SEEN int __tsan_atomic##bits##_compare_exchange_strong(                              \
        volatile type *at, type *expected, type value, int order, int failed) {          \
        return exchange##bits(at, expected, value, order, failed, HD_PC());              \
    }                                                                                    \
    SEEN int __tsan_atomic##bits##_compare_exchange_weak(                                \
        volatile type *at, type *expected, type value, int order, int failed) {          \
        return exchange##bits(at, expected, value, order, failed, HD_PC());              \
    }                                                                                    \
    SEEN type __tsan_atomic##bits##_compare_exchange_val(                                \
        volatile type *at, type expected, type value, int order, int failed) {           \
        exchange##bits(at, &expected, value, order, failed, HD_PC());                    \
        return expected;                                                                 \
    }

#define FETCH(bits, type, name, result)                                                  \
    SEEN type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, int order) { \
        struct hd_var *var = BEGIN();                                                    \
        type old = *at, now = (type)(result);                                            \
        hd_access_settle(now != old);                                                    \
        *at = now;                                                                       \
        done(var, sizeof *at, HD_VRMW, order, 0, HD_PC());                               \
        return old;                                                                      \
    }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, u128)

SEEN void __tsan_atomic_thread_fence(int order) {
    if (hd_rt->current) hd_record_plain(HD_FENCE, 0, (uint32_t)order, 0, HD_PC());
}
SEEN void __tsan_atomic_signal_fence(int order) { (void)order; }
