/* strings.c - every string function once, results printed; a plain build prints
 * the same. With an argument: the checked forms, called as -D_FORTIFY_SOURCE does. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#define SHOW(x) printf("%s = %ld\n", #x, (long)(x))
#define TEXT(x) printf("%s = %s\n", #x, (x))
#define AT(base, x) show_at(#x, base, x)

static void show_at(const char *what, const void *base, const void *found) {
    printf("%s = %ld\n", what, found ? (long)((const char *)found - (const char *)base) : -1L);
}

static char hay[] = "the quick brown fox jumps over the lazy dog";
static char buffer[128], copy[128];

static void memory(void) {
    AT(buffer, memcpy(buffer, hay, 20));
    AT(buffer, mempcpy(buffer, hay, sizeof hay));
    AT(buffer, memmove(buffer + 3, buffer, 30));
    TEXT(buffer);
    AT(buffer, memmove(buffer, buffer + 3, 30));
    TEXT(buffer);
    AT(buffer, memset(buffer + 1, 'x', 7));
    bcopy(hay, copy, sizeof hay);
    bzero(copy + 4, 3);
    explicit_bzero(copy + 40, 3);
    TEXT(copy + 7);
    SHOW(memcmp("abc", "abd", 3) < 0);
    SHOW(bcmp("abc", "abc", 3));
    AT(hay, memchr(hay, 'q', sizeof hay));
    AT(hay, memchr(hay, 'Q', sizeof hay));
    AT(hay, memchr(hay, 'd', SIZE_MAX));
    AT(hay, rawmemchr(hay, 'z'));
    AT(hay, memrchr(hay, 'o', sizeof hay));
    AT(hay, memmem(hay, sizeof hay, "fox", 3));
    AT(hay, memmem(hay, sizeof hay, "cow", 3));
    AT(copy, memccpy(copy, hay, 'q', 30));
}

static void strings(void) {
    SHOW(strlen(hay));
    SHOW(strlen(""));
    SHOW(strnlen(hay, 5));
    SHOW(strnlen(hay, 500));
    AT(buffer, strcpy(buffer, "one"));
    AT(buffer, stpcpy(buffer + 3, " two"));
    AT(buffer, strcat(buffer, " three"));
    AT(buffer, strncat(buffer, " fourteen", 5));
    TEXT(buffer);
    memset(copy, '#', 20);
    AT(copy, strncpy(copy, "short", 10));
    SHOW(copy[9]);
    SHOW(copy[10]);
    AT(copy, stpncpy(copy, "longer", 3));
    TEXT(copy);
    SHOW(strcmp("abc", "abc"));
    SHOW(strcmp("abc", "abd") < 0);
    SHOW(strncmp("abcd", "abxx", 2));
    SHOW(strcasecmp("HeLLo", "hEllO"));
    SHOW(strcasecmp("[", "{") != 0);
    SHOW(strncasecmp("HELp", "hello", 3));
    SHOW(strcoll("b", "a") > 0);
    SHOW(strspn(hay, "eht"));
    SHOW(strcspn(hay, "q"));
    AT(hay, strchr(hay, 'f'));
    AT(hay, strchr(hay, 0));
    AT(hay, strchr(hay, '!'));
    AT(hay, strchrnul(hay, '!'));
    AT(hay, index(hay, 'j'));
    AT(hay, strrchr(hay, 'o'));
    AT(hay, rindex(hay, '!'));
    AT(hay, strstr(hay, "over"));
    AT(hay, strcasestr(hay, "OVER"));
    AT(hay, strpbrk(hay, "xyz"));
    char *made = strdup(hay), *part = strndup(hay, 9), *all = strndup("ab", 9);
    TEXT(made);
    TEXT(part);
    TEXT(all);
    free(made);
    free(part);
    free(all);
}

static void tokens(void) {
    strcpy(buffer, ";a;;bc;d");
    for (char *t = strtok(buffer, ";"); t; t = strtok(NULL, ";")) TEXT(t);
    SHOW(strtok(NULL, ";") == NULL);
    char *rest;
    strcpy(buffer, "x y");
    for (char *t = strtok_r(buffer, " ", &rest); t; t = strtok_r(NULL, " ", &rest)) TEXT(t);
    strcpy(buffer, "p,,q");
    rest = buffer;
    for (char *t; (t = strsep(&rest, ","));) TEXT(t);
}

static void wide(void) {
    wchar_t a[20], b[20];
    wcscpy(a, L"wide");
    SHOW(wcslen(a));
    wmemcpy(b, a, 5);
    SHOW(wmemcmp(a, b, 5));
    wmemset(b, L'z', 3);
    wmemmove(b + 1, b, 4);
    SHOW(b[1] == L'z');
}

extern char *__strcpy_chk(char *, const char *, size_t);

int main(int argc, char **argv) {
    if (argc > 1) {
        __strcpy_chk(buffer, "fits", 5);
        TEXT(buffer);
        fflush(stdout);
        __strcpy_chk(buffer, argv[1], 4);
        return 0;
    }
    memory();
    strings();
    tokens();
    wide();
    return 0;
}
