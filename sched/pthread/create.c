/* create.c - the birth of a thread, and its end.
 *
 * Between the end of a thread's function and the end of the thread come, in
 * glibc's order: destructors of thread-local C++ objects, destructors of
 * pthread keys, robust mutexes still held. Both kinds of destructors are
 * registered with glibc itself (its lists are in the thread's own block and in
 * libc's data, so they are put back between executions like everything else);
 * only calling them is left to do here. */
#include "../annotate.h"
#include "block.h"
#include "state.h"

#include "../access.h"
#include "../exits.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* ---- birth ------------------------------------------------------------------ */

/* isalpha and its like look up tables through pointers that each thread has. */
extern void __ctype_init(void);

static void begin(void *argument) {
    struct hd_thread *self = argument;
    hd_begin();
    __ctype_init();
    const struct hd_pthread *mine = self->pthread;
    void *result = mine->c11 ? (void *)(intptr_t)mine->entry(self->argument)
                             : self->entry(self->argument);
    hd_thread_end(result);
}

/* What glibc says, kept for as long as nobody tells it otherwise. */
static size_t standard_size(void) {
    struct hd_pthread_state *state = hd_pthread_state();
    bool told = state->told == hd_rt->generation; /* this holds for this execution only */
    if (hd_likely(state->standard && !told)) return state->standard;
    pthread_attr_t standard;
    size_t size = 0;
    pthread_attr_init(&standard);
    pthread_attr_getstacksize(&standard, &size);
    pthread_attr_destroy(&standard);
    state->standard = told ? 0 : size;
    return size;
}

HD_TAKEN int pthread_setattr_default_np(const pthread_attr_t *attr) {
    int (*real)(const pthread_attr_t *) =
        (int (*)(const pthread_attr_t *))(uintptr_t)hd_real_named("pthread_setattr_default_np");
    if (hd_booted) {
        hd_pthread_state()->standard = 0;
        hd_pthread_state()->told = hd_rt->generation;
    }
    return real(attr);
}

static void read_attributes(const pthread_attr_t *attr, struct hd_birth *birth) {
    int detach = PTHREAD_CREATE_JOINABLE;
    void *low = NULL;
    size_t size = 0;
    sigset_t set;
    birth->mask = hd_pthread_of(hd_rt->current)->mask;
    if (!attr) {
        birth->size = standard_size();
        return;
    }
    pthread_attr_getstacksize(attr, &birth->size);
    pthread_attr_getdetachstate(attr, &detach);
    birth->detached = detach == PTHREAD_CREATE_DETACHED;
    pthread_attr_getstack(attr, &low, &size);
    if ((uintptr_t)low + size != 0) { /* glibc keeps the top: NULL when none was given */
        birth->stack = low;
        birth->size = size;
    }
    if (pthread_attr_getsigmask_np(attr, &set) == 0) birth->mask = *(uint64_t *)(void *)&set;
}

/* glibc says by this that atomic operations can be left out; libstdc++ believes it
 * (shared_ptr, stop_token, call_once), so it must not stay true. */
extern char __libc_single_threaded __attribute__((weak));

struct hd_thread *hd_thread_make(struct hd_thread *parent, const struct hd_birth *birth) {
    struct hd_thread *child = hd_thread_new(
        parent, birth->c11 ? (void *(*)(void *))(uintptr_t)birth->c11 : birth->entry,
        birth->argument, birth->stack ? PTHREAD_STACK_MIN : birth->size);
    if (!child) return NULL;
    if (&__libc_single_threaded) __libc_single_threaded = 0;
    if (birth->stack) {
        child->stack_low = birth->stack;
        child->stack_size = birth->size;
    }
    child->detached = birth->detached;
    struct hd_pthread *layer = hd_pthread_of(child);
    layer->c11 = birth->c11 != NULL;
    layer->entry = birth->c11;
    layer->mask = birth->mask;
    hd_handle_add(child);
    hd_fiber_make(&child->fiber, child->stack_low, child->stack_size, begin, child);
    hd_record_plain(HD_FORK, child->id, 0, 0, birth->pc);
    hd_thread_started(child);
    if (child->looks) { /* what is sent to it before that finds it at its first operation */
        child->op.place = &layer->cancel;
        child->op.mode = HD_MODE_READ;
    }
    return child;
}

int hd_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*entry)(void *),
                     int (*c11)(void *), void *argument, void *pc) {
    if (!hd_inside()) {
        if (hd_booted) hd_note("a thread created outside of an execution was refused");
        return EAGAIN;
    }
    struct hd_birth birth = {.entry = entry, .c11 = c11, .argument = argument, .pc = pc};
    read_attributes(attr, &birth);
    hd_step(HD_FORK, NULL, HD_MODE_NONE, pc);
    /* As in glibc the id is there before the thread is; so nobody comes in between. */
    hd_access_range((uintptr_t)out, sizeof *out, HD_WRITE, pc);
    struct hd_thread *child = hd_thread_make(hd_rt->current, &birth);
    if (!child) return EAGAIN;
    *out = (pthread_t)child->tp;
    return 0;
}

HD_TAKEN int pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*entry)(void *),
                            void *argument) {
    return hd_thread_create(out, attr, entry, NULL, argument, HD_PC());
}

/* ---- end -------------------------------------------------------------------- */

static struct hd_pthread_state *with_glibc_lists(void) {
    struct hd_pthread_state *state = hd_pthread_state();
    if (state->looked_up) return state;
    state->looked_up = true;
    state->tls_destructors = (void (*)(void))(uintptr_t)hd_real_named("__call_tls_dtors");
    state->keys = hd_real_named("__pthread_keys");
    if (!state->tls_destructors) {
        hd_note("destructors of thread-local objects do not run at the end of a thread");
    }
    if (!state->keys) hd_note("destructors of pthread keys do not run at the end of a thread");
    return state;
}

/* What exit() runs as well; keys it leaves alone. */
void hd_thread_farewell(void) {
    const struct hd_pthread_state *state = with_glibc_lists();
    if (state->tls_destructors) state->tls_destructors();
}

void hd_thread_end(void *result) {
    struct hd_thread *self = hd_rt->current;
    struct hd_pthread_state *state = with_glibc_lists();
    self->result = result;
    self->leaving = true; /* too late to be canceled */
    self->cleanup = NULL;
    hd_annotate_leave(self, UINTPTR_MAX, NULL);
    hd_thread_farewell();
    hd_keys_run(state->keys);
    struct hd_pthread *mine = hd_pthread_of(self);
    while (mine->robust) {
        struct hd_primitive *mutex = mine->robust;
        mine->robust = mutex->more;
        hd_mutex_owner_died(mutex, NULL);
    }
    hd_step(HD_STOP, &self->end, HD_MODE_WRITE, NULL);
    if (hd_rt->finished_count + 1 < hd_rt->thread_count) hd_access_stack_ends();
    /* Once main has left, it matters which of the others is the last. */
    bool main_left = self->id == 0 || hd_rt->threads[0]->state == HD_THREAD_FINISHED;
    hd_touch(hd_pseudo(HD_KEY_PROCESS), main_left ? HD_MODE_WRITE : HD_MODE_READ);
    /* The process ends with its last thread, if main left by pthread_exit. */
    if (hd_rt->finished_count + 1 == hd_rt->thread_count) exit(0);
    hd_record_plain(HD_STOP, 0, 0, 0, NULL);
    hd_finish();
}
