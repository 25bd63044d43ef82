/* chaos.c - the n-th allocation fails, for every n.
 *
 * Linked by test_memory.sh with malloc, calloc, realloc and strdup wrapped.
 * Every form is read and written; each time the answer is a trace or a message,
 * and the sanitizer finds nothing leaked. */
#include "support.h"

static long until_failure = -1; /* allocations that still succeed */
static bool failed;

static bool refuse(void) {
    if (until_failure < 0) return false;
    if (until_failure-- > 0) return false;
    failed = true;
    return true;
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
char *__real_strdup(const char *);
void *__wrap_malloc(size_t n) { return refuse() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return refuse() ? NULL : __real_calloc(n, m); }
void *__wrap_realloc(void *p, size_t n) { return refuse() ? NULL : __real_realloc(p, n); }
char *__wrap_strdup(const char *s) { return refuse() ? NULL : __real_strdup(s); }

static FILE *nowhere;

/* 0: all went well; -1: it failed and said so. */
static int use(const char *path, const char *copy, struct hd_error *err) {
    struct hd_trace *trace = hd_trace_open(path, err);
    if (!trace) return -1;
    int rc = hd_trace_write_text(trace, nowhere, err);
    rc |= hd_trace_write_std(trace, nowhere, err);
    rc |= hd_trace_write_json(trace, nowhere, err);
    rc |= hd_trace_write_binary(trace, copy, err);
    hd_trace_free(trace);
    return rc;
}

int main(void) {
    const char *path = temporary("chaos"), *copy = temporary("copy");
    long points = 0;
    nowhere = fopen("/dev/null", "w");
    for (int form = 0; form < 3; form++) {
        struct hd_error err = {0};
        write_random(path, 8, 40);
        if (form > 0) {
            struct hd_trace *trace = hd_trace_open(path, &err);
            FILE *out = fopen(copy, "w");
            (form == 1 ? hd_trace_write_text : hd_trace_write_std)(trace, out, &err);
            fclose(out);
            hd_trace_free(trace);
            rename(copy, path);
        }
        for (long n = 0;; n++) {
            struct hd_error told = {0};
            failed = false;
            until_failure = n;
            int rc = use(path, copy, &told);
            until_failure = -1;
            if (rc < 0 && !told.text[0]) {
                printf("allocation %ld of form %d failed without a message\n", n, form);
                return 1;
            }
            if (failed && rc == 0) {
                printf("allocation %ld of form %d failed unseen\n", n, form);
                return 1;
            }
            if (!failed && rc < 0) {
                printf("form %d: %s\n", form, told.text);
                return 1;
            }
            if (!failed) break;
            points++;
        }
    }
    remove(path);
    remove(copy);
    fclose(nowhere);
    printf("%ld allocations failed, each was told\n", points);
    return points > 50 ? 0 : 1;
}
