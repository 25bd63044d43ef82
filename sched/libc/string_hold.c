/* string_hold.c - see hold.h. */
#include "hold.h"

#include "../access.h"

#include <string.h>

static void copy_now(char *to, const char *from, size_t n) { HD_REAL(memcpy)(to, from, n); }

/* Go on with a string in a copy. `done` bytes at its beginning are read and can
 * still be taken from where they are. */
static const char *hold_from(const char *s, size_t done, size_t n, void *pc) {
    char *held = hd_passing(n ? n : 1);
    while (done < n) {
        size_t piece = hd_access_plain((uintptr_t)s + done, n - done, HD_READ, pc);
        if (piece == 0) {
            piece = hd_access_word((uintptr_t)s + done, n - done, HD_READ, pc);
            copy_now(held + done, s + done, piece);
            done += piece;
            continue;
        }
        copy_now(held + done, s + done, piece);
        done += piece;
    }
    return held;
}

const char *hd_hold(const char *s, size_t n, void *pc) {
    size_t done = hd_access_plain((uintptr_t)s, n, HD_READ, pc);
    if (hd_likely(done == n)) return s;
    char *held = (char *)(uintptr_t)hold_from(s, done, n, pc);
    copy_now(held, s, done);
    return held;
}

/* Bytes from here to the first `stop`, that included, at most `most`. */
static size_t ahead(const char *s, char stop, size_t most) {
    const char *end =
        most == SIZE_MAX ? HD_REAL(rawmemchr)(s, stop) : HD_REAL(memchr)(s, stop, most);
    return end ? (size_t)(end - s) + 1 : most;
}

const char *hd_hold_until(const char *s, char stop, size_t most, size_t *length, void *pc) {
    size_t n = ahead(s, stop, most);
    size_t done = hd_access_plain((uintptr_t)s, n, HD_READ, pc);
    if (hd_likely(done == n)) {
        *length = n > 0 && s[n - 1] == stop ? n - 1 : n;
        return s;
    }
    /* Somebody may lengthen or shorten it while we read on. */
    size_t room = n + 64;
    char *held = hd_passing(room);
    copy_now(held, s, done);
    while (done < most) {
        if (room - done < 8) {
            char *more = hd_passing(room * 2);
            copy_now(more, held, done);
            held = more;
            room *= 2;
        }
        size_t word = 8 - (((uintptr_t)s + done) & 7);
        if (word > most - done) word = most - done;
        size_t piece = ahead(s + done, stop, word);
        hd_access_word((uintptr_t)s + done, piece, HD_READ, pc);
        copy_now(held + done, s + done, piece);
        const char *end = HD_REAL(memchr)(held + done, stop, piece);
        if (end) {
            *length = (size_t)(end - held);
            return held;
        }
        done += piece;
    }
    *length = most;
    return held;
}

void hd_store(char *to, const char *from, size_t n, void *pc) {
    for (size_t done = 0; done < n;) {
        size_t piece = hd_access_plain((uintptr_t)to + done, n - done, HD_WRITE, pc);
        if (piece == 0) piece = hd_access_word((uintptr_t)to + done, n - done, HD_WRITE, pc);
        copy_now(to + done, from + done, piece);
        done += piece;
    }
}

void hd_fill(char *to, int value, size_t n, void *pc) {
    for (size_t done = 0; done < n;) {
        size_t piece = hd_access_plain((uintptr_t)to + done, n - done, HD_WRITE, pc);
        if (piece == 0) piece = hd_access_word((uintptr_t)to + done, n - done, HD_WRITE, pc);
        HD_REAL(memset)(to + done, value, piece);
        done += piece;
    }
}

void hd_copy(char *to, const char *from, size_t n, void *pc) {
    for (size_t done = 0; done < n;) {
        size_t piece = hd_access_plain((uintptr_t)from + done, n - done, HD_READ, pc);
        if (hd_likely(piece > 0)) { /* nobody changes it while we write */
            hd_store(to + done, from + done, piece, pc);
        } else {
            char word[8];
            piece = hd_access_word((uintptr_t)from + done, n - done, HD_READ, pc);
            for (size_t i = 0; i < piece; i++) word[i] = from[done + i];
            hd_store(to + done, word, piece, pc);
        }
        done += piece;
    }
}

void hd_overflow(const char *name, void *pc) {
    if (hd_inside()) hd_failure(HD_FAIL_CRASH, pc, "buffer overflow detected in %s", name);
    hd_rt->real.abort();
    __builtin_unreachable();
}
