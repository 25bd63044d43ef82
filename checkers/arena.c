/* arena.c - memory of one pass: blocks for small things, a block each for large ones. */
#include "checkers/arena.h"

#include "sched/trace/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (256u << 10)
#define ALIGN 16

/* Large requests are linked both ways: growing one may move it. */
struct large {
    struct large *prev, *next;
    size_t bytes;
    size_t pad;
};

struct block {
    struct block *next;
    size_t pad;
};

struct hd_arena {
    struct block *blocks;
    char *at, *end; /* what is left of the newest block */
    struct large larges; /* ring */
    size_t used, limit;
    jmp_buf *on_full;
};

_Static_assert(sizeof(struct large) % ALIGN == 0, "what follows a header is aligned");
_Static_assert(sizeof(struct block) % ALIGN == 0, "what follows a header is aligned");

struct hd_arena *hd_arena_new(void) {
    struct hd_arena *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->larges.prev = arena->larges.next = &arena->larges;
    }
    return arena;
}

void hd_arena_free(struct hd_arena *arena) {
    if (!arena) {
        return;
    }
    while (arena->blocks) {
        struct block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    while (arena->larges.next != &arena->larges) {
        struct large *large = arena->larges.next;
        arena->larges.next = large->next;
        free(large);
    }
    free(arena);
}

void hd_arena_on_full(struct hd_arena *arena, jmp_buf *where) { arena->on_full = where; }

void hd_arena_limit(struct hd_arena *arena, size_t bytes) { arena->limit = bytes; }

size_t hd_arena_used(const struct hd_arena *arena) { return arena->used; }

static void full(struct hd_arena *arena) {
    HD_BUG_ON(!arena->on_full, "out of memory, and nobody said where to go");
    longjmp(*arena->on_full, 1);
}

static void account(struct hd_arena *arena, size_t bytes) {
    if (arena->limit && (bytes > arena->limit || arena->used > arena->limit - bytes)) {
        full(arena);
    }
    arena->used += bytes;
}

static void *get_large(struct hd_arena *arena, size_t size) {
    if (size > SIZE_MAX - sizeof(struct large)) {
        full(arena);
    }
    account(arena, size);
    /* calloc: pages that nobody touches cost nothing, and tables here are sparse. */
    struct large *large = calloc(1, sizeof *large + size);
    if (!large) {
        full(arena);
    }
    large->bytes = size;
    large->prev = &arena->larges;
    large->next = arena->larges.next;
    large->prev->next = large->next->prev = large;
    return large + 1;
}

void *hd_arena_get(struct hd_arena *arena, size_t size) {
    if (size >= HD_ARENA_LARGE) {
        return get_large(arena, size);
    }
    size = size ? (size + ALIGN - 1) & ~(size_t)(ALIGN - 1) : ALIGN;
    if ((size_t)(arena->end - arena->at) < size) {
        account(arena, BLOCK_BYTES);
        struct block *block = calloc(1, BLOCK_BYTES);
        if (!block) {
            full(arena);
        }
        block->next = arena->blocks;
        arena->blocks = block;
        arena->at = (char *)(block + 1);
        arena->end = (char *)block + BLOCK_BYTES;
    }
    void *got = arena->at;
    arena->at += size;
    return got;
}

void *hd_arena_array(struct hd_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        full(arena);
    }
    return hd_arena_get(arena, bytes);
}

void *hd_arena_grow(struct hd_arena *arena, void *old, size_t from, size_t to, size_t size) {
    size_t had = from * size, want;
    if (__builtin_mul_overflow(to, size, &want)) {
        full(arena);
    }
    if (!old || had < HD_ARENA_LARGE) {
        void *fresh = hd_arena_get(arena, want);
        if (old) {
            memcpy(fresh, old, had < want ? had : want);
        }
        return fresh;
    }
    struct large *large = (struct large *)old - 1;
    HD_BUG_ON(large->bytes < had, "grow of %zu bytes that are %zu", had, large->bytes);
    if (want > SIZE_MAX - sizeof *large) {
        full(arena);
    }
    /* Never below the size that marks a block as large: it must stay one. */
    size_t keep = want < HD_ARENA_LARGE ? HD_ARENA_LARGE : want;
    if (keep > large->bytes) {
        account(arena, keep - large->bytes);
    } else {
        arena->used -= large->bytes - keep;
    }
    struct large *prev = large->prev, *next = large->next;
    struct large *moved = realloc(large, sizeof *large + keep);
    if (!moved) {
        full(arena);
    }
    prev->next = next->prev = moved;
    if (keep > had) {
        memset((char *)(moved + 1) + had, 0, keep - had);
    }
    moved->bytes = keep;
    return moved + 1;
}

char *hd_arena_string(struct hd_arena *arena, const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(hd_arena_get(arena, bytes), text, bytes);
}

char *hd_arena_print(struct hd_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    HD_BUG_ON(length < 0, "bad format %s", format);
    char *text = hd_arena_get(arena, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}
