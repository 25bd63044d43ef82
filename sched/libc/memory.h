/* memory.h - mappings that an execution made. */
#ifndef HD_LIBC_MEMORY_H
#define HD_LIBC_MEMORY_H

/* The execution is over: unmap what it left. */
void hd_mappings_drop(void);

#endif
