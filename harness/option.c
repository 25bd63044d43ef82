/* option.c - reading a command line by its tables.
 *
 * Nothing here prints but hd_options_read: a message is made where the fault is
 * found and names the option, what was given and what was expected. */
#include "option.h"

#include "command.h"
#include "suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool hd_number_read(const char *text, uint64_t *out) {
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (__builtin_add_overflow(value, (uint64_t)(*text - '0'), &value)) return false;
    }
    *out = value;
    return true;
}

bool hd_decimal_read(const char *text, double *out) {
    size_t digits = strspn(text, "0123456789"), after = 0, used = digits;
    if (text[used] == '.') {
        after = strspn(text + used + 1, "0123456789");
        used += 1 + after;
    }
    /* Twenty digits are more than a double holds. */
    if (digits + after == 0 || used > 20 || text[used] != '\0') return false;
    *out = strtod(text, NULL);
    return true;
}

static bool size_read(const char *text, uint64_t *out) {
    static const char units[] = "KMG";
    size_t length = strlen(text);
    char digits[24];
    unsigned shift = 0;
    const char *unit = length ? strchr(units, text[length - 1] & ~0x20) : NULL;
    if (unit && *unit) {
        shift = 10 * (unsigned)(unit - units + 1);
        length--;
    }
    if (length >= sizeof digits) return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    return hd_number_read(digits, out) &&
           !__builtin_mul_overflow(*out, UINT64_C(1) << shift, out);
}

static void *place(const struct hd_option *option, void *target) {
    return (char *)target + option->offset;
}

/* "a, b or c" */
static void words_say(const char *const *words, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; words[i] && used < size; i++) {
        const char *joint = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", joint, words[i]);
    }
}

static int word_find(const char *const *words, const char *text, size_t length) {
    for (int i = 0; words[i]; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return i;
    }
    return -1;
}

static int word_refuse(const struct hd_option *option, const char *text, size_t length,
                       struct hd_error *err) {
    char word[64], all[160];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
    words_say(option->words, all, sizeof all);
    struct hd_suggestion near = hd_suggestion_for(word);
    for (size_t i = 0; option->words[i]; i++)
        hd_suggestion_offer(&near, option->words[i]);
    if (near.best) {
        hd_fail(err, 0, "--%s %s: expected %s; did you mean %s?", option->name, word, all,
                near.best);
    } else {
        hd_fail(err, 0, "--%s %s: expected %s", option->name, word, all);
    }
    return -1;
}

static int list_store(const struct hd_option *option, unsigned *out, const char *text,
                      struct hd_error *err) {
    unsigned bits = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int found = word_find(option->words, at, length);
        if (found < 0) return word_refuse(option, at, length, err);
        bits |= 1u << found;
        at += length;
        if (*at == '\0') break;
    }
    *out = bits;
    return 0;
}

static int number_refuse(const struct hd_option *option, const char *text,
                         struct hd_error *err) {
    const char *what = option->kind == HD_OPTION_SECONDS ? "seconds"
                       : option->kind == HD_OPTION_SIZE
                           ? "a size (a number, then K, M or G)"
                           : "a number";
    uint64_t most = option->most ? option->most : UINT64_MAX;
    if (option->kind != HD_OPTION_NUMBER && !option->most) {
        hd_fail(err, 0, "--%s %.60s: expected %s, at least %" PRIu64, option->name, text,
                what, option->least);
    } else {
        hd_fail(err, 0, "--%s %.60s: expected %s from %" PRIu64 " to %" PRIu64,
                option->name, text, what, option->least, most);
    }
    return -1;
}

static int store(const struct hd_option *option, void *target, const char *text,
                 struct hd_error *err) {
    void *to = place(option, target);
    uint64_t most = option->most ? option->most : UINT64_MAX;
    uint64_t number;
    double decimal;
    int word;
    switch ((enum hd_option_kind)option->kind) {
    case HD_OPTION_FLAG:
        *(bool *)to = true;
        return 0;
    case HD_OPTION_NUMBER:
    case HD_OPTION_SIZE:
        if (!(option->kind == HD_OPTION_SIZE ? size_read(text, &number)
                                             : hd_number_read(text, &number)) ||
            number < option->least || number > most) {
            return number_refuse(option, text, err);
        }
        *(uint64_t *)to = number;
        return 0;
    case HD_OPTION_SECONDS:
        if (!hd_decimal_read(text, &decimal) || decimal < (double)option->least ||
            decimal > (double)most) {
            return number_refuse(option, text, err);
        }
        *(double *)to = decimal;
        return 0;
    case HD_OPTION_TEXT:
        if (option->check) {
            struct hd_error why = {.place = 0};
            if (option->check(text, &why) < 0) {
                if (why.text[0] == '-') { /* says by itself which option it is about */
                    hd_fail(err, why.place, "%s", why.text);
                } else {
                    hd_fail(err, why.place, "--%s %.120s: %s", option->name, text,
                            why.text);
                }
                return -1;
            }
        }
        *(const char **)to = text;
        return 0;
    case HD_OPTION_CHOICE:
        word = word_find(option->words, text, strlen(text));
        if (word < 0) return word_refuse(option, text, strlen(text), err);
        *(unsigned *)to = (unsigned)word;
        return 0;
    case HD_OPTION_LIST:
        return list_store(option, (unsigned *)to, text, err);
    }
    return -1;
}

