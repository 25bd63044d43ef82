/* layout.h - where heddle keeps its things in the program's address space.
 *
 * Fixed addresses, far from where the kernel puts anything by itself. So the
 * runtime needs no writable data of its own (a restore of the program's data
 * would wipe it), the event path reaches its state without a load, and heap
 * and stacks have the same addresses in every execution and every process,
 * with address randomisation on or off. Nothing is reserved ahead: each region
 * is mapped as it grows. */
#ifndef HD_LAYOUT_H
#define HD_LAYOUT_H

#define HD_AT_WORDS   0x11f000000000UL /* the strings of argv and the environment */
#define HD_AT_RUNTIME 0x120000000000UL /* struct hd_runtime */
/* What the event path needs besides is within 2 GB of it: an offset, not an address. */
#define HD_AT_TOP     0x120010000000UL /* first level of the shadow */
#define HD_AT_SMALL   0x120020000000UL /* lately accessed variables of one and two bytes */
#define HD_AT_LASTING 0x120100000000UL /* memory for the life of the process */
#define HD_AT_PASSING 0x121000000000UL /* memory for one execution */
#define HD_AT_VARS    0x122000000000UL /* struct hd_var, dense */
#define HD_AT_VARS_AT 0x122400000000UL /* their addresses, likewise */
#define HD_AT_VARS_MORE 0x122800000000UL /* struct hd_var_more, likewise */
#define HD_AT_SHADOW  0x123000000000UL /* its second level, in pieces */
#define HD_AT_OWN     0x12f000000000UL /* never shared with another process */
#define HD_AT_ASIDE   0x12f800000000UL /* mappings of heddle's that are no region */
#define HD_AT_HEAP    0x130000000000UL /* the main thread's heap: 1 TB */
#define HD_AT_SPILL   0x138000000000UL /* what does not fit a thread's own heap */
#define HD_AT_HEAPS   0x140000000000UL /* the other threads': HD_HEAP_STRIDE each */
#define HD_AT_STACKS  0x400000000000UL /* stacks and thread blocks: HD_STACK_STRIDE each */

#define HD_HEAP_STRIDE 0x20000000UL  /* 512 MB */
#define HD_STACK_STRIDE 0x8000000UL  /* 128 MB */
#define HD_HOMES 65536               /* slots for heaps and stacks */

#define HD_PAGE 4096UL

#endif
