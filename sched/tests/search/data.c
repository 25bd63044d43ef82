/* data.c - cases with atomic, volatile and plain data. */
#include "case.h"

#include <stdatomic.h>

static atomic_int x, y, z;
static volatile int vx, vy;
static int px, py, lock_n;
static int r[6];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void observe_all(void) {
    heddle_observe("x", atomic_load(&x));
    for (int i = 0; i < 6; i++) heddle_observe("r", r[i]);
}

WORK(sb1) { atomic_store(&x, 1); r[0] = atomic_load(&y); return NULL; }
WORK(sb2) { atomic_store(&y, 1); r[1] = atomic_load(&x); return NULL; }
static void store_buffer(void) { run2(sb1, sb2); observe_all(); }
WORK(mp1) { atomic_store(&x, 1); atomic_store(&y, 1); return NULL; }
WORK(mp2) { r[0] = atomic_load(&y); r[1] = atomic_load(&x); return NULL; }
static void message(void) { run2(mp1, mp2); observe_all(); }
WORK(ww1) { atomic_store(&x, 1); atomic_store(&y, 2); return NULL; }
WORK(ww2) { atomic_store(&y, 1); atomic_store(&x, 2); return NULL; }
static void two_writes(void) { run2(ww1, ww2); heddle_observe("y", atomic_load(&y)); observe_all(); }
WORK(w1) { atomic_store(&x, 1); return NULL; }
WORK(w2) { atomic_store(&x, 2); return NULL; }
WORK(rr) { r[0] = atomic_load(&x); r[1] = atomic_load(&x); return NULL; }
static void three_on_one(void) { run3_here(w1, w2, rr); observe_all(); }
WORK(r1) { r[2] = atomic_load(&x); return NULL; }
WORK(r2) { r[3] = atomic_load(&x); return NULL; }
static void only_reads(void) { run3_here(r1, r2, rr); observe_all(); }
static void two_read_one_writes(void) { run3_here(r1, r2, w1); observe_all(); }
WORK(wy) { atomic_store(&y, 1); return NULL; }
WORK(iriw_r1) { r[0] = atomic_load(&x); r[1] = atomic_load(&y); return NULL; }
WORK(iriw_r2) { r[2] = atomic_load(&y); r[3] = atomic_load(&x); return NULL; }
static void iriw(void) {
    pthread_t a = start(w1), b = start(wy), c = start(iriw_r1);
    iriw_r2(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    observe_all();
}
WORK(add) { r[0] = atomic_fetch_add(&x, 1); return NULL; }
WORK(add2) { r[1] = atomic_fetch_add(&x, 1); return NULL; }
WORK(swap) { r[2] = atomic_exchange(&x, 5); return NULL; }
static void adds(void) { run2(add, add2); observe_all(); }
static void adds_and_swap(void) { run3_here(add, add2, swap); observe_all(); }
WORK(cas01) { int e = 0; r[0] = atomic_compare_exchange_strong(&x, &e, 1); return NULL; }
WORK(cas02) { int e = 0; r[1] = atomic_compare_exchange_strong(&x, &e, 2); return NULL; }
WORK(cas12) { int e = 1; r[2] = atomic_compare_exchange_strong(&x, &e, 2); return NULL; }
WORK(cas99) { int e = 99; r[3] = atomic_compare_exchange_strong(&x, &e, 7); return NULL; }
static void cas_two(void) { run2(cas01, cas02); observe_all(); }
static void cas_chain(void) { run2(cas01, cas12); observe_all(); }
static void cas_never(void) { run3_here(cas99, cas99, r1); observe_all(); }
static void cas_three(void) { run3_here(cas01, cas02, cas12); observe_all(); }
static void cas_and_reads(void) { run3_here(cas01, cas99, r1); observe_all(); }
WORK(cas_loop) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + 1)) {}
    return NULL;
}
static void cas_loops(void) { run2(cas_loop, cas_loop); observe_all(); }
WORK(load_store) { int old = atomic_load(&x); atomic_store(&x, old + 1); return NULL; }
static void increments(void) { run2(load_store, load_store); observe_all(); }
static void increments_three(void) { run3_here(load_store, load_store, w2); observe_all(); }
WORK(peterson1) { atomic_store(&x, 1); if (!atomic_load(&y)) { atomic_fetch_add(&z, 1); r[0] = 1; } return NULL; }
WORK(peterson2) { atomic_store(&y, 1); if (!atomic_load(&x)) { atomic_fetch_add(&z, 1); r[1] = 1; } return NULL; }
static void who_enters(void) { run2(peterson1, peterson2); observe_all(); }

