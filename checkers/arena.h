/* arena.h - memory of one pass.
 *
 * Everything that a pass over a trace needs comes from one arena and is freed
 * whole with it: there is no free per node that could be forgotten. Whoever
 * makes the arena decides what happens when memory is out: with `on_full` set,
 * control goes back there (a longjmp), so that no caller of hd_arena_get has to
 * look at its result. Hence the rule: between hd_arena_new and hd_arena_free,
 * nothing but the arena may own memory, files or locks.
 *
 * Small requests are cut from blocks and never given back. A request of
 * HD_ARENA_LARGE bytes or more is a block of its own, which hd_arena_grow may
 * move and shrink to nothing: tables that double do not leave their old halves. */
#ifndef HD_ARENA_H
#define HD_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#define HD_ARENA_LARGE 4096

struct hd_arena;

struct hd_arena *hd_arena_new(void); /* NULL: out of memory */
void hd_arena_free(struct hd_arena *arena);

/* Where to go when memory is out: setjmp it and hand it over. */
void hd_arena_on_full(struct hd_arena *arena, jmp_buf *where);
/* For tests: fail when `bytes` have been handed out; 0: no limit. */
void hd_arena_limit(struct hd_arena *arena, size_t bytes);
size_t hd_arena_used(const struct hd_arena *arena);

/* `size` zeroed bytes, aligned to 16. Never NULL. */
void *hd_arena_get(struct hd_arena *arena, size_t size);
/* An array of `count` zeroed elements; the product is checked. */
void *hd_arena_array(struct hd_arena *arena, size_t count, size_t size);
/* `old` (of `from` elements, or NULL) with room for `to`; what is new is zero.
 * The old place must not be used any more. */
void *hd_arena_grow(struct hd_arena *arena, void *old, size_t from, size_t to, size_t size);
char *hd_arena_string(struct hd_arena *arena, const char *text);
char *hd_arena_print(struct hd_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Make sure that index `at` exists in a growing array: at least doubles. */
#define HD_ARENA_FIT(arena, array, room, at)                                             \
    do {                                                                                 \
        size_t fit_at_ = (at);                                                           \
        if (fit_at_ >= (room)) {                                                         \
            size_t fit_to_ = (room) ? (size_t)(room) * 2 : 16;                           \
            if (fit_to_ <= fit_at_) fit_to_ = fit_at_ + 1;                               \
            (array) = hd_arena_grow((arena), (array), (room), fit_to_, sizeof *(array)); \
            (room) = fit_to_;                                                            \
        }                                                                                \
    } while (0)

#endif
