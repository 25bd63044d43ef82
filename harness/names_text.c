/* names_text.c - names in place of the brackets in the runtime's messages. */
#include "names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
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

/* ---- memory ------------------------------------------------------------------------ */

/* "heap block 0.1#3 (48 bytes, allocated at [prog+0x11d6]), offset 8" as a trace calls
 * it, "node#0.1:3.next", if its type is known: the length of the text, or 0. */
static size_t put_block(struct hd_name_book *book, const char *text, char *buffer, size_t room) {
    char thread[128], owner[130] = "";
    uint64_t nth, size, offset = 0, address;
    int used = 0, more = 0;
    bool data;
    struct hd_module_names *names;
    if (sscanf(text, "heap block %127[0-9.]#%" SCNu64 " (%" SCNu64 " bytes, allocated at %n",
               thread, &nth, &size, &used) != 3 || !used) {
        return 0;
    }
    size_t place = bracket(book, text + used, &names, &address, &data);
    if (!place || !names || data || text[(size_t)used + place] != ')') return 0;
    const char *end = text + used + place + 1;
    if (sscanf(end, ", offset %" SCNu64 "%n", &offset, &more) == 1) end += more;
    uint32_t type = hd_names_allocated(names, address, 0, size);
    if (!type) return 0;
    if (strcmp(thread, "0") != 0) snprintf(owner, sizeof owner, "%s:", thread);
    int put = snprintf(buffer, room, "%s#%s%" PRIu64, hd_names_type(names, type), owner, nth);
    if (more && put > 0 && (size_t)put < room) {
        hd_names_inside(names, type, size, offset, 1, buffer + put, room - (size_t)put);
    }
    return (size_t)(end - text);
}

/* "stack of thread 0.1 [@prog+0x11d6,16,64,32,0]": a call by its code, its stack and frame
 * pointer, the place in the stack and how many calls of this function are around it;
 * "f#0.1.table[2]" if that is known, else the words before the bracket. */
static size_t put_local(struct hd_name_book *book, const char *text, char *buffer, size_t room) {
    char thread[128], module[256], which[160] = "";
    struct hd_frame_place place = {.which = which};
    uint64_t at, nth;
    int words = 0, used = 0;
    if (sscanf(text, "stack of thread %127[0-9.]%n [@%255[^+]+0x%" SCNx64 ",%" SCNu64 ",%" SCNu64
               ",%" SCNu64 ",%" SCNu64 "]%n",
               thread, &words, module, &place.code, &place.sp, &place.fp, &at, &nth, &used) != 7 ||
        !used) {
        return 0;
    }
    if (nth) snprintf(which, sizeof which, "#%s:%" PRIu64, thread, nth);
    else if (strcmp(thread, "0") != 0) snprintf(which, sizeof which, "#%s", thread);
    struct hd_module_names *names = hd_book_module(book, module, strlen(module));
    if (!names || !hd_names_local(names, &place, at, 1, buffer, room)) {
        snprintf(buffer, room, "%.*s", words, text);
    }
    return (size_t)used;
}

static size_t put_memory(struct hd_name_book *book, const char *text, char *buffer, size_t room) {
    if (strncmp(text, "heap block ", 11) == 0) return put_block(book, text, buffer, room);
    if (strncmp(text, "stack of thread ", 16) == 0) return put_local(book, text, buffer, room);
    return 0;
}

static void put_text(struct hd_name_book *book, const char *text, bool lines, char *buffer,
                     size_t room) {
    size_t used = 0;
    while (*text && used + 1 < room) {
        struct hd_module_names *names;
        uint64_t address;
        bool data;
        size_t memory = put_memory(book, text, buffer + used, room - used);
        if (memory) {
            used += strlen(buffer + used);
            text += memory;
            continue;
        }
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
