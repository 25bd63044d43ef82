/* matrix.c - two square matrices multiplied by four threads, a band of rows each. */
#include <pthread.h>

#ifndef SIZE
#define SIZE 512
#endif
enum { THREADS = 4 };
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void *band(void *arg) {
    int from = (int)((long)arg * SIZE / THREADS), to = (int)(((long)arg + 1) * SIZE / THREADS);
    for (int i = from; i < to; i++) {
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < SIZE; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i == j;
            b[i][j] = i + j;
        }
    }
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, band, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    return c[SIZE - 1][SIZE - 2] != 2 * SIZE - 3;
}
