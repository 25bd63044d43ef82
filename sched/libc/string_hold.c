/* string_hold.c - see hold.h.
 *
 * Others may run wherever the thread stands at a visible word, or where a schedule
 * stops it: one event before. So what was read is put aside before that, unless
 * nobody can come in between; and how far to read on is looked at afterwards. */
#include "hold.h"

#include "../access.h"

#include <string.h>
#include <wchar.h>

static void copy_now(char *to, const char *from, size_t n) { HD_REAL(memcpy)(to, from, n); }

/* ---- reading ----------------------------------------------------------------------- */

struct reading {
    const char *s;
    char *aside; /* the first `done` bytes; NULL: they are as they were in `s` */
    size_t done, room;
    struct hd_kept *before;
    void *pc;
};

/* From here on others may run. */
static void put_aside(struct reading *self) {
    if (self->before) hd_keep(self->before);
    if (self->aside && self->room - self->done > 8) return;
    self->room = self->done * 2 + 64;
    char *more = hd_passing(self->room);
    copy_now(more, self->aside ? self->aside : self->s, self->done);
    self->aside = more;
}

static void took(struct reading *self, size_t n) {
    if (self->aside) {
        if (self->room - self->done <= n) put_aside(self);
        copy_now(self->aside + self->done, self->s + self->done, n);
    }
    self->done += n;
}

static size_t word_at(const char *s, size_t most) {
    size_t room = 8 - ((uintptr_t)s & 7);
    return room < most ? room : most;
}

size_t hd_read_word(const char *s, size_t most, hd_reach *reach, const void *how, void *pc) {
    size_t room = word_at(s, most), n = reach(s, room, how);
    if (n > 0 && hd_access_quick((uintptr_t)s, n, HD_READ, pc) > 0) return n;
    return hd_access_reach((uintptr_t)s, room, reach, how, pc);
}

const char *hd_hold_reach(const char *s, size_t most, hd_reach *reach, const void *how,
                          struct hd_kept *before, size_t *n, void *pc) {
    struct reading self = {.s = s, .before = before, .pc = pc};
    while (self.done < most) {
        const char *at = s + self.done;
        size_t room = word_at(at, most - self.done), length = reach(at, room, how);
        if (length == 0) break;
        if (hd_access_quick((uintptr_t)at, length, HD_READ, pc) == 0) {
            put_aside(&self);
            length = hd_access_reach((uintptr_t)at, room, reach, how, pc);
        }
        took(&self, length);
        if (length < room) break;
    }
    *n = self.done;
    if (!self.aside) return s;
    self.aside[self.done] = '\0'; /* there is room for it, and for a wide one */
    return self.aside;
}

static size_t all(const char *at, size_t room, const void *how) {
    (void)at;
    (void)how;
    return room;
}

const char *hd_hold_with(const char *s, size_t n, struct hd_kept *before, void *pc) {
    size_t done = hd_access_quick((uintptr_t)s, n, HD_READ, pc);
    if (hd_likely(done == n)) return s;
    if (before) hd_keep(before);
    char *held = hd_passing(n);
    copy_now(held, s, done);
    while (done < n) {
        size_t piece = hd_access_quick((uintptr_t)s + done, n - done, HD_READ, pc);
        if (piece == 0) piece = hd_access_reach((uintptr_t)s + done, n - done, all, NULL, pc);
        copy_now(held + done, s + done, piece);
        done += piece;
    }
    return held;
}

const char *hd_hold(const char *s, size_t n, void *pc) { return hd_hold_with(s, n, NULL, pc); }

void hd_keep(struct hd_kept *self) {
    if (self->kept) return;
    self->kept = true;
    char *aside = hd_passing(self->n + 1);
    copy_now(aside, *self->at, self->n);
    *self->at = aside;
}

/* Bytes up to the first that is one of two, that included. */
static size_t until(const char *at, size_t room, const void *how) {
    const char *stops = how;
    for (size_t i = 0; i < room; i++) {
        if (at[i] == stops[0] || at[i] == stops[1]) return i + 1;
    }
    return room;
}

