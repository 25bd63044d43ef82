/* about.c - see about.h. */
#include "about.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 64 /* of a circle; the runtime tells fewer */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Without numbers that stand by themselves: "thread 0.1", "#0.1:7", "Was 3", "0x4f". */
static void drop_numbers(char *text) {
    char *to = text, before = ' ';
    for (const char *at = text; *at;) {
        if (isdigit((unsigned char)*at) && !is_name(before)) {
            if (at[0] == '0' && at[1] == 'x') at += 2 + strspn(at + 2, "0123456789abcdefABCDEF");
            else at += strspn(at, "0123456789.:");
            before = ' ';
        } else {
            before = *to++ = *at++;
        }
    }
    *to = '\0';
}

/* After the "FILE:LINE:" with which assertions begin. */
static const char *after_place(const char *message) {
    const char *colon = strchr(message, ':');
    if (!colon || !isdigit((unsigned char)colon[1])) return message;
    const char *end = colon + 1 + strspn(colon + 1, "0123456789");
    return *end == ':' ? end + 1 : message;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Which turn of the circle comes first in the order of words. */
static size_t least_turn(char *const *parts, size_t count) {
    size_t least = 0;
    for (size_t turn = 1; turn < count; turn++) {
        int order = 0;
        for (size_t i = 0; order == 0 && i < count; i++) {
            order = strcmp(parts[(turn + i) % count], parts[(least + i) % count]);
        }
        if (order < 0) least = turn;
    }
    return least;
}

static bool is_circle(const char *about) { return strncmp(about, "circle: ", 8) == 0; }

static const char *circle(struct hd_verdicts *doc, char *text) {
    char *parts[PARTS], *rest = NULL;
    size_t count = 0;
    bool closed = is_circle(text);
    for (char *at = strtok_r(text + (closed ? 8 : 0), ";", &rest); at && count < PARTS;
         at = strtok_r(NULL, ";", &rest)) {
        at += strspn(at, " ");
        if (*at) parts[count++] = at;
    }
    if (!closed) qsort(parts, count, sizeof *parts, by_text);
    size_t first = closed ? least_turn(parts, count) : 0;
    const char *whole = closed ? "circle: " : "", *last = "";
    for (size_t i = 0; i < count; i++) {
        const char *part = parts[(first + i) % count];
        if (!closed && strcmp(part, last) == 0) continue; /* many who wait for the same */
        whole = hd_verdicts_print_string(doc, "%s%s; ", whole, part);
        last = part;
    }
    return whole;
}

const char *hd_about(struct hd_session *session, const struct hd_ending *ending,
                     const struct hd_place *place) {
    char text[8192];
    struct hd_verdicts *doc = session->doc;
    if (ending->about) {
        hd_book_about(session->book, ending->about, text, sizeof text);
        drop_numbers(text);
        return circle(doc, text);
    }
    const char *message = ending->message ? ending->message : "";
    bool assertion = strcmp(ending->failure, "assertion") == 0;
    hd_book_about(session->book, assertion ? after_place(message) : message, text, sizeof text);
    /* The expression of assert() is the program's text, not a value. */
    if (!assertion || !strstr(text, "Assertion `")) drop_numbers(text);
    return hd_verdicts_print_string(doc, "%s: %s", place->function ? place->function : "", text);
}

bool hd_about_same(const struct hd_verdict_failure *failure, const struct hd_ending *ending,
                   const struct hd_place *place, const char *about) {
    if (!failure->about || strcmp(failure->about, about) != 0) return false;
    if (ending->about) return true;
    const char *file = failure->location.file;
    return failure->location.line == place->line &&
           strcmp(file ? file : "", place->file ? place->file : "") == 0;
}
