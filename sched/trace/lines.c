/* lines.c - reading lines, and the words in them. */
#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The buffer grows to what a line may have and a little more, so that a line is
 * always whole in it; few traces need more than the start. */
enum { BUFFER_FIRST = 1 << 16, BUFFER_MOST = 2 * HD_LINE_MOST };

static int grow(struct hd_lines *l, size_t room, struct hd_error *err) {
    char *buffer = realloc(l->buffer, room + 1);
    if (buffer) l->buffer = buffer;
    char *scratch = realloc(l->scratch, room + 1);
    if (scratch) l->scratch = scratch;
    if (!buffer || !scratch) {
        hd_fail_system(err, ENOMEM, "%s", l->path);
        return -1;
    }
    l->room = room;
    return 0;
}

int hd_lines_open(struct hd_lines *l, int fd, const char *path, struct hd_error *err) {
    *l = (struct hd_lines){.path = path, .fd = fd};
    if (grow(l, BUFFER_FIRST, err) < 0) {
        hd_lines_close(l);
        return -1;
    }
    return 0;
}

void hd_lines_close(struct hd_lines *l) {
    free(l->buffer);
    free(l->scratch);
    l->buffer = l->scratch = NULL;
}

int hd_lines_fail(const struct hd_lines *l, struct hd_error *err, const char *format,
                  ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hd_fail(err, l->number, "%s:%llu: %s", l->path, (unsigned long long)l->number, text);
    return -1;
}

/* More bytes behind what is there; 0 at the end of the file. */
static int fill(struct hd_lines *l, struct hd_error *err) {
    if (l->from) {
        memmove(l->buffer, l->buffer + l->from, l->to - l->from);
        l->to -= l->from;
        l->from = 0;
    }
    if (l->to == l->room && l->room < BUFFER_MOST && grow(l, 2 * l->room, err) < 0)
        return -1;
    while (l->to < l->room) {
        ssize_t got = read(l->fd, l->buffer + l->to, l->room - l->to);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            hd_fail_system(err, errno, "cannot read %s", l->path);
            return -1;
        }
        l->to += (size_t)got;
        l->ended = got == 0;
        return 0;
    }
    return 0;
}

static int check_bytes(struct hd_lines *l, struct hd_error *err) {
    for (size_t i = 0; i < l->length; i++) {
        unsigned char c = (unsigned char)l->line[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return hd_lines_fail(
                l, err,
                "control byte 0x%02x in column %zu: neither a binary trace "
                "nor a text one",
                c, i + 1);
        }
    }
    return 0;
}

int hd_lines_next(struct hd_lines *l, struct hd_error *err) {
    size_t looked = 0;
    char *end;
    while (
        !(end = memchr(l->buffer + l->from + looked, '\n', l->to - l->from - looked))) {
        looked = l->to - l->from;
        if (l->ended) {
            if (!looked) return 0;
            end = l->buffer + l->to; /* the last line lacks its newline */
            break;
        }
        if (looked > HD_LINE_MOST) break;
        if (fill(l, err) < 0) return -1;
    }
    l->number++;
    l->line = l->buffer + l->from;
    l->length = end ? (size_t)(end - l->line) : looked;
    if (l->length > HD_LINE_MOST) {
        return hd_lines_fail(l, err, "a line of more than %u bytes", HD_LINE_MOST);
    }
    l->from += l->length;
    if (l->from < l->to) l->from++; /* the newline */
    if (l->length && l->line[l->length - 1] == '\r') l->length--;
    l->line[l->length] = 0;
    if (check_bytes(l, err) < 0) return -1;
    return 1;
}

bool hd_word_is(struct hd_word word, const char *text) {
    return strlen(text) == word.length && memcmp(text, word.at, word.length) == 0;
}

bool hd_word_number(struct hd_word word, uint64_t most, uint64_t *value) {
    bool hex = word.length > 2 && word.at[0] == '0' && word.at[1] == 'x';
    uint64_t base = hex ? 16 : 10, sum = 0;
    if (!word.length) return false;
    for (size_t i = hex ? 2 : 0; i < word.length; i++) {
        char c = word.at[i];
        uint64_t digit = c >= '0' && c <= '9'          ? (uint64_t)(c - '0')
                         : hex && c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10)
                                                       : 99;
        if (digit >= base || sum > (UINT64_MAX - digit) / base) return false;
        sum = sum * base + digit;
    }
    *value = sum;
    return sum <= most;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool hd_word_decode(struct hd_lines *l, struct hd_word *word) {
    if (!memchr(word->at, '%', word->length)) return true;
    size_t used = 0;
    for (size_t i = 0; i < word->length; i++) {
        char c = word->at[i];
        int high, low;
        if (c == '%' && i + 2 < word->length &&
            (high = hex_digit(word->at[i + 1])) >= 0 &&
            (low = hex_digit(word->at[i + 2])) >= 0) {
            c = (char)(high << 4 | low);
            if (!c) return false;
            i += 2;
        }
        l->scratch[used++] = c;
    }
    *word = (struct hd_word){.at = l->scratch, .length = used};
    return true;
}
