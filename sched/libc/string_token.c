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

HD_TAKEN char *strtok_r(char *s, const char *delimiters, char **rest) {
    if (hd_watched()) {
        if (!s) READS(rest, sizeof *rest);
        touch(s ? s : *rest, delimiters, true, HD_PC());
        WRITES(rest, sizeof *rest);
    }
    return HD_REAL(strtok_r)(s, delimiters, rest);
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

/* Where strtok goes on is one for all threads, and hidden. */
HD_TAKEN char *strtok(char *s, const char *delimiters) {
    if (!hd_inside()) return HD_REAL(strtok)(s, delimiters);
    hd_point(HD_NONE, hd_pseudo(HD_KEY_STRTOK), HD_MODE_WRITE, HD_PC());
    if (hd_rt->token_generation != hd_rt->generation) {
        hd_rt->token_generation = hd_rt->generation;
        hd_rt->token = NULL;
    }
    char *from = s ? s : hd_rt->token;
    if (!from) return NULL;
    touch(from, delimiters, true, HD_PC());
    return HD_REAL(strtok_r)(from, delimiters, &hd_rt->token);
}
