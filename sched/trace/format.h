/* format.h - the bytes of a binary trace.
 *
 * Shared by the writer here and by the recorder inside the program under test,
 * which may not allocate and therefore writes chunks by itself. All numbers are
 * little-endian; structs are written as they lie in memory (they have no gaps).
 *
 * file   := header chunk*
 * chunk  := struct hd_chunk, then `bytes` bytes of payload
 * events := tokens (coding.h)
 * definitions := record*
 * record := the table (a byte), then the entry's id and the numbers of its table
 *           in the order listed below, each in groups of seven bits, the lowest
 *           first, all but the last with their top bit set; then its strings, each
 *           ended by a zero byte ("" means: not known); or HD_RECORD_ROW
 *
 * A complete file ends with an END chunk, whose `count` is the number of events
 * in the file; names may be appended after it, followed by another END. A file
 * without END was cut short: the reader says so, and reads what is there only
 * when asked to (hd_trace_open refuses). */
#ifndef HD_FORMAT_H
#define HD_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HD_TRACE_MAGIC "heddle\x1a\n"
#define HD_TRACE_VERSION 5

struct hd_header {
    char magic[8];
    uint32_t version;
    uint32_t event_size; /* 16 */
};

enum hd_chunk_type { HD_CHUNK_EVENTS = 1, HD_CHUNK_DEFINITIONS = 2, HD_CHUNK_END = 3 };

struct hd_chunk {
    uint32_t type;
    uint32_t check; /* of the payload of definition chunks; 0 for events */
    uint64_t bytes; /* payload; at most HD_CHUNK_MOST */
    uint64_t count; /* events, records, or for END all events in the file */
};

#define HD_CHUNK_MOST (64u << 20)

enum hd_table {
    HD_TABLE_THREAD = 1, /* strings: name */
    HD_TABLE_VARIABLE,   /* object, size, offset; strings: name */
    HD_TABLE_OBJECT,     /* kind, owner, nth, site, module, size, address; strings: name */
    HD_TABLE_SYNC,       /* kind, object, initial, offset; strings: name */
    HD_TABLE_LABEL,      /* flags, site; strings: name */
    HD_TABLE_SITE,       /* module, line, address; strings: function, file */
    HD_TABLE_MODULE,     /* strings: path, build id */
    HD_TABLE_REGISTER,   /* strings: name */
    HD_TABLE_COUNT
};

/* In place of a table: variables in a row, which a program that goes through an array
 * has many of. The id of the first; their object, their size, the offset of the
 * first, how far the next is from it (signed), and how many there are. */
#define HD_RECORD_ROW HD_TABLE_COUNT
#define HD_ROW_MOST 256 /* so that no file makes a reader take much more than its own size */

#define HD_NUMBERS_MOST 8    /* of a record */
#define HD_NUMBER_BYTES 10   /* that a number takes at most */
#define HD_THREADS_MOST 65536 /* an event has 16 bits for its thread */
#define HD_NAME_MOST 65535    /* bytes of a string: a line of text must hold several */

/* The check of a definition chunk, a word at a time; each step can be undone, so a
 * single change is always seen. */
static inline uint64_t hd_check_step(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static inline uint32_t hd_format_check(const void *payload, uint64_t bytes) {
    const unsigned char *at = payload;
    uint64_t hash = bytes, word;
    for (; bytes >= sizeof word; bytes -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = hd_check_step(hash, word);
    }
    for (word = 0; bytes > 0; bytes--) word = word << 8 | at[bytes - 1];
    hash = hd_check_step(hash, word);
    return (uint32_t)(hash ^ hash >> 32);
}

static inline unsigned char *hd_number_put(unsigned char *at, uint64_t number) {
    while (number >= 0x80) {
        *at++ = (unsigned char)(number | 0x80);
        number >>= 7;
    }
    *at++ = (unsigned char)number;
    return at;
}

/* A record at `at`; `one` and `other` are the strings' lengths with their zeros. */
static inline unsigned char *hd_record_put(unsigned char *at, enum hd_table table, uint32_t id,
                                           const uint64_t *numbers, unsigned count,
                                           const char *first, size_t one,
                                           const char *second, size_t other) {
    *at++ = (unsigned char)table;
    at = hd_number_put(at, id);
    for (unsigned i = 0; i < count; i++) at = hd_number_put(at, numbers[i]);
    memcpy(at, first, one);
    memcpy(at + one, second, other);
    return at + one + other;
}

/* Differences are small in both directions. */
static inline uint64_t hd_number_signed(int64_t number) {
    return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

#endif
