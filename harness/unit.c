/* unit.c - see unit.h. */
#define _GNU_SOURCE
#include "unit.h"

#include "sections.h"

#include <stdlib.h>
#include <string.h>

#define SECTION "heddle_tests"

struct listing {
    struct hd_unit_tests *tests;
    const char *filter;
};

static bool take_test(void *argument, const char *name) {
    const struct listing *self = argument;
    struct hd_unit_tests *tests = self->tests;
    if (self->filter && !strstr(name, self->filter)) return true;
    for (size_t i = 0; i < tests->count; i++) {
        if (strcmp(tests->names[i], name) == 0) return true; /* run twice: one test */
    }
    char **more = realloc(tests->names, (tests->count + 1) * sizeof *more);
    if (!more) abort();
    tests->names = more;
    tests->names[tests->count] = strdup(name);
    if (!tests->names[tests->count]) abort();
    tests->count++;
    return true;
}

int hd_unit_list(const struct hd_program *program, const char *filter,
                 struct hd_unit_tests *tests, struct hd_error *err) {
    const char *chosen = getenv("HEDDLE_TEST");
    *tests = (struct hd_unit_tests){0};
    struct listing listing = {tests, filter};
    if (chosen && *chosen) { /* that one, as if there were no other */
        listing.filter = NULL;
        take_test(&listing, chosen);
        return 0;
    }
    if (hd_sections_find(program->path, SECTION) != 1) {
        if (!filter) return 0;
        hd_fail(err, 0, "--filter %s: %s has no unit tests (heddle_unity.h)", filter, program->path);
        return -2;
    }
    struct hd_child child = {.seed = 1, .silent = true, .test = take_test, .argument = &listing};
    hd_unit_choose("?");
    int rc = hd_child_run(program, &child, err);
    hd_unit_choose(NULL);
    hd_child_free(&child);
    if (rc == 0 && filter && tests->count == 0) {
        hd_fail(err, 0, "--filter %s: no test of %s has that in its name", filter, program->path);
        rc = -2;
    }
    if (rc < 0) hd_unit_free(tests);
    return rc;
}

void hd_unit_free(struct hd_unit_tests *tests) {
    for (size_t i = 0; i < tests->count; i++) free(tests->names[i]);
    free(tests->names);
    *tests = (struct hd_unit_tests){0};
}

void hd_unit_choose(const char *name) {
    if (name) {
        setenv("HEDDLE_TEST", name, 1);
    } else {
        unsetenv("HEDDLE_TEST");
    }
}
