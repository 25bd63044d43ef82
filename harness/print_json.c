/* print_json.c - JSON as heddle writes it, and where it was wrong when read.
 *
 * Jansson's own indentation puts every number of every pair on a line of its
 * own; a schedule of a thousand choices would be five thousand lines. */
#include "part_json.h"

#include "file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 90 };

static int scalar(const json_t *value, FILE *out) {
    if (json_is_real(value)) {
        /* Six digits behind the point at most, and none that say nothing. */
        char text[64];
        snprintf(text, sizeof text, "%.6f", json_real_value(value));
        size_t used = strlen(text);
        while (used > 2 && text[used - 1] == '0' && text[used - 2] != '.')
            text[--used] = '\0';
        return fputs(text, out) < 0 ? -1 : 0;
    }
    return json_dumpf(value, out, JSON_ENCODE_ANY | JSON_COMPACT);
}

static bool simple(const json_t *value) {
    return !json_is_object(value) && !json_is_array(value);
}

static bool simple_array(const json_t *value) {
    if (!json_is_array(value)) return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!simple(json_array_get(value, i))) return false;
    }
    return true;
}

static bool packs(const json_t *array) {
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (!simple(item) && !(simple_array(item) && json_array_size(item) == 2))
            return false;
    }
    return true;
}

static void indent(FILE *out, int depth) { fprintf(out, "\n%*s", depth * 2, ""); }

/* One item of a packed array, as text. */
static char *packed_item(const json_t *item) {
    if (simple(item) && !json_is_real(item)) return json_dumps(item, JSON_ENCODE_ANY);
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return NULL;
    int rc = 0;
    if (json_is_array(item)) {
        fputc('[', memory);
        for (size_t i = 0; i < json_array_size(item); i++) {
            if (i) fputs(", ", memory);
            rc |= scalar(json_array_get(item, i), memory);
        }
        fputc(']', memory);
    } else {
        rc = scalar(item, memory);
    }
    if (fclose(memory) != 0 || rc < 0) {
        free(text);
        return NULL;
    }
    return text;
}

static int packed(const json_t *array, FILE *out, int depth, int column) {
    size_t count = json_array_size(array);
    fputc('[', out);
    column++;
    for (size_t i = 0; i < count; i++) {
        char *text = packed_item(json_array_get(array, i));
        if (!text) return -1;
        int length = (int)strlen(text);
        if (i && column + length + 3 > WIDTH) {
            fputc(',', out);
            indent(out, depth + 1);
            column = depth * 2 + 2;
        } else if (i) {
            fputs(", ", out);
            column += 2;
        }
        fputs(text, out);
        column += length;
        free(text);
    }
    return fputc(']', out) < 0 ? -1 : 0;
}

static int print(const json_t *value, FILE *out, int depth, int column) {
    if (json_is_object(value)) {
        const char *key;
        json_t *member;
        bool first = true;
        if (json_object_size(value) == 0) return fputs("{}", out) < 0 ? -1 : 0;
        fputc('{', out);
        json_object_foreach((json_t *)value, key, member) {
            if (!first) fputc(',', out);
            first = false;
            indent(out, depth + 1);
            json_t *name = json_string(key);
            int rc = name ? scalar(name, out) : -1;
            json_decref(name);
            fputs(": ", out);
            if (rc < 0 ||
                print(member, out, depth + 1, depth * 2 + 6 + (int)strlen(key)) < 0) {
                return -1;
            }
        }
        indent(out, depth);
        return fputc('}', out) < 0 ? -1 : 0;
    }
    if (!json_is_array(value)) return scalar(value, out);
    if (packs(value)) return packed(value, out, depth, column);
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (i) fputc(',', out);
        indent(out, depth + 1);
        if (print(json_array_get(value, i), out, depth + 1, depth * 2 + 2) < 0) return -1;
    }
    indent(out, depth);
    return fputc(']', out) < 0 ? -1 : 0;
}

int hd_json_print(const json_t *value, FILE *out) {
    if (print(value, out, 0, 0) < 0) return -1;
    fputc('\n', out);
    return ferror(out) ? -1 : 0;
}

int hd_json_save(const json_t *value, const char *path, struct hd_error *err) {
    struct hd_file file;
    if (!value) {
        hd_fail(err, 0, "%s: out of memory", path);
        return -1;
    }
    if (hd_file_create(&file, path, err) < 0) return -1;
    /* A write error is remembered by the stream; commit tells it. */
    if (hd_json_print(value, file.stream) < 0 && !ferror(file.stream)) {
        hd_fail(err, 0, "%s: out of memory", path);
        hd_file_drop(&file);
        return -1;
    }
    return hd_file_commit(&file, err);
}

json_t *hd_json_parse(const char *text, size_t size, const char *path,
                      struct hd_error *err) {
    json_error_t why;
    json_t *value = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!value) {
        hd_fail(err, (uint64_t)(why.line > 0 ? why.line : 0), "%s:%d:%d: %s", path,
                why.line, why.column, why.text);
    }
    return value;
}

static size_t place_say(const struct hd_json_place *place, char *text, size_t size) {
    if (!place) return 0;
    size_t used = place_say(place->above, text, size);
    if (used >= size) return used;
    int more;
    if (!place->above) {
        more = snprintf(text + used, size - used, "%s: ", place->key);
    } else if (!place->key) {
        more = snprintf(text + used, size - used, "[%zu]", place->index);
    } else {
        bool dot = place->above->above != NULL;
        more = snprintf(text + used, size - used, "%s%.60s", dot ? "." : "", place->key);
    }
    return used + (size_t)more;
}

int hd_json_refuse(const struct hd_json_place *place, struct hd_error *err,
                   const char *format, ...) {
    char where[256], what[256];
    va_list args;
    where[0] = '\0';
    size_t used = place_say(place, where, sizeof where);
    if (!place->above && used >= 2 && used < sizeof where) where[used - 2] = '\0';
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    hd_fail(err, 0, "%s: %s", where, what);
    return -1;
}

const char *hd_json_type_name(const json_t *value) {
    static const char *const names[] = {"an object", "an array", "a string", "a number",
                                        "a number",  "true",     "false",    "null"};
    return value ? names[json_typeof(value)] : "nothing";
}

/* The length of one well-formed UTF-8 sequence at `at`, or 0. */
static size_t sequence(const unsigned char *at) {
    if (at[0] < 0x80) return 1;
    size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
    }
    if (at[0] == 0xe0 && at[1] < 0xa0) return 0; /* too long a form */
    if (at[0] == 0xed && at[1] > 0x9f) return 0; /* surrogates */
    if (at[0] == 0xf0 && at[1] < 0x90) return 0;
    if (at[0] == 0xf4 && at[1] > 0x8f) return 0;
    return length;
}

json_t *hd_json_text(const char *text) {
    if (!text) return json_null();
    json_t *plain = json_string(text);
    if (plain) return plain;
    char *escaped = malloc(strlen(text) * 4 + 1), *to = escaped;
    if (!escaped) return NULL;
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = sequence(at);
        if (length) {
            memcpy(to, at, length);
            to += length;
            at += length;
        } else {
            to += sprintf(to, "\\x%02x", *at++);
        }
    }
    *to = '\0';
    plain = json_string(escaped);
    free(escaped);
    return plain;
}
