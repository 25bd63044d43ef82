/* memory_map.h - regions that grow, and memory by lifetime.
 *
 * A region is mapped in steps as it is used. Two of them are bump allocators:
 * lasting memory lives as long as the process, passing memory until the end of
 * the execution. There is no free. */
#ifndef HD_MEMORY_MAP_H
#define HD_MEMORY_MAP_H

#include <stddef.h>
#include <stdint.h>

struct hd_region {
    uintptr_t base;
    uintptr_t next;   /* first byte not handed out */
    uintptr_t mapped; /* first byte not mapped */
    uintptr_t end;    /* never beyond */
    uintptr_t peak;   /* highest `next` there has been */
};

void hd_region_init(struct hd_region *region, uintptr_t base, uintptr_t end);
/* `size` bytes aligned to 16, zero on first use; NULL when the region is full
 * or the kernel refuses. */
void *hd_region_take(struct hd_region *region, size_t size);
/* Make [base, upto) usable without handing it out. */
int hd_region_reach(struct hd_region *region, uintptr_t upto);

void *hd_lasting(size_t size); /* zeroed; ends the run with a message if there is none */
void *hd_passing(size_t size); /* zeroed */

#endif
