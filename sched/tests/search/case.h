/* case.h - a small program a case; which one, the first argument says.
 *
 * A file of cases includes this, writes each case as a function that makes its
 * threads and joins them, and ends with the table CASES(...). What a case shows
 * at its end by heddle_observe is its outcome. */
#ifndef CASE_H
#define CASE_H

#define _GNU_SOURCE
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *work(void *);
#define WORK(name) static void *name(void *arg __attribute__((unused)))

static inline pthread_t start(work *function) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL) != 0) abort();
    return thread;
}

static inline void run2(work *a, work *b) {
    pthread_t first = start(a), second = start(b);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

/* The main thread does the last one's work itself. */
static inline void run2_here(work *a, work *b) {
    pthread_t first = start(a);
    b(NULL);
    pthread_join(first, NULL);
}

static inline void run3_here(work *a, work *b, work *c) {
    pthread_t first = start(a), second = start(b);
    c(NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

struct one_case {
    const char *name;
    void (*run)(void);
};

#define CASES(...)                                                          \
    int main(int argc, char **argv) {                                       \
        static const struct one_case cases[] = {__VA_ARGS__};               \
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {         \
            if (argc < 2) puts(cases[i].name);                              \
            else if (strcmp(cases[i].name, argv[1]) == 0) {                 \
                cases[i].run();                                             \
                return 0;                                                   \
            }                                                               \
        }                                                                   \
        return argc < 2 ? 0 : 2;                                            \
    }
#define CASE(function) {#function, function}

#endif
