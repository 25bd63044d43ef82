/* arguments.h - the two words that every program of the papers takes.
 *
 *   NAME [test|bench] [sequential]
 *
 * `sequential` asks for the same answer with one thread at a time: what the
 * parallel program prints is compared with it. */
#ifndef PAPERS_ARGUMENTS_H
#define PAPERS_ARGUMENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    bool bench;      /* the size of the tables, not that of the tests */
    bool sequential; /* one thread at a time */
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

enum { MOST_THREADS = 16 };

/* `count` threads run `body` with their number, side by side or one after the other. */
static inline void run_threads(int count, void *(*body)(void *), bool sequential) {
    pthread_t threads[MOST_THREADS];
    static int numbers[MOST_THREADS];
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, body, &numbers[i]);
        if (sequential) pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < count && !sequential; i++) pthread_join(threads[i], NULL);
}

#endif
