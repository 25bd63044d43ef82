/* memory.h - mmap and its relatives, as calls of the kernel: a result, or -errno. */
#ifndef HD_LIBC_MEMORY_H
#define HD_LIBC_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

long hd_memory_map(void *at, size_t size, int protection, int flags, int fd, off_t offset, void *pc);
long hd_memory_unmap(uintptr_t at, size_t size, void *pc);
long hd_memory_remap(uintptr_t at, size_t old, size_t size, int flags, uintptr_t to, void *pc);
long hd_memory_protect(uintptr_t at, size_t size, int protection, void *pc);
long hd_memory_advise(uintptr_t at, size_t size, int advice, void *pc);
/* The end of the data segment is about to move. */
void hd_memory_extend(void *pc);
/* The execution is over: the shared memory that it made goes. */
void hd_memory_shared_drop(void);

#endif
