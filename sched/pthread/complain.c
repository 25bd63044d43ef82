/* complain.c - the program used an object in a way that has no meaning.
 *
 * POSIX calls these undefined; on a real system they corrupt, hang or pass
 * unnoticed. Here they end the execution with a sentence that names the thread,
 * the object and, where somebody holds it, who and since where. */
#include "block.h"

#include "../frame.h"
#include "../module.h"
#include "../report.h"

#include <stdio.h>

void hd_complain(enum hd_failure_kind kind, const struct hd_primitive *object, void *pc,
                 const char *sentence) {
    char name[128], what[300], held[500];
    hd_tell_holders(object, held, sizeof held);
    hd_failure(kind, pc, "thread %s %s: %s %s%s",
               hd_thread_name(hd_rt->current, name, sizeof name), sentence,
               hd_primitive_word(object),
               hd_frame_describe(object->place.key, what, sizeof what), held);
}

void hd_still_there(const struct hd_primitive *primitive, void *pc) {
    bool freed = primitive->block && primitive->block->magic == HD_BLOCK_FREED;
    if (hd_likely(!primitive->destroyed && !freed) || !hd_inside()) return;
    hd_complain(HD_FAIL_MISUSE, primitive, pc,
                freed ? "uses what has been freed" : "uses what has been destroyed");
}

#define LOOKED_AT 4096 /* bytes of a block: locks are at the front of small ones */

void hd_primitives_freed(uintptr_t address, size_t size, void *pc) {
    if (!hd_inside()) return;
    if (size > LOOKED_AT) size = LOOKED_AT;
    for (size_t at = 0; at + sizeof(pthread_mutex_t) <= size; at += 8) {
        const uint32_t *tag = (const uint32_t *)(address + at);
        struct hd_primitive *self = *tag ? hd_primitive_numbered(*tag, tag) : NULL;
        if (!self || self->kind != HD_SYNC_MUTEX || !self->owner || self->destroyed) continue;
        hd_complain(HD_FAIL_MISUSE, self, pc, "frees a mutex that is locked");
    }
}
