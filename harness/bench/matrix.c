/* matrix.c - two square matrices multiplied by four threads, a band of rows each. */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 512, THREADS = 4 };
static double a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];
static int size = MOST;

static void *band(void *arg) {
    int from = (int)((long)arg * size / THREADS), to = (int)(((long)arg + 1) * size / THREADS);
    for (int i = from; i < to; i++) {
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < size; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1) size = atoi(argv[1]);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            a[i][j] = i == j;
            b[i][j] = i + j;
        }
    }
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, band, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    return c[size - 1][size - 2] != 2 * size - 3;
}
