/* golden.h - compare a text with a file under golden/; HD_GOLDEN=1 rewrites it. */
#ifndef HD_GOLDEN_H
#define HD_GOLDEN_H

#include "harness/file.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>

static void golden(const char *name, const char *text) {
    char path[128];
    size_t size;
    struct hd_error err = {.place = 0};
    snprintf(path, sizeof path, "harness/tests/golden/%s", name);
    if (getenv("HD_GOLDEN")) {
        FILE *out = fopen(path, "w");
        fputs(text, out);
        fclose(out);
    }
    char *wanted = hd_file_read(path, 1 << 20, &size, &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(wanted, err.text);
    TEST_ASSERT_EQUAL_STRING(wanted, text);
    free(wanted);
}

#endif