static bool wanted(const struct hd_option_set *set, const struct hd_option *option) {
    return !set->groups || !option->groups || (set->groups & option->groups);
}

static int set_defaults(const struct hd_usage *usage, struct hd_error *err) {
    for (const struct hd_option_set *set = usage->sets; set->options; set++) {
        for (const struct hd_option *option = set->options; option->name; option++) {
            const char *text = option->standard;
            if (option->kind == HD_OPTION_FLAG || !text || text[0] == '(') continue;
            if (store(option, set->target, text, err) < 0) return -1;
        }
    }
    return 0;
}

static const struct hd_option *find(const struct hd_usage *usage, const char *name,
                                    size_t length, char letter, void **target) {
    for (const struct hd_option_set *set = usage->sets; set->options; set++) {
        for (const struct hd_option *option = set->options; option->name; option++) {
            if (!wanted(set, option)) continue;
            bool same = name ? strlen(option->name) == length &&
                                   !memcmp(option->name, name, length)
                             : option->letter && option->letter == letter;
            if (!same) continue;
            *target = set->target;
            return option;
        }
    }
    return NULL;
}

static void refuse_name(const struct hd_usage *usage, const char *name, size_t length,
                        struct hd_error *err) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    struct hd_suggestion near = hd_suggestion_for(word);
    for (const struct hd_option_set *set = usage->sets; set->options; set++) {
        for (const struct hd_option *option = set->options; option->name; option++) {
            if (wanted(set, option)) hd_suggestion_offer(&near, option->name);
        }
    }
    if (near.best) {
        hd_fail(err, 0, "--%s: no such option; there is --%s (heddle help %s)", word,
                near.best, usage->verb);
    } else {
        hd_fail(err, 0, "--%s: no such option (heddle help %s)", word, usage->verb);
    }
}

/* One option at argv[at]; the index of the argument after it, or -1. */
static int read_one(const struct hd_usage *usage, int argc, char **argv, int at,
                    struct hd_error *err) {
    const char *text = argv[at], *value = NULL;
    const struct hd_option *option;
    void *target = NULL;
    if (text[1] == '-') {
        size_t length = strcspn(text + 2, "=");
        option = find(usage, text + 2, length, 0, &target);
        if (!option) {
            refuse_name(usage, text + 2, length, err);
            return -1;
        }
        if (text[2 + length] == '=') value = text + 3 + length;
    } else {
        option = find(usage, NULL, 0, text[1], &target);
        if (!option) {
            hd_fail(err, 0, "%.60s: no such option (heddle help %s)", text, usage->verb);
            return -1;
        }
        if (text[2] != '\0') value = text + 2;
    }
    at++;
    if (option->kind == HD_OPTION_FLAG) {
        if (value) {
            hd_fail(err, 0, "%.60s: --%s takes no value", text, option->name);
            return -1;
        }
    } else if (!value) {
        if (at == argc) {
            hd_fail(err, 0, "--%s: %s is missing", option->name, option->argument);
            return -1;
        }
        value = argv[at++];
    }
    return store(option, target, value, err) < 0 ? -1 : at;
}

/* Put argv[from..to) before argv[into..from): operands move behind options. */
static void bring_forward(char **argv, int into, int from, int to) {
    for (; from < to; from++, into++) {
        char *moved = argv[from];
        memmove(argv + into + 1, argv + into, (size_t)(from - into) * sizeof *argv);
        argv[into] = moved;
    }
}

int hd_options_parse(const struct hd_usage *usage, int argc, char **argv, bool *help,
                     struct hd_error *err) {
    int operands = 1; /* argv[operands..at) are operands met so far */
    *help = false;
    if (set_defaults(usage, err) < 0) return -1;
    for (int at = 1; at < argc;) {
        const char *text = argv[at];
        if (strcmp(text, "--") == 0) {
            bring_forward(argv, operands, at, at + 1);
            return operands + 1;
        }
        if (text[0] != '-' || text[1] == '\0') {
            if (!usage->mixed) return at;
            at++;
            continue;
        }
        if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            *help = true;
            return at;
        }
        int next = read_one(usage, argc, argv, at, err);
        if (next < 0) return -1;
        bring_forward(argv, operands, at, next);
        operands += next - at;
        at = next;
    }
    return operands;
}

int hd_options_read(const struct hd_usage *usage, int argc, char **argv, int *first) {
    struct hd_error err = {.place = 0};
    bool help;
    *first = hd_options_parse(usage, argc, argv, &help, &err);
    if (*first < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        return HD_EXIT_USAGE;
    }
    if (help) {
        hd_options_help(usage, stdout);
        return HD_EXIT_CLEAN;
    }
    return HD_OPTIONS_GO_ON;
}
