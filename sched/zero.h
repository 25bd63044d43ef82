/* zero.h - is there anything, and is it what it was? Asked of most of the memory
 * between two executions. */
#ifndef HD_ZERO_H
#define HD_ZERO_H

#include <stdbool.h>
#include <stddef.h>

void hd_zero_boot(void); /* what this processor can */
bool hd_is_zero(const void *at, size_t size);
/* Make it so again, and write only where it is not. */
void hd_put_zero(char *at, size_t size);
void hd_put_back(char *at, const char *saved, size_t size);

#endif
