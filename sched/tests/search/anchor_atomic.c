/* Two threads of N increments, each a load and then a store: 3,334 classes for
 * N = 4, 34,904 for N = 5. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int n;
static void *work(void *arg) {
    for (int i = 0; i < N; i++) {
        int seen = atomic_load(&n);
        atomic_store(&n, seen + 1);
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
