/* handle.c - pthread_t and the thread it names.
 *
 * As in glibc a pthread_t is the thread pointer, so that libc, libstdc++ and
 * heddle agree on it; pthread_self and pthread_equal can stay glibc's. A thread
 * pointer lies in the memory of the thread's home (layout.h): from a handle to
 * a thread is an index and a comparison, and a wild handle is never followed.
 * Homes are not used again within an execution, so no handle comes to name
 * another thread. */
#include "state.h"

struct hd_pthread_state *hd_pthread_state(void) {
    struct hd_pthread_state *self = hd_rt->pthread_state;
    if (hd_unlikely(!self)) self = hd_rt->pthread_state = hd_lasting(sizeof *self);
    if (hd_unlikely(self->generation != hd_rt->generation)) {
        self->generation = hd_rt->generation;
        self->named = NULL;
        self->futexes = NULL;
        self->process_pending = 0;
    }
    return self;
}

struct hd_pthread *hd_pthread_of(struct hd_thread *thread) {
    struct hd_pthread *self = thread->pthread;
    if (hd_likely(self)) return self;
    self = thread->pthread = hd_passing(sizeof *self);
    self->cancel.key = hd_mailbox_key(thread);
    return self;
}

void hd_handle_add(struct hd_thread *thread) {
    hd_pthread_state()->thread_of[thread->home] = thread->id;
}

struct hd_thread *hd_handle_find(pthread_t handle) {
    if (!hd_booted) return NULL;
    uintptr_t tp = (uintptr_t)handle;
    struct hd_thread *self = hd_rt->current;
    if (self && (uintptr_t)self->tp == tp) return self;
    if (hd_rt->thread_count > 0 && (uintptr_t)hd_rt->threads[0]->tp == tp) {
        return hd_rt->threads[0];
    }
    uintptr_t home = (tp - HD_AT_STACKS) / HD_STACK_STRIDE;
    if (tp < HD_AT_STACKS || home >= HD_HOMES) return NULL;
    uint32_t id = hd_pthread_state()->thread_of[home];
    if (id >= hd_rt->thread_count) return NULL;
    struct hd_thread *thread = hd_rt->threads[id];
    return (uintptr_t)thread->tp == tp ? thread : NULL;
}
