/* string_token.c - strtok and its relatives: they read, cut, and remember. */
#include "hold.h"

#include "../access.h"

#include <string.h>

struct token {
    const char *s, **delimiters;
    bool skips; /* delimiters in front */
};

static size_t token_reach(const char *at, size_t room, const void *how) {
    const struct token *self = how;
    const char *from = self->s;
    if (self->skips) from += HD_REAL(strspn)(from, *self->delimiters);
    const char *end = from + HD_REAL(strcspn)(from, *self->delimiters);
    size_t n = end < at ? 0 : (size_t)(end - at) + 1;
    return n < room ? n : room;
}

/* What strtok_r touches: the delimiters, the string up to the end of the token, and one
 * byte that becomes the end. Done before the call. */
static void touch(char *s, const char *delimiters, bool skips, void *pc) {
    if (!hd_watched() || !s) return;
    size_t length, n;
    const char *asked = delimiters;
    delimiters = hd_hold_string(asked, SIZE_MAX, &length, pc);
    struct hd_kept kept = {&delimiters, length + 1, delimiters != asked};
    const struct token how = {s, &delimiters, skips};
    hd_hold_reach(s, SIZE_MAX, token_reach, &how, &kept, &n, pc);
    if (n && s[n - 1]) hd_access_range((uintptr_t)s + n - 1, 1, HD_WRITE, pc);
}

static char *next_token(char *s, const char *delimiters, char **rest, void *pc) {
    if (hd_watched()) {
        if (!s) hd_access_range((uintptr_t)rest, sizeof *rest, HD_READ, pc);
        touch(s ? s : *rest, delimiters, true, pc);
        hd_access_range((uintptr_t)rest, sizeof *rest, HD_WRITE, pc);
    }
    return HD_REAL(strtok_r)(s, delimiters, rest);
}

HD_TAKEN char *strtok_r(char *s, const char *delimiters, char **rest) {
    return next_token(s, delimiters, rest, HD_PC());
}
HD_ALIAS(__strtok_r, strtok_r);

HD_TAKEN char *strsep(char **rest, const char *delimiters) {
    if (hd_watched()) {
        READS(rest, sizeof *rest);
        char *s = *rest;
        touch(s, delimiters, false, HD_PC());
        WRITES(rest, sizeof *rest);
    }
    return HD_REAL(strsep)(rest, delimiters);
}

/* Where it goes on is one for all threads: a variable of the program's, so that two
 * threads race on it and are told its name. */
HD_TAKEN char *strtok(char *s, const char *delimiters) {
    static char *position;
    return next_token(s, delimiters, &position, HD_PC());
}
