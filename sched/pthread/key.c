/* key.c - keys of thread-specific data: made, deleted, and what runs at a thread's end.
 *
 * The keys and the values are glibc's own. A thread that ends runs the destructors of
 * its values, but not those of keys that were deleted before: the two depend on each
 * other. So do making and deleting keys, since a key's number is the lowest that is free.
 * All that is one piece of hidden state (access.h): points only from when it is known that
 * the order is open. A value belongs to its thread: who never had one ends without a look. */
#include "block.h"
#include "state.h"

#include "../libc/hold.h"
#include "../libc/libc.h"
#include "../shadow.h"

#include <limits.h>
#include <threads.h>

static void keys_step(enum hd_mode mode, void *pc) {
    struct hd_key *const *keys = &hd_pthread_state()->keys;
    if (!hd_hidden_point(hd_rt->makes_keys, keys, sizeof *keys, mode == HD_MODE_WRITE, pc)) return;
    hd_step(HD_NONE, hd_var_place(hd_var_get((uintptr_t)keys, sizeof *keys)), mode, pc);
}

static void before_change(void *pc) {
    hd_hidden_known(&hd_rt->makes_keys);
    keys_step(HD_MODE_WRITE, pc);
}

static int make(pthread_key_t *key, void (*destructor)(void *), void *pc) {
    int (*real)(pthread_key_t *, void (*)(void *)) =
        (int (*)(pthread_key_t *, void (*)(void *)))(uintptr_t)hd_real_named("pthread_key_create");
    if (!hd_inside()) return real(key, destructor);
    before_change(pc);
    pthread_key_t made;
    int rc = real(&made, destructor);
    if (rc == 0) hd_give(key, &made, sizeof made, pc);
    return rc;
}

static int forget(pthread_key_t key, void *pc) {
    int (*real)(pthread_key_t) =
        (int (*)(pthread_key_t))(uintptr_t)hd_real_named("pthread_key_delete");
    if (hd_inside()) before_change(pc);
    return real(key);
}

/* Main may have some from before it ran. */
static void before_destructors(void) {
    const struct hd_thread *self = hd_rt->current;
    const struct hd_pthread *mine = self->pthread;
    if (self->id == 0 || (mine && mine->has_values)) keys_step(HD_MODE_READ, NULL);
}

void hd_keys_run(const struct hd_key *keys) {
    before_destructors();
    for (int round = 0; keys && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        bool any = false;
        /* A new key is the lowest that is free: above one never used there is none. */
        for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX && keys[key].sequence; key++) {
            if (!keys[key].destructor || !(keys[key].sequence & 1)) continue;
            void *value = pthread_getspecific(key); /* NULL: unset, or of a deleted key */
            if (!value) continue;
            pthread_setspecific(key, NULL);
            keys[key].destructor(value);
            before_destructors(); /* others may have come meanwhile */
            any = true;
        }
        if (!any) return;
    }
}

HD_TAKEN int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    return make(key, destructor, HD_PC());
}

HD_TAKEN int pthread_key_delete(pthread_key_t key) { return forget(key, HD_PC()); }

static int set(pthread_key_t key, void *value) {
    if (value && hd_inside()) hd_pthread_of(hd_rt->current)->has_values = true;
    return HD_REAL(pthread_setspecific)(key, value);
}

HD_TAKEN int pthread_setspecific(pthread_key_t key, const void *value) {
    return set(key, (void *)(uintptr_t)value);
}

HD_TAKEN int tss_set(tss_t key, void *value) {
    return set(key, value) == 0 ? thrd_success : thrd_error;
}

HD_TAKEN int tss_create(tss_t *key, tss_dtor_t destructor) {
    return make(key, destructor, HD_PC()) == 0 ? thrd_success : thrd_error;
}

HD_TAKEN void tss_delete(tss_t key) { forget(key, HD_PC()); }
