/* strings.c - what string functions read is changed by others meanwhile: longer, shorter,
 * another word of it, and at addresses of every alignment. A schedule counts the words
 * that a call touches: they must be as many in a process that has learned nothing yet. */
#include "case.h"

#include <strings.h>
#include <wchar.h>

static char text[32] __attribute__((aligned(8))), other[32] __attribute__((aligned(8)));
static const char *made; /* what the other thread writes */
static wchar_t wide[8] = L"old";
static char *shared;

static void *copies(void *to) { strcpy(to, made); return NULL; }
static void *appends(void *to) { strcat(to, made); return NULL; }
static void *fills(void *to) { memset(to, '7', 11); return NULL; }
static void *two_bytes(void *argument) {
    char *to = argument;
    to[2] = 'x';
    to[9] = '\0';
    return NULL;
}
static void *wides(void *to) { return wcscpy(to, L"newer"); }
static void *releases(void *block) { shared = NULL; free(block); return NULL; }

static pthread_t begin(void *(*function)(void *), void *argument) {
    pthread_t t;
    pthread_create(&t, NULL, function, argument);
    return t;
}

static void said(const char *what, const char *seen, size_t most) {
    char copy[40];
    snprintf(copy, sizeof copy, "%.*s", (int)most, seen);
    heddle_observe_text(what, copy);
}

/* Against `change` of text + at, from "from". */
#define AGAINST(name, change, from, at, ...)                                             \
    static void name(void) {                                                             \
        strcpy(text, from);                                                              \
        made = "newer text";                                                             \
        pthread_t t = begin(change, text + (at));                                        \
        __VA_ARGS__;                                                                     \
        pthread_join(t, NULL);                                                           \
        said("text", text, 20);                                                          \
    }
#define COUNTS(name, change, from, call) \
    AGAINST(name, change, from, 0, heddle_observe("n", (long)(call)))
#define INTO(name, change, from, call) \
    AGAINST(name, change, from, 0, call, said("other", other + 3, 20))

COUNTS(reads_length, copies, "old", strlen(text))
COUNTS(reads_length_cut, two_bytes, "0123456789abcdefg", strlen(text + 1))
COUNTS(reads_some, copies, "old", strnlen(text, 7))
COUNTS(finds, copies, "old", strchr(text, 't') != NULL)
COUNTS(finds_end, copies, "old", strchrnul(text, 't') - text)
COUNTS(finds_last, copies, "old", strrchr(text, 'e') != NULL)
COUNTS(finds_byte, fills, "0123456789abcdefg", memchr(text, '9', 16) != NULL)
COUNTS(finds_part, copies, "old", strstr(text, "er t") != NULL)
COUNTS(finds_any, copies, "old text", strpbrk(text, "wt") != NULL)
COUNTS(spans, copies, "old text", strcspn(text, "t"))
COUNTS(compares, copies, "old", strcmp(text, "newer texts"))
COUNTS(compares_askew, copies, "0old", strcmp(text + 1, "newer text" + 1))
COUNTS(compares_case, copies, "old", strcasecmp("NEWER TEXT", text))
COUNTS(compares_bytes, fills, "777777777777", memcmp(text, "777777777778", 12))
COUNTS(compares_two, copies, "old", (memcpy(other, "newer text", 11), strcmp(other + 3, text + 3)))
COUNTS(reads_number, fills, "12", atoi(text))
COUNTS(reads_decimal, fills, "1.5", (long)strtod(text, NULL))
INTO(copies_out, copies, "old", strcpy(other + 3, text))
INTO(copies_some, copies, "old", strncpy(other + 3, text, 9))
INTO(copies_bytes, fills, "0123456789abcdefg", memcpy(other + 3, text, 12))
INTO(copies_on, fills, "0123456789abcdefg", memccpy(other + 3, text, '9', 12))
INTO(copies_over, two_bytes, "0123456789abcdefg", memmove(text + 2, text, 10))
AGAINST(copies_new, copies, "old", 0, char *own = strdup(text); strcpy(other + 3, own); said("other", other + 3, 20))
INTO(prints, copies, "old", snprintf(other + 3, 20, "%s", text))
AGAINST(appends_too, appends, "", 0, strcat(text, "b"))
AGAINST(appends_some, appends, "ab", 0, strncat(text, "bcd", 2))
AGAINST(cuts, copies, "a,b", 0, char *rest = NULL; said("token", strtok_r(text, ",e", &rest), 9))
AGAINST(separates, copies, "a,b", 0, char *rest = text; said("token", strsep(&rest, ",e"), 9))

static void wide_length(void) {
    pthread_t t = begin(wides, wide);
    heddle_observe("n", (long)wcslen(wide));
    pthread_join(t, NULL);
}
/* A block that earlier executions have seen as a word, or as two halves. */
static void releases_parts(void) {
    struct { int first, second; } *block = calloc(1, sizeof *block);
    memset(block, 1, sizeof *block);
    shared = (char *)block;
    pthread_t t = begin(releases, block);
    void *seen = shared;
    if (seen) heddle_observe("half", block->second);
    pthread_join(t, NULL);
    heddle_observe("left", seen != NULL);
}

CASES(CASE(reads_length), CASE(reads_length_cut), CASE(reads_some), CASE(finds), CASE(finds_end),
      CASE(finds_last), CASE(finds_byte), CASE(finds_part), CASE(finds_any), CASE(spans),
      CASE(compares), CASE(compares_askew), CASE(compares_case), CASE(compares_bytes),
      CASE(compares_two), CASE(reads_number), CASE(reads_decimal), CASE(copies_out),
      CASE(copies_some), CASE(copies_bytes), CASE(copies_on), CASE(copies_over),
      CASE(copies_new), CASE(prints), CASE(appends_too), CASE(appends_some), CASE(cuts),
      CASE(separates), CASE(wide_length), CASE(releases_parts))
