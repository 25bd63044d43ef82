/* memory_map.h - regions that grow, and memory by lifetime.
 *
 * A region is mapped in steps as it is used. Three of them are bump allocators:
 * lasting memory lives as long as the search, passing memory until the end of
 * the execution, own memory as long as the process. There is no free. */
#ifndef HD_MEMORY_MAP_H
#define HD_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_region {
    uintptr_t base;
    uintptr_t next;   /* first byte not handed out */
    uintptr_t mapped; /* first byte not mapped */
    uintptr_t end;    /* never beyond */
    uintptr_t peak;   /* highest `next` there has been */
    bool dense;       /* filled from end to end, and kept */
};

void hd_region_init(struct hd_region *region, uintptr_t base, uintptr_t end);
/* `size` bytes aligned to 16, zero on first use; NULL when the region is full
 * or the kernel refuses. */
void *hd_region_take(struct hd_region *region, size_t size);
/* Make [base, upto) usable without handing it out. */
int hd_region_reach(struct hd_region *region, uintptr_t upto);

/* Memory of this process alone, for what is true of it alone: which stacks and
 * heaps are mapped, which descriptors are open. Zeroed. */
void *hd_own(size_t size);
void hd_own_boot(void);

/* A mapping of heddle's: nowhere else, so that what an execution mapped can be told
 * from it. NULL: there is no room. */
void *hd_map_aside(size_t size, int protection, int flags, int fd);

/* From here on, what this process and its children to come note in the runtime's
 * state, in lasting and passing memory and in the shadow they note for each
 * other. False: the kernel does not give that much room. */
bool hd_regions_share(void);
/* This process alone goes on with a copy of it, and an empty shadow. */
bool hd_regions_leave(void);

void *hd_lasting(size_t size); /* zeroed; ends the run with a message if there is none */
void *hd_passing(size_t size); /* zeroed */
void *hd_passing_more(size_t size); /* the same, when no earlier execution had as much */

#endif
