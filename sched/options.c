/* options.c - one table of what HEDDLE_OPTIONS may say. */
#include "options.h"

#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { FLAG, NUMBER, TEXT, INTEGER };

static const struct option {
    const char *name;
    enum kind kind;
    size_t offset, size;
} table[] = {
#define FIELD(f) offsetof(struct hd_config, f), sizeof(((struct hd_config *)0)->f)
    {"seed", NUMBER, FIELD(seed)},
    {"steps", NUMBER, FIELD(steps)},
    {"executions", NUMBER, FIELD(executions)},
    {"first", NUMBER, FIELD(first)},
    {"watchdog", NUMBER, FIELD(watchdog)},
    {"milliseconds", NUMBER, FIELD(milliseconds)},
    {"after", NUMBER, FIELD(after)},
    {"memory", NUMBER, FIELD(memory)},
    {"telling", NUMBER, FIELD(telling)},
    {"jobs", NUMBER, FIELD(jobs)},
    {"stamps", NUMBER, FIELD(stamps)},
    {"strategy", TEXT, FIELD(strategy)},
    {"trace", TEXT, FIELD(trace)},
    {"schedule", TEXT, FIELD(schedule)},
    {"result", INTEGER, FIELD(result_fd)},
    {"every-access", FLAG, FIELD(every_access)},
    {"every-call", FLAG, FIELD(every_call)},
    {"values", FLAG, FIELD(values)},
    {"globals", FLAG, FIELD(globals)},
    {"spurious-wakeups", FLAG, FIELD(spurious)},
    {"quiet", FLAG, FIELD(quiet)},
    {"explore", FLAG, FIELD(explore)},
    {"each", FLAG, FIELD(each)},
    {"same", FLAG, FIELD(same)},
    {"eager", FLAG, FIELD(eager)},
    {"fork", FLAG, FIELD(fork)},
    {"verify", FLAG, FIELD(verify)},
    {"warnings", FLAG, FIELD(warnings)},
#undef FIELD
};

static void refuse(const char *source, const char *word, int length, const char *expected) {
    hd_say("%s: %.*s: %s", source, length, word, expected);
    syscall(SYS_exit_group, 2);
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static void set(struct hd_config *config, const struct option *option, const char *source,
                const char *word, int length, const char *value, int value_length) {
    char text[512];
    int n = 0;
    for (int i = 0; i < value_length; i++) {
        char c = value[i];
        if (c == '%' && i + 2 < value_length && hex(value[i + 1]) >= 0 && hex(value[i + 2]) >= 0) {
            c = (char)(hex(value[i + 1]) * 16 + hex(value[i + 2]));
            i += 2;
        }
        if (n == (int)sizeof text - 1) refuse(source, word, length, "too long");
        text[n++] = c;
    }
    text[n] = '\0';
    char *field = (char *)config + option->offset;
    if (option->kind == TEXT) {
        if ((size_t)n >= option->size) refuse(source, word, length, "too long");
        memcpy(field, text, (size_t)n + 1);
        return;
    }
    if (option->kind == FLAG) {
        if (n == 0 || strcmp(text, "1") == 0 || strcmp(text, "on") == 0) {
            *(bool *)field = true;
        } else if (strcmp(text, "0") == 0 || strcmp(text, "off") == 0) {
            *(bool *)field = false;
        } else {
            refuse(source, word, length, "expected on or off");
        }
        return;
    }
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (n == 0 || *end || errno || text[0] == '-') refuse(source, word, length, "expected a number");
    if (number == 0 && option->offset == offsetof(struct hd_config, executions)) {
        refuse(source, word, length, "expected a number from 1");
    }
    if (option->kind == INTEGER) {
        *(int *)field = (int)number;
    } else {
        *(uint64_t *)field = number;
    }
}

void hd_options_read(struct hd_config *config, const char *text) {
    *config = (struct hd_config){.seed = 1, .steps = 1000000, .executions = 1,
                                 .result_fd = -1, .watchdog = 10,
                                 .warnings = true};
    memcpy(config->strategy, "round-robin", 12);
    hd_options_add(config, "HEDDLE_OPTIONS", text);
}

void hd_options_add(struct hd_config *config, const char *source, const char *text) {
    while (text && *text) {
        if (*text == ' ' || *text == ',') {
            text++;
            continue;
        }
        int length = 0, name = -1;
        while (text[length] && text[length] != ' ' && text[length] != ',') {
            if (text[length] == '=' && name < 0) name = length;
            length++;
        }
        if (name < 0) name = length;
        const struct option *found = NULL;
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            if ((int)strlen(table[i].name) == name && strncmp(table[i].name, text, (size_t)name) == 0) {
                found = &table[i];
            }
        }
        if (!found) refuse(source, text, length, "no such option");
        int skip = name < length ? name + 1 : length;
        set(config, found, source, text, length, text + skip, length - skip);
        text += length;
    }
}
