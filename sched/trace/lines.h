/* lines.h - a text file, a line at a time, in constant memory.
 *
 * A line that is longer than HD_LINE_MOST or holds a control byte is not text of
 * ours, and the message says so. Names cannot hold blanks, so odd bytes in them
 * are written as %20 (two hexadecimal digits). */
#ifndef HD_LINES_H
#define HD_LINES_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_LINE_MOST (1u << 20)

struct hd_lines {
    const char *path;
    int fd;
    uint64_t number; /* of the line last read, from 1 */
    char *buffer;
    size_t from, to, room;
    bool ended;
    char *line; /* ended by a zero */
    size_t length;
    char *scratch; /* as large as the buffer, for whoever decodes */
};

int hd_lines_open(struct hd_lines *lines, int fd, const char *path, struct hd_error *err);
void hd_lines_close(struct hd_lines *lines); /* not the fd */

/* 1: there is a line; 0: the end; -1: err is filled. */
int hd_lines_next(struct hd_lines *lines, struct hd_error *err);

/* Fails with `path:line: text`; returns -1. */
int hd_lines_fail(const struct hd_lines *lines, struct hd_error *err, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

struct hd_word {
    const char *at;
    size_t length;
};

bool hd_word_is(struct hd_word word, const char *text);
bool hd_word_number(struct hd_word word, uint64_t most, uint64_t *value);

/* The word with its %20s turned back, in lines->scratch; a % that is not
 * followed by two digits stands for itself. False: it holds a zero byte. */
bool hd_word_decode(struct hd_lines *lines, struct hd_word *word);

/* For showing a word in a message: at most so many bytes of it. */
#define HD_WORD_SHOWN(word) ((word).length > 60 ? 60 : (int)(word).length), (word).at

#endif
