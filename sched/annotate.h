/* annotate.h - blocks that a jump leaves. */
#ifndef HD_ANNOTATE_H
#define HD_ANNOTATE_H

#include <stddef.h>

#include "thread.h"

/* The current thread goes on with this stack pointer: annotated blocks begun
 * below it are over. */
void hd_annotate_leave(struct hd_thread *self, uintptr_t sp, void *pc);

/* More of the outcome's text, behind what was observed so far. */
void hd_observed_add(const char *text, size_t length);

#endif
