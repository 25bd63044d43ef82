/* futex.h - the futex system call, as syscall.c hands it over. */
#ifndef HD_FUTEX_H
#define HD_FUTEX_H

#include <stdint.h>

/* As the kernel: a number, or -errno. */
long hd_futex(uint32_t *word, int operation, uint32_t value, uintptr_t fourth, uint32_t *second,
              uint32_t third, void *pc);

#endif
