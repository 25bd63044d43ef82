/* unit.h - the unit tests inside a program.
 *
 * A program whose tests include heddle_unity.h says so by a section, and tells
 * their names when it is asked. Each of them can then be run as if it were a
 * program of its own: HEDDLE_TEST=NAME in its environment (sched/library.c). */
#ifndef HD_UNIT_H
#define HD_UNIT_H

#include "child.h"

struct hd_unit_tests {
    char **names;
    size_t count;
};

/* Its tests, those whose name holds `filter` (NULL: all); the one of HEDDLE_TEST, if
 * that is in our own environment. None: it has none. -1 with err; -2 if none is left
 * by the filter. */
int hd_unit_list(const struct hd_program *program, const char *filter,
                 struct hd_unit_tests *tests, struct hd_error *err);
void hd_unit_free(struct hd_unit_tests *tests);

/* From now on the program is this test; NULL: the whole program. */
void hd_unit_choose(const char *name);

#endif
