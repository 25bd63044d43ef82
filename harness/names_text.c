/* names_text.c - names in place of the brackets in the runtime's messages. */
#include "names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *path;
    const char *tail;
    struct hd_module_names *names;
    bool tried;
};

struct hd_name_book {
    struct entry *entries;
    size_t count, room;
};

struct hd_name_book *hd_book_new(void) {
    return calloc(1, sizeof(struct hd_name_book));
}

void hd_book_free(struct hd_name_book *book) {
    if (!book) return;
    for (size_t i = 0; i < book->count; i++) {
        hd_names_close(book->entries[i].names);
        free(book->entries[i].path);
    }
    free(book->entries);
    free(book);
}

void hd_book_add(struct hd_name_book *book, const char *path) {
    if (book->count == book->room) {
        size_t room = book->room ? book->room * 2 : 8;
        struct entry *entries = reallocarray(book->entries, room, sizeof *entries);
        if (!entries) return; /* then it has no names */
        book->entries = entries;
        book->room = room;
    }
    char *copy = strdup(path);
    if (!copy) return;
    const char *slash = strrchr(copy, '/');
    book->entries[book->count++] =
        (struct entry){copy, slash ? slash + 1 : copy, NULL, false};
}

struct hd_module_names *hd_book_module(struct hd_name_book *book, const char *tail,
                                       size_t length) {
    for (size_t i = 0; i < book->count; i++) {
        struct entry *entry = &book->entries[i];
        if (strlen(entry->tail) != length || memcmp(entry->tail, tail, length) != 0)
            continue;
        if (!entry->tried) {
            entry->tried = true;
            entry->names = hd_names_open(entry->path, NULL);
        }
        return entry->names;
    }
    return NULL;
}

/* "[prog+0x11d6]" or "[&prog+0x4060]" at `text`: the length of it, or 0. */
static size_t bracket(struct hd_name_book *book, const char *text,
                      struct hd_module_names **names, uint64_t *address, bool *data) {
    const char *close = strchr(text, ']'), *plus = NULL;
    if (text[0] != '[' || !close) return 0;
    for (const char *at = text; at + 3 < close; at++) {
        if (strncmp(at, "+0x", 3) == 0) plus = at;
    }
    *data = text[1] == '&';
    const char *tail = text + 1 + *data;
    if (!plus || plus <= tail || close - plus > 19) return 0;
    *address = 0;
    for (const char *at = plus + 3; at < close; at++) {
        if (!isxdigit((unsigned char)*at)) return 0;
        int digit = isdigit((unsigned char)*at) ? *at - '0' : (*at | 0x20) - 'a' + 10;
        *address = *address << 4 | (uint64_t)digit;
    }
    *names = hd_book_module(book, tail, (size_t)(plus - tail));
    return (size_t)(close - text) + 1;
}

static int put_name(struct hd_module_names *names, uint64_t address, bool data, bool lines,
                    char *buffer, size_t room) {
    struct hd_code_name code;
    if (data) {
        if (!hd_names_data(names, address, 1, buffer, room)) return -1;
        return (int)strlen(buffer);
    }
    if (!hd_names_code(names, address, &code)) return -1;
    const char *function = code.function ? code.function : "?";
    if (!code.file || !lines) return snprintf(buffer, room, "%s", function);
    return snprintf(buffer, room, "%s (%s:%" PRIu32 ")", function, code.file, code.line);
}

static void put_text(struct hd_name_book *book, const char *text, bool lines, char *buffer,
                     size_t room) {
    size_t used = 0;
    while (*text && used + 1 < room) {
        struct hd_module_names *names;
        uint64_t address;
        bool data;
        size_t length = bracket(book, text, &names, &address, &data);
        int named = length && names
                        ? put_name(names, address, data, lines, buffer + used, room - used)
                        : -1;
        if (named >= 0) {
            used += (size_t)named < room - used ? (size_t)named : room - used - 1;
            text += length;
        } else {
            buffer[used++] = *text++;
        }
    }
    if (room) buffer[used] = '\0';
}

void hd_book_text(struct hd_name_book *book, const char *text, char *buffer, size_t room) {
    put_text(book, text, true, buffer, room);
}

void hd_book_about(struct hd_name_book *book, const char *text, char *buffer, size_t room) {
    put_text(book, text, false, buffer, room);
}
