/* tls_buffer.c - a function that answers in a buffer of the calling thread.
 *
 * The buffer is thread-local: the same name in the source, another variable in
 * each thread. Nothing is shared.
 *
 * label: clean
 * expect: clean
 * twin: static_buffer.c */
#include <assert.h>
#include <pthread.h>

static _Thread_local char buffer[2];

static char *name_of(int n) {
    buffer[0] = (char)('0' + n);
    return buffer;
}

static void *caller(void *n) {
    const char *name = name_of(*(int *)n);
    assert(name[0] == '0' + *(int *)n);
    return NULL;
}

int main(void) {
    static int numbers[2] = {1, 2};
    pthread_t t1, t2;
    pthread_create(&t1, NULL, caller, &numbers[0]);
    pthread_create(&t2, NULL, caller, &numbers[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
