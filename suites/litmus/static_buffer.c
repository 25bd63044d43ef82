/* static_buffer.c - a function that answers in a static buffer.
 *
 * Two callers share the one buffer without knowing: the text that the first one
 * reads may be the second one's. A race on the buffer, and a wrong name.
 *
 * label: harmful
 * expect: race buffer confirmed harmful
 * expect: failure assertion
 * twin: tls_buffer.c
 * twin: key_destructor.c */
#include <assert.h>
#include <pthread.h>

static char buffer[2];

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
