/* heap.h - the program's heap: an arena a thread, the same addresses every time.
 *
 * Every block knows who made it and as which of that thread's allocations; that
 * is its name in traces and reports ("0.1#3"). Freed blocks rest before they
 * are used again, so that a use after free is seen. */
#ifndef HD_HEAP_H
#define HD_HEAP_H

#include "layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands before every block. */
struct hd_block {
    uint32_t magic; /* HD_BLOCK_LIVE or HD_BLOCK_FREED */
    uint32_t home;  /* whose arena */
    uint64_t nth;   /* which allocation of the thread that made it */
    size_t size;    /* as asked for */
    void *pc;       /* where it was allocated */
    uint32_t thread; /* id of who made it */
    uint32_t trace;  /* object id in the trace + 1, valid for `generation` */
    uint32_t generation;
    uint32_t class; /* bytes reserved for it / 16, header included */
};

#define HD_BLOCK_LIVE 0x68656164u
#define HD_BLOCK_FREED 0x66726565u

void *hd_heap_alloc(size_t size, size_t align, bool zero, void *pc);
void hd_heap_free(void *at, void *pc);
void *hd_heap_resize(void *at, size_t size, void *pc);

static inline bool hd_heap_owns(uintptr_t address) {
    return address - HD_AT_HEAP < HD_AT_HEAPS + HD_HOMES * HD_HEAP_STRIDE - HD_AT_HEAP;
}
/* The block that holds this address, live or freed; NULL: none. */
struct hd_block *hd_heap_block(uintptr_t address);
bool hd_heap_describe(uintptr_t address, char *buffer, size_t size);
/* Ends the execution: the block that holds this address is freed once more. */
void hd_heap_freed_twice(uintptr_t address, void *pc) __attribute__((noreturn));

void hd_heap_begin(void); /* a new execution: as it was before main */
void hd_heap_mark(void);  /* now is before main */

#endif
