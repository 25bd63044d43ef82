/* life.c - cases with births and ends: of threads, of the process; choices,
 * output, memory. */
#include "case.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x, y;
static int r[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void observe_all(void) {
    heddle_observe("x", atomic_load(&x));
    for (int i = 0; i < 4; i++) heddle_observe("r", r[i]);
}

WORK(set_x) { atomic_store(&x, 1); return NULL; }
WORK(set_y) { atomic_store(&y, 1); return NULL; }
WORK(add_x) { atomic_fetch_add(&x, 1); return NULL; }
WORK(see_x) { r[0] = atomic_load(&x); return NULL; }
WORK(mark_1) { atomic_store(&x, atomic_load(&x) * 10 + 1); return NULL; }
WORK(mark_2) { atomic_store(&x, atomic_load(&x) * 10 + 2); return NULL; }
WORK(nest) { pthread_t t = start(add_x); atomic_fetch_add(&x, 10); pthread_join(t, NULL); return NULL; }
static void nested(void) { run2_here(nest, see_x); observe_all(); }
WORK(nest_1) { pthread_join(start(mark_1), NULL); return NULL; }
WORK(nest_2) { pthread_join(start(mark_2), NULL); return NULL; }
static void nested_twice(void) { run2_here(nest_1, nest_2); observe_all(); }
static void in_turn(void) { /* a clock's component is used again */
    pthread_join(start(mark_1), NULL);
    pthread_t t = start(nest_2);
    pthread_join(start(mark_1), NULL);
    pthread_join(t, NULL);
    observe_all();
}
static void unjoined(void) { start(set_x); r[0] = atomic_load(&x); observe_all(); }
static void exit_early(void) { start(set_x); exit(3); }
static void exit_two_run(void) { start(set_x); start(set_y); _exit(atomic_load(&x)); }
WORK(exit_inside) { exit(5); }
static void exit_by_other(void) { pthread_t t = start(exit_inside); atomic_store(&x, 1); pthread_join(t, NULL); }
static void exit_by_two(void) { start(exit_inside); exit(6); }
static void detached(void) { pthread_detach(start(add_x)); r[0] = atomic_load(&x); observe_all(); }
static void main_leaves(void) { start(mark_1); start(mark_2); pthread_exit(NULL); }
WORK(check_x) { assert(atomic_load(&x) == 0); return NULL; }
static void assertion(void) { run2(check_x, set_x); observe_all(); }
static void assertion_busy(void) { run3_here(check_x, set_x, set_y); observe_all(); }
WORK(crash_now) { *(volatile int *)0 = 1; return NULL; }
static void crash_at_once(void) { pthread_t t = start(crash_now); atomic_store(&x, 1); pthread_join(t, NULL); }
static int *shared_pointer;
WORK(use_pointer) { if (shared_pointer) r[0] = *shared_pointer; return NULL; }
WORK(clear_pointer) { shared_pointer = NULL; return NULL; }
static void pointer_race(void) { static int target = 4; shared_pointer = &target; run2(use_pointer, clear_pointer); observe_all(); }
static void tryjoin(void) {
    pthread_t t = start(set_x);
    r[0] = pthread_tryjoin_np(t, NULL) == EBUSY;
    if (r[0]) pthread_join(t, NULL);
    observe_all();
}
WORK(leave) { pthread_exit((void *)(intptr_t)atomic_load(&x)); }
static void result(void) { pthread_t t = start(leave); atomic_store(&x, 4); void *p; pthread_join(t, &p); r[0] = (int)(intptr_t)p; observe_all(); }

static void choose_alone(void) { r[0] = heddle_choose(3); observe_all(); }
WORK(choose_1) { atomic_store(&x, heddle_choose(2) + 1); return NULL; }
WORK(choose_2) { atomic_store(&x, heddle_choose(2) + 5); return NULL; }
static void choose_both(void) { run2(choose_1, choose_2); observe_all(); }
WORK(choose_lock) {
    if (heddle_choose(2)) {
        pthread_mutex_lock(&m);
        atomic_fetch_add(&x, 2);
        pthread_mutex_unlock(&m);
    }
    r[1] = heddle_choose(2);
    return NULL;
}
WORK(plain_lock) { pthread_mutex_lock(&m); r[2] = atomic_load(&x); pthread_mutex_unlock(&m); return NULL; }
static void choose_then_lock(void) { run2(choose_lock, plain_lock); observe_all(); }
WORK(choose_after) { int seen = atomic_load(&x); r[0] = heddle_choose(2 + seen); return NULL; }
static void choose_more_or_less(void) { run2(choose_after, set_x); observe_all(); }

WORK(yield_store) { atomic_store(&x, 1); sched_yield(); atomic_store(&y, 1); return NULL; }
WORK(yield_load) { r[0] = atomic_load(&y); sched_yield(); r[1] = atomic_load(&x); return NULL; }
static void yields(void) { run2(yield_store, yield_load); observe_all(); }

WORK(say_a) { fputs("a\n", stdout); return NULL; }
WORK(say_b) { fputs("b\n", stdout); return NULL; }
static void output(void) { run2(say_a, say_b); }
WORK(write_a) { if (write(1, "a", 1) < 0) abort(); return NULL; }
WORK(write_b) { if (write(1, "b", 1) < 0) abort(); return NULL; }
static void output_raw(void) { run2(write_a, write_b); }

static void *blocks[3];
WORK(allocate) { blocks[0] = malloc(24); *(int *)blocks[0] = 1; atomic_fetch_add(&x, 1); return NULL; }
WORK(allocate2) { blocks[1] = malloc(24); *(int *)blocks[1] = 2; atomic_fetch_add(&x, 1); return NULL; }
static void memory(void) {
    run2(allocate, allocate2);
    heddle_observe("order", blocks[0] < blocks[1]);
    observe_all();
    free(blocks[0]);
    free(blocks[1]);
}
static int *shared_block;
WORK(use_block) { if (!atomic_load(&y)) r[0] = *shared_block; return NULL; }
WORK(free_block) { atomic_store(&y, 1); free(shared_block); return NULL; }
static void use_after_free(void) { shared_block = calloc(1, 4); run2(use_block, free_block); observe_all(); }

WORK(wait_long) { pthread_mutex_lock(&m); pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m); for (;;) pthread_cond_wait(&c, &m); pthread_cleanup_pop(1); return NULL; }
static void canceled(void) {
    pthread_t t = start(wait_long);
    pthread_cancel(t);
    void *p;
    pthread_join(t, &p);
    r[0] = p == PTHREAD_CANCELED;
    observe_all();
}
static pthread_key_t key;
static void at_end(void *value) { atomic_fetch_add(&x, (int)(intptr_t)value); }
WORK(with_key) { pthread_setspecific(key, (void *)2); return NULL; }
static void keys(void) { pthread_key_create(&key, at_end); run2(with_key, see_x); observe_all(); }
WORK(with_key_too) { pthread_setspecific(key, (void *)1); return NULL; }
static void key_deleted(void) {
    pthread_key_create(&key, at_end);
    pthread_t a = start(with_key), b = start(with_key_too);
    pthread_key_delete(key);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    observe_all();
}
static void deletes(void *value) { (void)value; pthread_key_delete(key); }
static pthread_key_t first_key;
WORK(with_two_keys) { pthread_setspecific(first_key, (void *)1); pthread_setspecific(key, (void *)2); return NULL; }
static void key_deleted_at_end(void) {
    pthread_key_create(&first_key, deletes);
    pthread_key_create(&key, at_end);
    run2(with_two_keys, with_key_too);
    observe_all();
}
WORK(make_key) { pthread_key_t made; pthread_key_create(&made, NULL); r[1] = (int)(made - first_key); return NULL; }
WORK(make_key_too) { pthread_key_t made; pthread_key_create(&made, NULL); r[2] = (int)(made - first_key); return NULL; }
static void keys_made(void) {
    pthread_key_create(&first_key, NULL);
    pthread_t a = start(make_key), b = start(make_key_too);
    pthread_key_delete(first_key);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    observe_all();
}

CASES(CASE(nested), CASE(nested_twice), CASE(in_turn), CASE(unjoined), CASE(exit_early),
      CASE(exit_two_run), CASE(exit_by_other), CASE(exit_by_two), CASE(detached),
      CASE(main_leaves), CASE(assertion), CASE(assertion_busy), CASE(crash_at_once),
      CASE(pointer_race), CASE(tryjoin), CASE(result), CASE(choose_alone), CASE(choose_both),
      CASE(choose_then_lock), CASE(choose_more_or_less), CASE(yields), CASE(output),
      CASE(output_raw), CASE(memory), CASE(use_after_free), CASE(canceled), CASE(keys),
      CASE(key_deleted), CASE(key_deleted_at_end), CASE(keys_made))
