/* mappings.h - what is mapped where: what an execution made goes when it ends, and
 * what was there before main is as it was.
 *
 * What the program maps by calls is told here. What libc maps for itself (the tables
 * of a locale, a library that it loads) is not: then the kernel's own list of mappings
 * is compared with what it was, whenever a call that may do such a thing was made, and
 * now and then if the process has grown. */
#ifndef HD_MAPPINGS_H
#define HD_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

/* What is mapped now stays. */
void hd_mappings_keep(void);
/* Every stretch of writable memory that is neither a module's nor heddle's: the
 * dynamic linker's first blocks, or what constructors of the program mapped. */
void hd_mappings_early(void (*tell)(char *low, char *high), bool of_program);

/* The execution is over: what it protected can be written again; and then, unmap what
 * it left. `known`: it made no calls but such as heddle knows. */
void hd_mappings_unprotect(void);
void hd_mappings_drop(bool known);

/* The execution has mapped, unmapped, protected this. */
void hd_mappings_made(uintptr_t low, uintptr_t high);
void hd_mappings_gone(uintptr_t low, uintptr_t high);
void hd_mappings_protected(uintptr_t low, uintptr_t high);

#endif