WORK(vsb1) { vx = 1; r[0] = vy; return NULL; }
WORK(vsb2) { vy = 1; r[1] = vx; return NULL; }
static void volatile_buffer(void) { run2(vsb1, vsb2); observe_all(); }
WORK(vinc) { vx = vx + 1; return NULL; }
static void volatile_increments(void) { run2(vinc, vinc); r[0] = vx; observe_all(); }

WORK(pinc) { px++; return NULL; }
static void plain_increments(void) { run2(pinc, pinc); r[0] = px; observe_all(); }
WORK(psb1) { px = 1; r[0] = py; return NULL; }
WORK(psb2) { py = 1; r[1] = px; return NULL; }
static void plain_buffer(void) { run2(psb1, psb2); observe_all(); }
WORK(publish) { px = 7; atomic_store(&x, 1); return NULL; }
WORK(consume) { if (atomic_load(&x)) r[0] = px; return NULL; }
static void published(void) { run2(publish, consume); observe_all(); }
WORK(consume_badly) { int seen = atomic_load(&y); r[1] = seen; r[0] = px; return NULL; }
static void published_badly(void) { run2(publish, consume_badly); observe_all(); }
WORK(locked_write) { pthread_mutex_lock(&m); px = 3; lock_n++; pthread_mutex_unlock(&m); return NULL; }
WORK(after_lock) { /* reads outside of its lock, only if it came second */
    pthread_mutex_lock(&m);
    int second = lock_n++;
    pthread_mutex_unlock(&m);
    r[0] = second ? 9 : px;
    return NULL;
}
static void late_race(void) { run2(locked_write, after_lock); observe_all(); }
static struct { char a, b; } pair;
WORK(write_a) { pair.a = 1; r[0] = pair.b; return NULL; }
WORK(write_b) { pair.b = 1; return NULL; }
static void neighbours(void) { run2(write_a, write_b); observe_all(); }
static union { uint32_t word; uint8_t byte[4]; } mixed;
WORK(write_word) { mixed.word = 0x01010101; return NULL; }
WORK(write_byte) { mixed.byte[1] = 7; return NULL; }
static void mixed_sizes(void) { run2(write_word, write_byte); r[0] = (int)mixed.word; observe_all(); }
__extension__ typedef unsigned __int128 wide_t;
static union { wide_t both; uint64_t half[2]; uint8_t byte[16]; } wide;
#define BOTH ((wide_t)1 << 64 | 1)
WORK(write_wide) { __atomic_store_n(&wide.both, BOTH, __ATOMIC_SEQ_CST); return NULL; }
WORK(swap_wide) {
    wide_t none = 0;
    r[0] = __atomic_compare_exchange_n(&wide.both, &none, BOTH, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return NULL;
}
WORK(read_half) { r[1] = (int)__atomic_load_n(&wide.half[1], __ATOMIC_SEQ_CST); return NULL; }
WORK(write_half) { __atomic_store_n(&wide.half[1], 5, __ATOMIC_SEQ_CST); return NULL; }
WORK(read_byte) { r[1] = wide.byte[8]; return NULL; }
static void wide_and_half(void) { run2(read_half, write_wide); observe_all(); }
static void wide_swap_and_half(void) { run2(swap_wide, write_half); r[1] = (int)wide.half[1]; observe_all(); }
static void wide_and_byte(void) { run2(read_byte, write_wide); observe_all(); }
static void wide_and_both(void) { run3_here(read_half, write_wide, write_half); r[2] = (int)wide.half[1]; observe_all(); }
WORK(copy_pair) { static struct { long a, b; } from = {1, 2}; static __typeof__(from) to; to = from; r[2] += (int)to.a; return NULL; }
static void copies(void) { run2(copy_pair, w1); observe_all(); }

CASES(CASE(store_buffer), CASE(message), CASE(two_writes), CASE(three_on_one), CASE(only_reads),
      CASE(two_read_one_writes), CASE(iriw), CASE(adds), CASE(adds_and_swap), CASE(cas_two),
      CASE(cas_chain), CASE(cas_never), CASE(cas_three), CASE(cas_and_reads), CASE(cas_loops),
      CASE(increments), CASE(increments_three), CASE(who_enters), CASE(volatile_buffer),
      CASE(volatile_increments), CASE(plain_increments), CASE(plain_buffer), CASE(published),
      CASE(published_badly), CASE(late_race), CASE(neighbours), CASE(mixed_sizes), CASE(copies),
      CASE(wide_and_half), CASE(wide_swap_and_half), CASE(wide_and_byte), CASE(wide_and_both))
