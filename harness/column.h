/* column.h - an interleaving that can be read: a column a thread, time downwards.
 *
 *     step  0                    0.1                  0.2
 *        3                       acquire guard
 *                                | bank.c:20  pthread_mutex_lock(&guard);
 *        4                       read balance = 10  [guard]
 *                                | bank.c:21  int seen = balance;
 *
 * With more threads than fit beside each other, or on request, a list with the
 * thread's name in front. */
#ifndef HD_COLUMN_H
#define HD_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hd_row {
    uint32_t thread;  /* index into the names */
    uint64_t step;    /* number to show */
    const char *text; /* "read balance = 10" */
    const char *held; /* "guard, other"; NULL: nothing */
    const char *file; /* NULL: not known */
    uint32_t line;
    uint64_t skipped; /* rows left out just before this one */
    bool marked;      /* one of those that the verdict is about */
    uint32_t size;    /* bytes that an access touched; 0: none */
};

struct hd_columns {
    const char *const *threads;
    size_t thread_count;
    const struct hd_row *rows;
    size_t row_count;
    int width; /* of the page; 0: 100 */
    bool list; /* no columns */
    bool color;
};

struct hd_sources;

/* `sources` may be NULL: then places without their text. */
void hd_columns_print(const struct hd_columns *page, struct hd_sources *sources,
                      FILE *out);

/* Lines of source files, looked for where the program was built and from here;
 * each file is read once. NULL: not to be had. */
struct hd_sources *hd_sources_new(void);
void hd_sources_free(struct hd_sources *sources);
/* Where else to look: a folder before a relative name. */
void hd_sources_folder(struct hd_sources *sources, const char *folder);
const char *hd_source_line(struct hd_sources *sources, const char *file, uint32_t line);

#endif
