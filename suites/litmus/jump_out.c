/* jump_out.c - a function is left by longjmp, and what comes after it is not part of it.
 *
 * `parse` looks at the limit in one critical section and jumps out of its middle; the
 * caller then looks at it in another. The writer comes in between, but between two calls
 * that have nothing to do with each other.
 *
 * label: clean
 * expect: clean
 * twin: jump_inside.c */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 3;

static int get(void) {
    pthread_mutex_lock(&lock);
    int value = limit;
    pthread_mutex_unlock(&lock);
    return value;
}

void parse(jmp_buf *back) {
    if (get() < 10) longjmp(*back, 1);
}

void report(void) { get(); }

static void *reader(void *arg) {
    jmp_buf back;
    if (setjmp(back) == 0) parse(&back);
    else report();
    return arg;
}

static void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    limit = 4;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
