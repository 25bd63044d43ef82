/* string_token.c - strtok and its relatives: they read, cut, and remember. */
#include "hold.h"

#include "../access.h"

#include <string.h>

/* What strtok_r touches: the string up to the end of the token, the delimiters,
 * and one byte that becomes the end. Done before the call, as if in one step. */
static void touch(char *s, const char *delimiters, void *pc) {
    if (!hd_watched() || !s) return;
    size_t length;
    delimiters = hd_hold_string(delimiters, SIZE_MAX, &length, pc);
    size_t skipped = HD_REAL(strspn)(s, delimiters);
    size_t token = skipped + HD_REAL(strcspn)(s + skipped, delimiters);
    hd_access_range((uintptr_t)s, token + 1, HD_READ, pc);
    if (s[token]) hd_access_range((uintptr_t)s + token, 1, HD_WRITE, pc);
}

HD_TAKEN char *strtok_r(char *s, const char *delimiters, char **rest) {
    if (hd_watched()) {
        if (!s) READS(rest, sizeof *rest);
        touch(s ? s : *rest, delimiters, HD_PC());
        WRITES(rest, sizeof *rest);
    }
    return HD_REAL(strtok_r)(s, delimiters, rest);
}
HD_ALIAS(__strtok_r, strtok_r);

HD_TAKEN char *strsep(char **rest, const char *delimiters) {
    if (hd_watched()) {
        READS(rest, sizeof *rest);
        char *s = *rest;
        if (s) {
            size_t length;
            delimiters = hd_hold_string(delimiters, SIZE_MAX, &length, HD_PC());
            size_t token = HD_REAL(strcspn)(s, delimiters);
            READS(s, token + 1);
            if (s[token]) WRITES(s + token, 1);
        }
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
    touch(from, delimiters, HD_PC());
    return HD_REAL(strtok_r)(from, delimiters, &hd_rt->token);
}
