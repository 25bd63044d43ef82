/* arguments.c - see arguments.h. */
#include "arguments.h"

#include "runtime.h"

#define OPTIONS "HEDDLE_OPTIONS="

static char *moved(char *text) {
    size_t size = strlen(text) + 1;
    char *copy = hd_region_take(&hd_rt->words, size);
    if (!copy) return text; /* a limit on memory: they stay where they are */
    hd_rt->real.memcpy(copy, text, size);
    return copy;
}

const char *hd_arguments_move(char **argv, char **envp) {
    const char *options = NULL;
    for (; argv && *argv; argv++) *argv = moved(*argv);
    char **kept = envp;
    for (char **at = envp; at && *at; at++) {
        if (strncmp(*at, OPTIONS, sizeof OPTIONS - 1) == 0) {
            if (!options) options = *at + sizeof OPTIONS - 1;
        } else {
            *kept++ = moved(*at);
        }
    }
    if (kept) *kept = NULL;
    return options;
}

char *hd_arguments_extent(size_t *size) {
    uintptr_t end = hd_rt->told ? (uintptr_t)hd_rt->told : hd_rt->words.next;
    *size = end - hd_rt->words.base;
    return (char *)hd_rt->words.base;
}
