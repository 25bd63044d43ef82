/* counter.c - four threads add to one counter under a lock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long counter;

static void *adder(void *arg) {
    for (long i = (long)arg; i > 0; i--) {
        pthread_mutex_lock(&guard);
        counter++;
        pthread_mutex_unlock(&guard);
    }
    return NULL;
}

int main(int argc, char **argv) {
    long each = argc > 1 ? atol(argv[1]) : 500000;
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, adder, (void *)each);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    return counter != 4 * each;
}
