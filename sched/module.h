/* module.h - the program and its libraries: from an address to (module, offset).
 *
 * Outside of this process an address means nothing; (module, offset) does. */
#ifndef HD_MODULE_H
#define HD_MODULE_H

#include <stddef.h>
#include <stdint.h>

#define HD_MODULES 256

struct hd_module_map {
    uintptr_t base;      /* what offsets count from */
    uintptr_t low, high; /* all its segments */
    uintptr_t write_low, write_high; /* writable, not read-only after relocation */
    char path[256];
    char build_id[48];   /* hex; empty: none */
};

void hd_module_scan(void);    /* at the start, and after a dlopen */
int hd_module_count(void);
const struct hd_module_map *hd_module_at(int index);
int hd_module_of(uintptr_t address); /* index, or -1 */

/* "[prog+0x11d6]" for code, "[&prog+0x4060]" for data, "0.1#3+16" for the heap;
 * the heddle command puts names in place of the brackets. */
char *hd_describe_pc(const void *pc, char *buffer, size_t size);
char *hd_describe_address(uintptr_t address, char *buffer, size_t size);

#endif
