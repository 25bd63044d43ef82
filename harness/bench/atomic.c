/* atomic.c - two threads, N increments each, made of a load and a store. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
static atomic_int counter;

static void *adder(void *arg) {
    for (int i = 0; i < N; i++) {
        int seen = atomic_load(&counter);
        atomic_store(&counter, seen + 1);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
