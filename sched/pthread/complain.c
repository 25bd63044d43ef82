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
