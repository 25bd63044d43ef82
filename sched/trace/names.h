/* names.h - words to dense numbers, and memory for strings of one lifetime.
 *
 * A text trace speaks in names; the n-th new name of a table gets id n. */
#ifndef HD_NAMES_H
#define HD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_strings { /* zeroed is empty; freed whole */
    struct hd_strings_block *block;
};

const char *hd_strings_keep(struct hd_strings *strings, const char *text, size_t length);
void hd_strings_free(struct hd_strings *strings);

struct hd_names {      /* zeroed is empty */
    const char **name; /* by id */
    uint32_t *length;
    uint32_t *hash;
    uint32_t count, room;
    uint32_t *slot; /* id + 1, or 0 */
    uint32_t mask;
};

/* The id, or UINT32_MAX: not there (find), no memory (add). `added` tells
 * whether it is new. The name is copied into `strings`. */
uint32_t hd_names_find(const struct hd_names *names, const char *text, size_t length);
uint32_t hd_names_add(struct hd_names *names, struct hd_strings *strings,
                      const char *text, size_t length, bool *added);
void hd_names_free(struct hd_names *names);

#endif