const char *hd_hold_until(const char *s, char stop, char or, size_t most, size_t *length,
                          struct hd_kept *before, void *pc) {
    const char stops[2] = {stop, or};
    struct reading self = {.s = s, .before = before, .pc = pc};
    while (self.done < most) {
        const char *at = s + self.done;
        size_t room = word_at(at, most - self.done), n = until(at, room, stops);
        if (hd_access_quick((uintptr_t)at, n, HD_READ, pc) == 0) {
            put_aside(&self);
            n = hd_access_reach((uintptr_t)at, room, until, stops, pc);
        }
        char last = at[n - 1];
        took(&self, n);
        if (last == stop || last == or) {
            *length = self.done - 1;
            return self.aside ? self.aside : s;
        }
    }
    *length = self.done;
    return self.aside ? self.aside : s;
}

const char *hd_hold_string_aside(const char *s, size_t most, size_t *length, void *pc) {
    const char *held = hd_hold_string(s, most, length, pc);
    size_t n = *length < most ? *length + 1 : most;
    struct hd_kept kept = {&held, n, held != s || n > HD_ASIDE_MOST};
    hd_keep(&kept);
    return held;
}

static size_t wide_until(const char *at, size_t room, const void *how) {
    (void)how;
    for (size_t i = 0; i + sizeof(wchar_t) <= room; i += sizeof(wchar_t)) {
        wchar_t c;
        __builtin_memcpy(&c, at + i, sizeof c);
        if (c == 0) return i + sizeof c;
    }
    return room;
}

const wchar_t *hd_hold_wide(const wchar_t *s, size_t *length, void *pc) {
    struct reading self = {.s = (const char *)s, .pc = pc};
    for (bool more = true; more;) {
        const char *at = self.s + self.done;
        size_t room = word_at(at, SIZE_MAX), n = wide_until(at, room, NULL);
        if (hd_access_quick((uintptr_t)at, n, HD_READ, pc) == 0) {
            put_aside(&self);
            n = hd_access_reach((uintptr_t)at, room, wide_until, NULL, pc);
        }
        wchar_t last;
        __builtin_memcpy(&last, at + n - sizeof last, sizeof last);
        more = last != 0;
        took(&self, n);
    }
    *length = self.done / sizeof *s - 1;
    return (const wchar_t *)(const void *)(self.aside ? self.aside : self.s);
}

/* ---- writing ----------------------------------------------------------------------- */

static void store(char *to, const char *from, size_t n, bool own, void *pc) {
    for (size_t done = 0; done < n;) {
        size_t piece = hd_access_quick((uintptr_t)to + done, n - done, HD_WRITE, pc);
        if (piece == 0) {
            struct hd_kept kept = {&from, n, own};
            hd_keep(&kept);
            own = true;
            piece = hd_access_word((uintptr_t)to + done, n - done, HD_WRITE, pc);
        }
        copy_now(to + done, from + done, piece);
        done += piece;
    }
}

void hd_store(char *to, const char *from, size_t n, void *pc) { store(to, from, n, false, pc); }

void hd_fill(char *to, int value, size_t n, void *pc) {
    for (size_t done = 0; done < n;) {
        size_t piece = hd_access_quick((uintptr_t)to + done, n - done, HD_WRITE, pc);
        if (piece == 0) piece = hd_access_word((uintptr_t)to + done, n - done, HD_WRITE, pc);
        HD_REAL(memset)(to + done, value, piece);
        done += piece;
    }
}

/* So many bytes are read, then written: few enough to have them aside. */
#define AT_ONCE 512

void hd_copy(char *to, const char *from, size_t n, void *pc) {
    char aside[AT_ONCE];
    while (n > 0) {
        size_t part = AT_ONCE - ((uintptr_t)to & 7);
        if (part > n) part = n;
        for (size_t done = 0; done < part;) {
            size_t piece = hd_access_quick((uintptr_t)from + done, part - done, HD_READ, pc);
            if (piece == 0) {
                piece = hd_access_reach((uintptr_t)from + done, part - done, all, NULL, pc);
            }
            copy_now(aside + done, from + done, piece);
            done += piece;
        }
        store(to, aside, part, true, pc);
        to += part;
        from += part;
        n -= part;
    }
}

void hd_overflow(const char *name, void *pc) {
    if (hd_inside()) hd_failure(HD_FAIL_CRASH, pc, "buffer overflow detected in %s", name);
    hd_rt->real.abort();
    __builtin_unreachable();
}
