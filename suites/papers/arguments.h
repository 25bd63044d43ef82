/* arguments.h - the two words that every program of the papers takes.
 *
 *   NAME [test|bench] [sequential]
 *
 * `sequential` asks for the same answer from one thread: what the parallel
 * program prints is compared with it. */
#ifndef PAPERS_ARGUMENTS_H
#define PAPERS_ARGUMENTS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    bool bench;      /* the size of the tables, not that of the tests */
    bool sequential; /* no second thread */
};

static inline struct arguments arguments_read(int argc, char **argv) {
    struct arguments a = {false, false};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "bench") == 0) {
            a.bench = true;
        } else if (strcmp(argv[i], "sequential") == 0) {
            a.sequential = true;
        } else if (strcmp(argv[i], "test") != 0) {
            fprintf(stderr, "usage: %s [test|bench] [sequential]\n", argv[0]);
            exit(2);
        }
    }
    return a;
}

#endif
