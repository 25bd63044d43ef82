/* key.c - keys of thread-specific data: made, deleted, and what runs at a thread's end.
 *
 * The keys and the values are glibc's own. A thread that ends runs the destructors of
 * its values, but not those of keys that were deleted before: the two depend on each
 * other. So do making and deleting keys, since a key's number is the lowest that is free.
 * Both are hidden state (access.h): points only from when it is known that the order is
 * open. A value belongs to its thread, and to look at one is nobody else's business. */
#include "block.h"
#include "state.h"

#include "../libc/hold.h"

#include <limits.h>
#include <threads.h>

static struct hd_place *shared(const uint64_t *cell, bool write, void *pc) {
    return hd_shared(cell, sizeof *cell, write, pc);
}

static int make(pthread_key_t *key, void (*destructor)(void *), void *pc) {
    int (*real)(pthread_key_t *, void (*)(void *)) =
        (int (*)(pthread_key_t *, void (*)(void *)))(uintptr_t)hd_real_named("pthread_key_create");
    if (!hd_inside()) return real(key, destructor);
    struct hd_place *numbers = shared(&hd_pthread_state()->key_numbers, true, pc);
    if (numbers) hd_step(HD_NONE, numbers, HD_MODE_WRITE, pc);
    pthread_key_t made;
    int rc = real(&made, destructor);
    if (rc == 0) hd_give(key, &made, sizeof made, pc);
    return rc;
}

/* One operation on both. What is not known as shared yet is looked at again behind the
 * point: others may have come meanwhile. */
static void before_deletion(void *pc) {
    struct hd_pthread_state *state = hd_pthread_state();
    struct hd_place *ends = shared(&state->key_ends, true, pc);
    if (ends) hd_step(HD_NONE, ends, HD_MODE_WRITE, pc);
    struct hd_place *numbers = shared(&state->key_numbers, true, pc);
    if (!numbers) return;
    if (ends) {
        hd_touch(numbers, HD_MODE_WRITE);
    } else {
        hd_step(HD_NONE, numbers, HD_MODE_WRITE, pc);
        shared(&state->key_ends, true, pc);
    }
}

static int forget(pthread_key_t key, void *pc) {
    int (*real)(pthread_key_t) = (int (*)(pthread_key_t))(uintptr_t)hd_real_named("pthread_key_delete");
    if (hd_inside()) before_deletion(pc);
    return real(key);
}

static void look_at_deletions(void) {
    struct hd_place *ends = shared(&hd_pthread_state()->key_ends, false, NULL);
    if (ends) hd_step(HD_NONE, ends, HD_MODE_READ, NULL);
}

void hd_keys_run(const struct hd_key *keys) {
    look_at_deletions();
    for (int round = 0; keys && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        bool any = false;
        /* A new key is the lowest that is free: above one never used there is none. */
        for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX && keys[key].sequence; key++) {
            if (!keys[key].destructor || !(keys[key].sequence & 1)) continue;
            void *value = pthread_getspecific(key); /* NULL: unset, or of a deleted key */
            if (!value) continue;
            pthread_setspecific(key, NULL);
            keys[key].destructor(value);
            look_at_deletions(); /* there may have been some meanwhile */
            any = true;
        }
        if (!any) return;
    }
}

HD_TAKEN int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    return make(key, destructor, HD_PC());
}

HD_TAKEN int pthread_key_delete(pthread_key_t key) { return forget(key, HD_PC()); }

HD_TAKEN int tss_create(tss_t *key, tss_dtor_t destructor) {
    return make(key, destructor, HD_PC()) == 0 ? thrd_success : thrd_error;
}

HD_TAKEN void tss_delete(tss_t key) { forget(key, HD_PC()); }
