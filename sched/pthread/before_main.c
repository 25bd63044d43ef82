/* before_main.c - threads that constructors made.
 *
 * Constructors run once, before the state is kept that every execution starts
 * from. A thread that one of them made and that has ended by then is no matter.
 * One that has not yet begun is made anew at the start of each execution: same
 * function, same argument, and since its name is the same, the same pthread_t,
 * stack and heap. (A thread begins only when its maker waits, so this is what
 * becomes of a pool that a global object makes.) One that is in the middle of
 * its work cannot be kept: that is refused. */
#include "block.h"
#include "state.h"

#include "../run.h"

struct hd_early {
    void *(*entry)(void *);
    int (*c11)(void *);
    void *argument;
    uint32_t nth;
    size_t size;
    char *stack; /* of the program's own, or NULL */
    bool detached;
    uint64_t mask;
    char title[16];
    struct hd_early *next;
};

static bool on_own_stack(const struct hd_thread *thread) {
    uintptr_t home = HD_AT_STACKS + thread->home * HD_STACK_STRIDE;
    return (uintptr_t)thread->stack_low >= home &&
           (uintptr_t)thread->stack_low < home + HD_STACK_STRIDE;
}

static struct hd_early *keep(const struct hd_thread *thread) {
    const struct hd_pthread *layer = thread->pthread;
    struct hd_early *kept = hd_lasting(sizeof *kept);
    kept->entry = layer->c11 ? NULL : thread->entry;
    kept->c11 = layer->c11 ? layer->entry : NULL;
    kept->argument = thread->argument;
    kept->nth = thread->nth;
    kept->size = thread->stack_size;
    kept->stack = on_own_stack(thread) ? NULL : thread->stack_low;
    kept->detached = thread->detached;
    kept->mask = layer->mask;
    memcpy(kept->title, thread->title, sizeof kept->title);
    return kept;
}

void hd_early_threads_keep(void) {
    struct hd_early **end = &hd_pthread_state()->early;
    for (uint32_t i = 1; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        if (thread->state == HD_THREAD_FINISHED) continue;
        if (thread->op.kind != HD_START || thread->parent != 0) {
            char name[128];
            hd_give_up("thread %s, made before main by a constructor, is in the middle of its "
                       "work when main begins: that cannot be repeated",
                       hd_thread_name(thread, name, sizeof name));
        }
        *end = keep(thread);
        end = &(*end)->next;
    }
}

void hd_early_threads_start(struct hd_thread *first) {
    for (const struct hd_early *at = hd_pthread_state()->early; at; at = at->next) {
        first->children = at->nth - 1; /* names go on where they were */
        struct hd_thread *thread = hd_thread_make(first, &(struct hd_birth){
            .entry = at->entry, .c11 = at->c11, .argument = at->argument, .size = at->size,
            .stack = at->stack, .detached = at->detached, .mask = at->mask});
        if (!thread) hd_give_up("cannot map a stack for a thread made before main");
        memcpy(thread->title, at->title, sizeof thread->title);
    }
}
