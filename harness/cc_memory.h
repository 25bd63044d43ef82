/* cc_memory.h - files that exist only while the compiler runs.
 *
 * heddle-cc becomes the compiler, so nobody is left to remove a temporary file. What it
 * must hand over as a file it keeps in memory, open, and names by the inherited
 * descriptor: gone with the last process, on a signal as well. */
#ifndef HD_CC_MEMORY_H
#define HD_CC_MEMORY_H

#include <stddef.h>

/* The path to give to the compiler, or NULL where there is no /proc or no memory. */
const char *hd_cc_memory_file(const char *name, const void *bytes, size_t size);

#endif
