/* cc_words.c - lists of words, and response files.
 *
 * The rules for quotes are libiberty's (buildargv), which gcc, binutils and clang
 * all follow for @file: blanks separate, either quote groups, a backslash takes
 * the next character as it is, inside quotes as well. A file that cannot be read
 * leaves the word `@file` as it stands, as it does in gcc. */
#define _GNU_SOURCE /* vasprintf */
#include "harness/cc_args.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *checked(void *memory) {
    if (!memory) {
        fputs("heddle-cc: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

void hd_words_add(struct hd_words *words, const char *word) {
    if (words->count + 2 > words->room) {
        words->room = words->room ? 2 * words->room : 64;
        words->word = checked(realloc(words->word, words->room * sizeof *words->word));
    }
    words->word[words->count++] = checked(strdup(word));
    words->word[words->count] = NULL;
}

char *hd_cc_format(const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    return checked(length < 0 ? NULL : text);
}

void hd_cc_split(const char *text, struct hd_words *out) {
    char *word = checked(malloc(strlen(text) + 1));
    for (;;) {
        text += strspn(text, " \t\n\v\f\r");
        if (!*text) break;
        char quote = 0;
        size_t n = 0;
        for (; *text && (quote || !strchr(" \t\n\v\f\r", *text)); text++) {
            if (*text == '\\') {
                if (text[1]) word[n++] = *++text;
            } else if (quote ? *text == quote : *text == '\'' || *text == '"') {
                quote = quote ? 0 : *text;
            } else {
                word[n++] = *text;
            }
        }
        word[n] = 0;
        hd_words_add(out, word);
    }
    free(word);
}

char *hd_cc_join(char *const *word) {
    size_t room = 1, n = 0;
    for (char *const *each = word; *each; each++)
        room += 2 * strlen(*each) + 3;
    char *text = checked(malloc(room));
    for (; *word; word++) {
        if (!**word) n = (size_t)(stpcpy(text + n, "''") - text);
        for (const char *c = *word; *c; c++) {
            if (strchr(" \t\n\v\f\r'\"\\", *c)) text[n++] = '\\';
            text[n++] = *c;
        }
        text[n++] = '\n';
    }
    text[n] = 0;
    return text;
}

static char *read_text(const char *path) {
    struct stat info;
    FILE *file =
        stat(path, &info) == 0 && !S_ISDIR(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) return NULL;
    size_t length = 0, room = 0;
    char *text = NULL;
    for (;;) {
        if (length + 1 >= room) {
            room = room ? 2 * room : 4096;
            text = checked(realloc(text, room));
        }
        size_t got = fread(text + length, 1, room - length - 1, file);
        if (got == 0) break;
        length += got;
    }
    fclose(file);
    text[length] = 0;
    return text;
}

/* gcc gives up after 2000 files, so that a file that names itself ends. */
static void expand(char **argv, struct hd_words *out, int *files) {
    for (; *argv; argv++) {
        char *text = **argv == '@' && *files < 2000 ? read_text(*argv + 1) : NULL;
        if (!text) {
            hd_words_add(out, *argv);
            continue;
        }
        struct hd_words inner = {0};
        ++*files;
        hd_cc_split(text, &inner);
        free(text);
        if (inner.count) expand(inner.word, out, files);
    }
}

bool hd_cc_expand(char **argv, struct hd_words *out) {
    int files = 0;
    expand(argv, out, &files);
    return files > 0;
}
