/* transaction.c - reading the argument of --transactions. */
#include "checkers/transaction.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    struct hd_policy policy;
} policies[] = {
    {"default",
     {.annotated = true, .functions = true, .regions = true, .small_functions = true}},
    {"annotated", {.annotated = true}},
    {"functions", {.annotated = true, .functions = true, .regions = true}},
    {"regions", {.annotated = true, .regions = true}},
    {"none", {.annotated = false}},
};

static void add(struct hd_arena *arena, const char ***list, uint32_t *count,
                const char *name) {
    *list = hd_arena_grow(arena, *list, *count, (size_t)*count + 1, sizeof **list);
    (*list)[(*count)++] = hd_arena_string(arena, name);
}

#define FILE_MOST 65536

/* The file is read whole and closed before the arena is asked for anything: the
 * arena's way out when memory is short would leave it open. */
static int slurp(const char *path, char *text, size_t room, struct hd_error *err) {
    FILE *file = fopen(path, "r");
    if (!file) {
        hd_fail(err, 0, "cannot open %s: %s", path, strerror(errno));
        return -1;
    }
    size_t length = fread(text, 1, room, file);
    bool failed = ferror(file);
    fclose(file);
    if (failed || length == room) {
        hd_fail(err, 0, "cannot read %s: %s", path,
                failed ? "reading failed" : "more than 64 kB of names");
        return -1;
    }
    text[length] = '\0';
    return 0;
}

static int read_file(struct hd_arena *arena, const char *path, struct hd_policy *policy,
                     struct hd_error *err) {
    char text[FILE_MOST];
    if (slurp(path, text, sizeof text, err) < 0) {
        return -1;
    }
    char *line = text;
    for (uint64_t number = 1; line; number++) {
        char *end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        line[strcspn(line, "#")] = '\0';
        char verb[16], name[1001], rest[2];
        int words = sscanf(line, "%15s %1000s %1s", verb, name, rest);
        bool is = words == 2 && !strcmp(verb, "function");
        bool is_not = words == 2 && !strcmp(verb, "not");
        if (words > 0 && !is && !is_not) {
            hd_fail(err, number, "%s:%llu: expected `function NAME` or `not NAME`", path,
                    (unsigned long long)number);
            return -1;
        }
        if (is) {
            add(arena, &policy->named, &policy->named_count, name);
        } else if (is_not) {
            add(arena, &policy->barred, &policy->barred_count, name);
        }
        line = end ? end + 1 : NULL;
    }
    return 0;
}

static int parse(struct hd_arena *arena, const char *text, struct hd_policy *policy,
                 struct hd_error *err) {
    if (!text || *text == '@') {
        *policy = policies[0].policy;
        return text ? read_file(arena, text + 1, policy, err) : 0;
    }
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        if (!strcmp(text, policies[i].name)) {
            *policy = policies[i].policy;
            return 0;
        }
    }
    hd_fail(err, 0,
            "--transactions %s: no such policy; there are default, annotated, functions, "
            "regions, none and @FILE",
            text);
    return -1;
}

int hd_policy_parse(struct hd_arena *arena, const char *text, struct hd_policy *policy,
                    struct hd_error *err) {
    const char *line = text ? strchr(text, '\n') : NULL;
    if (!line) return parse(arena, text, policy, err);
    char *first = hd_arena_string(arena, text);
    first[line - text] = '\0';
    if (parse(arena, first, policy, err) < 0) return -1;
    for (; line; line = strchr(line + 1, '\n')) {
        policy->labels = hd_arena_grow(arena, policy->labels, policy->label_count,
                                       policy->label_count + 1UL, sizeof *policy->labels);
        policy->labels[policy->label_count++] = (uint32_t)strtoul(line + 1, NULL, 10);
    }
    return 0;
}
