/* memory.h - mappings that an execution made. */
#ifndef HD_LIBC_MEMORY_H
#define HD_LIBC_MEMORY_H

/* What is mapped now stays. */
void hd_mappings_keep(void);
/* The execution is over: unmap what it left, and libraries that it loaded. */
void hd_mappings_drop(void);

#endif
