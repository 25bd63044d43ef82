/* random.h - bytes of chance that are the same every time. */
#ifndef HD_LIBC_RANDOM_H
#define HD_LIBC_RANDOM_H

#include <stddef.h>

void hd_random_fill(char *to, size_t n, void *pc);

#endif
