/* hold.h - the program's bytes as they were when they were read.
 *
 * What a string function reads counts as accesses to those bytes. As long as none
 * of them is visible, nobody changes them meanwhile and libc's function can look
 * at them where they are. A visible one is read in its turn, and others may run
 * before the next: then a copy is made piece by piece, and libc looks at that. */
#ifndef HD_HOLD_H
#define HD_HOLD_H

#include "libc.h"

#include "../access.h"

#include <wchar.h>

/* Are accesses of the program being watched at all? */
static inline bool hd_watched(void) {
    return hd_booted && hd_rt->current && hd_rt->quiet_depth == 0;
}

/* What was held earlier in the same call: before others can run, it is put aside. */
struct hd_kept {
    const char **at;
    size_t n;
    bool kept; /* nobody else can change it any more */
};
void hd_keep(struct hd_kept *self);

/* The part that lies in the first word, in its turn: how many bytes `reach` wanted of it. */
size_t hd_read_word(const char *s, size_t most, hd_reach *reach, const void *how, void *pc);

/* n bytes: at `s` itself, or a copy of them. */
const char *hd_hold(const char *s, size_t n, void *pc);
const char *hd_hold_with(const char *s, size_t n, struct hd_kept *before, void *pc);
/* As many as `reach` says, word by word; `*n` is how many that was. A copy has a 0 after. */
const char *hd_hold_reach(const char *s, size_t most, hd_reach *reach, const void *how,
                          struct hd_kept *before, size_t *n, void *pc);
/* Bytes up to the first that is `stop` or `or`, if that comes within `most`. `*length` is
 * without it. `before` may be NULL. */
const char *hd_hold_until(const char *s, char stop, char or, size_t most, size_t *length,
                          struct hd_kept *before, void *pc);
/* A string, with its end if that comes within `most` bytes. */
static inline const char *hd_hold_string(const char *s, size_t most, size_t *length, void *pc) {
    return hd_hold_until(s, '\0', '\0', most, length, NULL, pc);
}
/* The same, and it stays as it is while others run: always a copy, but of what is long. */
const char *hd_hold_string_aside(const char *s, size_t most, size_t *length, void *pc);
#define HD_ASIDE_MOST 4096
/* A wide string; `*length` is in characters. */
const wchar_t *hd_hold_wide(const wchar_t *s, size_t *length, void *pc);

/* Copy n bytes, each read and written in its turn. No overlap. */
void hd_copy(char *to, const char *from, size_t n, void *pc);
/* Write n bytes that nobody changes before others run. */
void hd_store(char *to, const char *from, size_t n, void *pc);
void hd_fill(char *to, int value, size_t n, void *pc);

/* For functions that are the runtime's own: what they take and give through the
 * program's pointers. */
static inline const void *hd_take(const void *from, size_t n, void *pc) {
    return hd_watched() ? hd_hold(from, n, pc) : from;
}
static inline void hd_give(void *to, const void *value, size_t n, void *pc) {
    if (hd_watched()) {
        hd_store(to, value, n, pc);
    } else {
        __builtin_memcpy(to, value, n);
    }
}

/* The same two words everywhere. */
#define READS(s, n) hd_access_range((uintptr_t)(s), (n), HD_READ, HD_PC())
#define WRITES(s, n) hd_access_range((uintptr_t)(s), (n), HD_WRITE, HD_PC())

/* A checked function was told to write more than fits. */
void hd_overflow(const char *name, void *pc) __attribute__((noreturn));

#endif
