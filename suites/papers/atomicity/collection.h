/* collection.h - the driver of Wang and Stoller, Fig. 6: all pairs of methods.
 *
 * Two objects of a class, two threads: one calls a method of the first object, the
 * other a method of the second, each with the other object as argument if it wants
 * one. Pairs in which both do are left out: each would hold its own lock and want
 * the other's.
 *
 *   NAME [test|bench] [sequential]   all pairs; under heddle, test chooses a pair
 *   NAME pair I J                    one pair
 *   NAME list                        the names of the methods, a line each
 *
 * Each pair prints what the methods returned and what the objects hold: two
 * executions with the same line are the same to a user of the class. */
#ifndef COLLECTION_H
#define COLLECTION_H

#include "../arguments.h"
#include <heddle.h>

struct method {
    const char *name;
    bool takes_other;
    long (*call)(void *self, void *other);
};

struct class {
    void *(*make)(int which); /* 0 or 1: they differ a little */
    void (*release)(void *self);
    void (*print)(void *self);
    const struct method *methods;
    int count;
};

/* A lock that its owner may take again, as every method of Java does. */
static inline void monitor_init(pthread_mutex_t *lock) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

struct call {
    const struct method *method;
    void *self, *other;
    long result;
};

static void *make_call(void *arg) {
    struct call *c = arg;
    c->result = c->method->call(c->self, c->other);
    return NULL;
}

static inline void test_two_methods(const struct class *class, int i, int j, bool sequential) {
    void *o1 = class->make(0), *o2 = class->make(1);
    struct call first = {&class->methods[i], o1, o2, 0}, second = {&class->methods[j], o2, o1, 0};
    pthread_t t1, t2;
    pthread_create(&t1, NULL, make_call, &first);
    if (sequential) pthread_join(t1, NULL);
    pthread_create(&t2, NULL, make_call, &second);
    if (!sequential) pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%s %ld, %s %ld:", first.method->name, first.result, second.method->name, second.result);
    class->print(o1);
    class->print(o2);
    printf("\n");
    class->release(o1);
    class->release(o2);
}

static inline int drive(const struct class *class, int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (int i = 0; i < class->count; i++) printf("%s %d\n", class->methods[i].name, class->methods[i].takes_other);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "pair") == 0) {
        int i = atoi(argv[2]), j = atoi(argv[3]);
        if (i < 0 || j < 0 || i >= class->count || j >= class->count) {
            fprintf(stderr, "%s: methods have the numbers 0 to %d\n", argv[0], class->count - 1);
            return 2;
        }
        test_two_methods(class, i, j, false);
        return 0;
    }
    struct arguments args = arguments_read(argc, argv);
#ifdef __HEDDLE__
    if (!args.bench) { /* the ones that matter to each other: who takes, who is taken */
        int i = heddle_choose(class->count), j = heddle_choose(class->count);
        if (class->methods[i].takes_other && !class->methods[j].takes_other) {
            test_two_methods(class, i, j, args.sequential);
        }
        return 0;
    }
#endif
    for (int i = 0; i < class->count; i++) {
        for (int j = 0; j < class->count; j++) {
            if (class->methods[i].takes_other && class->methods[j].takes_other) continue;
            test_two_methods(class, i, j, args.sequential);
        }
    }
    return 0;
}

#endif
