/* globals.c - see globals.h. */
#include "globals.h"

#include "annotate.h"
#include "heap.h"
#include "module.h"
#include "primitive.h"
#include "runtime.h"
#include "snapshot.h"

#include <stdio.h>

static bool is_pointer(uintptr_t value) {
    char scrap[300];
    if (value < HD_PAGE) return false;
    return hd_module_of(value) >= 0 || hd_heap_describe(value, scrap, sizeof scrap) ||
           (value >= HD_AT_STACKS &&
            value < HD_AT_STACKS + (uintptr_t)HD_HOMES * HD_STACK_STRIDE);
}

static int put_bytes(char *to, const unsigned char *bytes) {
    for (int i = 0; i < 8; i++) snprintf(to + 2 * i, 3, "%02x", bytes[i]);
    return 16;
}

static void tell_word(const char *at, const char *now, const char *before) {
    char text[800], where[300];
    uintptr_t value;
    memcpy(&value, now, sizeof value);
    hd_describe_address((uintptr_t)at, where, sizeof where);
    int used = snprintf(text, sizeof text, "%s", where);
    if (is_pointer(value)) {
        hd_describe_address(value, where, sizeof where);
        used += snprintf(text + used, sizeof text - (size_t)used, "=%s", where);
    } else {
        used += put_bytes(text + used, (const unsigned char *)now);
        text[used++] = '/';
        used += put_bytes(text + used, (const unsigned char *)before);
    }
    text[used++] = ';';
    hd_observed_add(text, (size_t)used);
}

/* A synchronisation object holds a number of ours (primitive.h), given in the order of
 * first use: that is not what the program put there. */
static void tell(const char *now, const char *before, size_t size) {
    for (size_t at = 0; at + 8 <= size; at += 8) {
        char word[8];
        memcpy(word, now + at, 8);
        for (int half = 0; half < 8; half += 4) {
            uint32_t tag;
            memcpy(&tag, word + half, 4);
            if (hd_primitive_numbered(tag, now + at + half)) {
                memcpy(word + half, before + at + half, 4);
            }
        }
        if (memcmp(word, before + at, 8) != 0) tell_word(now + at, word, before + at);
    }
}

void hd_globals_observe(void) {
    const char mark = HD_GLOBALS_MARK;
    if (!hd_rt->config.globals || !hd_rt->snapshot) return;
    const struct hd_module_map *program = hd_module_at(0);
    hd_observed_add(&mark, 1);
    hd_snapshot_changes(program->write_low, program->write_high, tell);
}
