/* stress_table.c - the usual stress test: threads acquire and release a set of objects.
 *
 * Passes with the defect, too: as in most programs somebody holds the objects
 * while the threads use them, so no release among the threads is the last. */
#include "table.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 2000, OBJECTS = 6 };

static struct table *table;

static void *user(void *failures) {
    for (int i = 0; i < ROUNDS; i++) {
        struct object *o = table_acquire(table, i % OBJECTS);
        if (!o || o->stamp != OBJECT_LIVE || o->value != o->key * 10) {
            ++*(int *)failures;
            continue;
        }
        object_release(o);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    struct object *held[OBJECTS];
    int failures[THREADS] = {0}, total = 0;
    table = table_make();
    if (!table) {
        return 1;
    }
    for (int i = 0; i < OBJECTS; i++) {
        held[i] = table_create(table, i, i * 10, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, user, &failures[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        total += failures[i];
    }
    for (int i = 0; i < OBJECTS; i++) {
        object_release(held[i]);
    }
    if (total != 0 || !table_free(table)) {
        printf("%d bad objects\n", total);
        return 1;
    }
    return 0;
}
