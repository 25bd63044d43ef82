/* output.h - what the program writes to standard output and error, caught. */
#ifndef HD_OUTPUT_H
#define HD_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* From here on it goes to memory; heddle's own voice stays where it was. */
void hd_output_catch(void);
/* A process that was copied: not into the same memory as the other. */
void hd_output_apart(void);
/* Nobody wants what there is: a process was lost that shared it. */
void hd_output_drop(void);
/* What this execution wrote to standard output, hashed whole; `*text` is its
 * beginning, valid until the next call, and the rest is named in the text. A
 * clean sheet for the next execution. */
uint64_t hd_output_take(const char **text, size_t *length);
/* What it wrote to standard error (the beginning of that) goes there after all. */
void hd_output_errors(void);

#endif
