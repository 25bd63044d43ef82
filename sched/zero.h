/* zero.h - is there anything? Asked of most of the memory between two executions. */
#ifndef HD_ZERO_H
#define HD_ZERO_H

#include <stdbool.h>
#include <stddef.h>

void hd_zero_boot(void); /* what this processor can */
bool hd_is_zero(const void *at, size_t size);

#endif
