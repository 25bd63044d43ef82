/* source.c - the lines of source files, for reports. */
#include "column.h"

#include "file.h"

#include <stdlib.h>
#include <string.h>

enum { FOLDERS = 8, LARGEST = 64 << 20 };

struct source {
    struct source *next;
    char *file;
    char *text; /* lines ended by zero bytes; NULL: there is no such file */
    char **lines;
    uint32_t count;
};

struct hd_sources {
    struct source *first;
    char *folders[FOLDERS];
    size_t folder_count;
};

struct hd_sources *hd_sources_new(void) {
    return calloc(1, sizeof(struct hd_sources));
}

void hd_sources_free(struct hd_sources *sources) {
    if (!sources) return;
    while (sources->first) {
        struct source *source = sources->first;
        sources->first = source->next;
        free(source->file);
        free(source->text);
        free(source->lines);
        free(source);
    }
    for (size_t i = 0; i < sources->folder_count; i++)
        free(sources->folders[i]);
    free(sources);
}

void hd_sources_folder(struct hd_sources *sources, const char *folder) {
    char *copy = sources->folder_count < FOLDERS ? strdup(folder) : NULL;
    if (copy) sources->folders[sources->folder_count++] = copy;
}

/* One space for any run of blanks and control characters, none in front. */
static char *tidy(char *line) {
    char *to = line;
    bool gap = false;
    for (const char *at = line; *at; at++) {
        if ((unsigned char)*at <= ' ' || *at == 0x7f) {
            gap = to != line;
        } else {
            if (gap) *to++ = ' ';
            gap = false;
            *to++ = *at;
        }
    }
    *to = '\0';
    return line;
}

static void split(struct source *source, size_t size) {
    uint32_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += source->text[i] == '\n';
    source->lines = calloc(count, sizeof *source->lines);
    if (!source->lines) return;
    char *at = source->text;
    for (; source->count < count; source->count++) {
        char *end = memchr(at, '\n', (size_t)(source->text + size - at));
        source->lines[source->count] = at;
        if (end) *end = '\0';
        tidy(at);
        if (!end) {
            source->count++;
            break;
        }
        at = end + 1;
    }
}

static char *look(const struct hd_sources *sources, const char *file, size_t *size) {
    char *text = hd_file_read(file, LARGEST, size, NULL);
    for (size_t i = 0; !text && file[0] != '/' && i < sources->folder_count; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", sources->folders[i], file);
        if (length < (int)sizeof path) text = hd_file_read(path, LARGEST, size, NULL);
    }
    return text;
}

const char *hd_source_line(struct hd_sources *sources, const char *file, uint32_t line) {
    struct source *source = sources->first;
    while (source && strcmp(source->file, file) != 0)
        source = source->next;
    if (!source) {
        size_t size = 0;
        source = calloc(1, sizeof *source);
        if (!source) return NULL;
        source->file = strdup(file);
        if (!source->file) {
            free(source);
            return NULL;
        }
        /* "-" would be standard input. */
        source->text = strcmp(file, "-") == 0 ? NULL : look(sources, file, &size);
        if (source->text) split(source, size);
        source->next = sources->first;
        sources->first = source;
    }
    if (line == 0 || line > source->count) return NULL;
    return source->lines[line - 1];
}
