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

/* What the rest is, is read when its turn has come, and written when that has: others
 * may have changed it in between. */
static char *next_token(char *s, const char *delimiters, char **rest, void *pc) {
    if (!hd_watched()) return HD_REAL(strtok_r)(s, delimiters, rest);
    char *mine = NULL;
    if (!s) {
        hd_access_range((uintptr_t)rest, sizeof *rest, HD_READ, pc);
        mine = *rest;
    }
    touch(s ? s : mine, delimiters, true, pc);
    char *token = HD_REAL(strtok_r)(s, delimiters, &mine);
    hd_access_range((uintptr_t)rest, sizeof *rest, HD_WRITE, pc);
    *rest = mine;
    return token;
}

HD_TAKEN char *strtok_r(char *s, const char *delimiters, char **rest) {
    return next_token(s, delimiters, rest, HD_PC());
}
HD_ALIAS(__strtok_r, strtok_r);

HD_TAKEN char *strsep(char **rest, const char *delimiters) {
    if (!hd_watched()) return HD_REAL(strsep)(rest, delimiters);
    READS(rest, sizeof *rest);
    char *mine = *rest;
    touch(mine, delimiters, false, HD_PC());
    char *token = HD_REAL(strsep)(&mine, delimiters);
    WRITES(rest, sizeof *rest);
    *rest = mine;
    return token;
}

/* Where it goes on is one for all threads: a variable of the program's, so that two
 * threads race on it and are told its name. */
HD_TAKEN char *strtok(char *s, const char *delimiters) {
    static char *position = (char *)""; /* nothing was begun */
    return next_token(s, delimiters, &position, HD_PC());
}
