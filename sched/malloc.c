/* malloc.c - the names under which programs ask for memory. */
#include "heap.h"
#include "runtime.h"
#include "taken.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static void *give(size_t size, size_t align, bool zero, void *pc) {
    if (hd_unlikely(!hd_booted)) hd_boot_memory();
    void *at = hd_heap_alloc(size, align, zero, pc);
    if (hd_unlikely(!at)) errno = ENOMEM;
    return at;
}

HD_TAKEN void *malloc(size_t size) { return give(size, 16, false, HD_PC()); }

HD_TAKEN void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return give(bytes, 16, true, HD_PC());
}

HD_TAKEN void *realloc(void *at, size_t size) {
    if (hd_unlikely(!hd_booted)) hd_boot_memory();
    if (at && size == 0) {
        hd_heap_free(at, HD_PC());
        return NULL;
    }
    void *more = hd_heap_resize(at, size, HD_PC());
    if (!more) errno = ENOMEM;
    return more;
}

HD_TAKEN void *reallocarray(void *at, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *more = hd_heap_resize(at, bytes, HD_PC());
    if (!more) errno = ENOMEM;
    return more;
}

HD_TAKEN void free(void *at) {
    if (hd_likely(at && hd_booted)) hd_heap_free(at, HD_PC());
}

HD_TAKEN void cfree(void *at) { free(at); }

static bool power_of_two(size_t n) { return n && !(n & (n - 1)); }

HD_TAKEN void *aligned_alloc(size_t align, size_t size) {
    if (!power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return give(size, align < 16 ? 16 : align, false, HD_PC());
}

HD_TAKEN void *memalign(size_t align, size_t size) {
    if (!power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return give(size, align < 16 ? 16 : align, false, HD_PC());
}

HD_TAKEN int posix_memalign(void **out, size_t align, size_t size) {
    if (!power_of_two(align) || align % sizeof(void *)) return EINVAL;
    int saved = errno;
    void *at = give(size, align < 16 ? 16 : align, false, HD_PC());
    errno = saved;
    if (!at) return ENOMEM;
    *out = at;
    return 0;
}

HD_TAKEN void *valloc(size_t size) { return give(size, HD_PAGE, false, HD_PC()); }

HD_TAKEN void *pvalloc(size_t size) {
    return give((size + HD_PAGE - 1) & ~(HD_PAGE - 1), HD_PAGE, false, HD_PC());
}

HD_TAKEN size_t malloc_usable_size(void *at) {
    if (!at || !hd_heap_owns((uintptr_t)at)) return 0;
    return ((struct hd_block *)at - 1)->size;
}

HD_TAKEN int malloc_trim(size_t pad) {
    (void)pad;
    return 0;
}

HD_TAKEN int mallopt(int parameter, int value) {
    (void)parameter;
    (void)value;
    return 1;
}
