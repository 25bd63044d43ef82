/* struct_copied.c - a struct is copied whole while its fields are written one by one.
 *
 * The copy is one assignment in C and a few accesses at once to the checkers; between
 * the two writes it gets half of the change.
 *
 * label: harmful
 * expect: race extent confirmed harmful
 * expect: failure assertion
 * twin: struct_copied_locked.c */
#include <assert.h>
#include <pthread.h>

static struct extent {
    long from, to, step;
} extent = {0, 0, 1};

static void *move(void *arg) {
    extent.from = 7;
    extent.to = 7;
    return arg;
}

static void *look(void *arg) {
    struct extent copy = extent;
    assert(copy.from <= copy.to);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, move, NULL);
    pthread_create(&t2, NULL, look, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
