/* snapshot.h - the process as it was before main, and back to it.
 *
 * What is put back: the writable segments of the program and of every library
 * (less what is read-only after relocation), the main thread's block, the heap
 * (heap.c), argv and the environment, the working directory, descriptors and
 * their positions, signal handlers. What is not: files that an execution wrote. */
#ifndef HD_SNAPSHOT_H
#define HD_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void hd_snapshot_take(void);
void hd_snapshot_restore(void);
/* What another process shares, which ran an execution and was lost. */
void hd_snapshot_files(void);

/* The stretches of [low, high) that may differ from the snapshot: a page at most. */
void hd_snapshot_changes(uintptr_t low, uintptr_t high,
                         void (*tell)(const char *now, const char *before, size_t size));

#endif
