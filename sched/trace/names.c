/* names.c - an open-addressing table from name to id.
 *
 * The hash is of the bytes alone, so that nothing depends on addresses. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

struct hd_strings_block {
    struct hd_strings_block *next;
    size_t used, room;
    char data[];
};

const char *hd_strings_keep(struct hd_strings *strings, const char *text, size_t length) {
    struct hd_strings_block *block = strings->block;
    if (!block || block->room - block->used <= length) {
        size_t room = length + 1 > 1 << 16 ? length + 1 : 1 << 16;
        block = malloc(sizeof *block + room);
        if (!block) return NULL;
        *block = (struct hd_strings_block){.next = strings->block, .room = room};
        strings->block = block;
    }
    char *copy = block->data + block->used;
    memcpy(copy, text, length);
    copy[length] = 0;
    block->used += length + 1;
    return copy;
}

void hd_strings_free(struct hd_strings *strings) {
    while (strings->block) {
        struct hd_strings_block *block = strings->block;
        strings->block = block->next;
        free(block);
    }
}

static uint32_t hash_of(const char *text, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot where it is, or where it would go. */
static uint32_t seek(const struct hd_names *n, const char *text, size_t length,
                     uint32_t hash) {
    uint32_t i = hash & n->mask;
    for (; n->slot[i]; i = (i + 1) & n->mask) {
        uint32_t id = n->slot[i] - 1;
        if (n->hash[id] == hash && n->length[id] == length &&
            memcmp(n->name[id], text, length) == 0) {
            break;
        }
    }
    return i;
}

uint32_t hd_names_find(const struct hd_names *n, const char *text, size_t length) {
    if (!n->slot) return UINT32_MAX;
    return n->slot[seek(n, text, length, hash_of(text, length))] - 1;
}

/* Room for twice as many; at most half of the slots are ever used. */
static bool grow(struct hd_names *n) {
    if (n->room > UINT32_MAX / 8) return false;
    uint32_t room = n->room ? 2 * n->room : 16;
    const char **name = realloc(n->name, room * sizeof *name);
    if (name) n->name = name;
    uint32_t *length = realloc(n->length, room * sizeof *length);
    if (length) n->length = length;
    uint32_t *hash = realloc(n->hash, room * sizeof *hash);
    if (hash) n->hash = hash;
    uint32_t *slot = calloc(2 * (size_t)room, sizeof *slot);
    if (!name || !length || !hash || !slot) {
        free(slot);
        return false;
    }
    free(n->slot);
    n->slot = slot;
    n->mask = 2 * room - 1;
    n->room = room;
    for (uint32_t id = 0; id < n->count; id++) {
        uint32_t i = n->hash[id] & n->mask;
        while (n->slot[i])
            i = (i + 1) & n->mask;
        n->slot[i] = id + 1;
    }
    return true;
}

uint32_t hd_names_add(struct hd_names *n, struct hd_strings *strings, const char *text,
                      size_t length, bool *added) {
    *added = false;
    if (length > UINT32_MAX / 2) return UINT32_MAX;
    if (n->count == n->room && !grow(n)) return UINT32_MAX;
    uint32_t hash = hash_of(text, length);
    uint32_t i = seek(n, text, length, hash);
    if (n->slot[i]) return n->slot[i] - 1;
    const char *copy = hd_strings_keep(strings, text, length);
    if (!copy) return UINT32_MAX;
    uint32_t id = n->count++;
    n->name[id] = copy;
    n->length[id] = (uint32_t)length;
    n->hash[id] = hash;
    n->slot[i] = id + 1;
    *added = true;
    return id;
}

void hd_names_free(struct hd_names *n) {
    free(n->name);
    free(n->length);
    free(n->hash);
    free(n->slot);
}
