/* Two threads of N locked increments: C(2N, N) classes. */
#include <pthread.h>
#ifndef N
#define N 4
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *arg) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return n != 2 * N;
}
