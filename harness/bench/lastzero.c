/* lastzero.c - who is the last zero? N writers raise their cell above its left
 * neighbour while one reader looks for the last zero from the right.
 * After "Optimal dynamic partial order reduction", section 8. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 12
#endif
static atomic_int cell[N + 1];

static void *reader(void *arg) {
    int i = N;
    while (atomic_load(&cell[i]) != 0) i--;
    return arg;
}

static void *writer(void *arg) {
    long j = (long)arg;
    int left = atomic_load(&cell[j - 1]);
    atomic_store(&cell[j], left + 1);
    return NULL;
}

int main(void) {
    pthread_t thread[N + 1];
    pthread_create(&thread[0], NULL, reader, NULL);
    for (long j = 1; j <= N; j++) pthread_create(&thread[j], NULL, writer, (void *)j);
    for (int j = 0; j <= N; j++) pthread_join(thread[j], NULL);
    return 0;
}
