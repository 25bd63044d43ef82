/* N writers, each makes its cell one more than its neighbour's; a reader looks
 * for the last zero: 704 classes for N = 8, 15,360 for N = 12. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 8
#endif
static atomic_int cell[N + 1];
static void *look(void *arg) {
    int i = N;
    while (atomic_load(&cell[i]) != 0) i--;
    return arg;
}
static void *raise_one(void *arg) {
    int j = (int)(intptr_t)arg;
    atomic_store(&cell[j], atomic_load(&cell[j - 1]) + 1);
    return arg;
}
int main(void) {
    pthread_t thread[N + 1];
    pthread_create(&thread[0], NULL, look, NULL);
    for (int j = 1; j <= N; j++) pthread_create(&thread[j], NULL, raise_one, (void *)(intptr_t)j);
    for (int j = 0; j <= N; j++) pthread_join(thread[j], NULL);
    return 0;
}
