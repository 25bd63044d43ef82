/* annotate.h - blocks that a jump leaves. */
#ifndef HD_ANNOTATE_H
#define HD_ANNOTATE_H

#include "thread.h"

/* The current thread goes on with this stack pointer: annotated blocks begun
 * below it are over. */
void hd_annotate_leave(struct hd_thread *self, uintptr_t sp, void *pc);

#endif
