/* globals.c - see globals.h. */
#define _GNU_SOURCE
#include "globals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD 8

/* The variable or member that holds this byte: without the offset inside of it. */
static bool name_of(struct hd_module_names *names, uint64_t address, char *name, size_t room) {
    if (!names || !hd_names_data(names, address, 1, name, room)) return false;
    char *plus = strrchr(name, '+'), *end;
    if (plus && strtoull(plus + 1, &end, 10) < WORD && *end == '\0') *plus = '\0';
    return strcmp(name, "completed") != 0; /* of the compiler's own start files */
}

static bool read_bytes(const char *text, unsigned char *bytes) {
    for (int i = 0; i < WORD; i++) {
        char digits[3] = {text[2 * i], text[2 * i] ? text[2 * i + 1] : '\0', '\0'}, *end;
        bytes[i] = (unsigned char)strtoul(digits, &end, 16);
        if (end != digits + 2) return false;
    }
    return true;
}

/* In the fewest digits that tell it from every other. */
static void put_real(FILE *out, const unsigned char *bytes, size_t size) {
    char text[40];
    double value = 0;
    float narrow = 0;
    memcpy(size == sizeof narrow ? (void *)&narrow : (void *)&value, bytes, size);
    if (size == sizeof narrow) value = (double)narrow;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (size == sizeof narrow ? strtof(text, NULL) == narrow : strtod(text, NULL) == value) break;
    }
    fputs(text, out);
}

static void put_value(FILE *out, enum hd_number number, const unsigned char *bytes, size_t size) {
    uint64_t value = 0;
    if (number == HD_NUMBER_REAL && (size == sizeof(float) || size == sizeof(double))) {
        put_real(out, bytes, size);
        return;
    }
    memcpy(&value, bytes, size);
    if (number == HD_NUMBER_SIGNED && bytes[size - 1] & 0x80) {
        unsigned unused = 64 - 8 * (unsigned)size;
        fprintf(out, "%" PRId64, (int64_t)(value << unused) >> unused);
    } else {
        fprintf(out, "%" PRIu64, value);
    }
}

/* The bytes of a word, variable by variable; those that did not change say nothing. */
static void put_word(FILE *out, struct hd_module_names *names, uint64_t address,
                     const char *text) {
    unsigned char now[WORD], before[WORD];
    if (!read_bytes(text, now) || text[16] != '/' || !read_bytes(text + 17, before)) return;
    for (int i = 0; i < WORD;) {
        char name[512], next[512];
        int end = i + 1;
        if (!name_of(names, address + (uint64_t)i, name, sizeof name)) {
            i++;
            continue;
        }
        while (end < WORD && name_of(names, address + (uint64_t)end, next, sizeof next) &&
               strcmp(name, next) == 0) {
            end++;
        }
        size_t size = (size_t)(end - i);
        if (memcmp(now + i, before + i, size) != 0) {
            fprintf(out, " %s=", name);
            put_value(out, hd_names_number(names, address + (uint64_t)i, size), now + i, size);
        }
        i = end;
    }
}

void hd_globals_put(FILE *out, struct hd_name_book *book, const char *words) {
    while (*words) {
        size_t length = strcspn(words, ";");
        char word[1024];
        if (length >= sizeof word) return;
        memcpy(word, words, length);
        word[length] = '\0';
        words += length + (words[length] == ';');
        char *close = strchr(word, ']');
        char *plus = close ? memrchr(word, '+', (size_t)(close - word)) : NULL;
        if (!plus || strncmp(word, "[&", 2) != 0) continue;
        struct hd_module_names *names = hd_book_module(book, word + 2, (size_t)(plus - word - 2));
        uint64_t address = strtoull(plus + 1, NULL, 16);
        if (close[1] != '=') {
            put_word(out, names, address, close + 1);
            continue;
        }
        char name[512], where[1024];
        if (!name_of(names, address, name, sizeof name)) continue;
        hd_book_text(book, close + 2, where, sizeof where);
        fprintf(out, " %s=%s%s", name, close[2] == '[' ? "&" : "", where);
    }
}
