/* sor.c - successive over-relaxation, red and black, four threads and a barrier. */
#include <pthread.h>
#include <stdlib.h>

enum { SIDE = 256, THREADS = 4 };
static double grid[SIDE][SIDE];
static pthread_barrier_t barrier;
static int sweeps = 200;

static void *band(void *arg) {
    int from = 1 + (int)((long)arg * (SIDE - 2) / THREADS);
    int to = 1 + (int)(((long)arg + 1) * (SIDE - 2) / THREADS);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int colour = 0; colour < 2; colour++) {
            for (int i = from; i < to; i++) {
                for (int j = 1 + (i + colour) % 2; j < SIDE - 1; j += 2) {
                    double around = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
                    grid[i][j] += 1.25 * (around / 4 - grid[i][j]);
                }
            }
            pthread_barrier_wait(&barrier);
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1) sweeps = atoi(argv[1]);
    for (int i = 0; i < SIDE; i++) grid[0][i] = 1;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, band, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    return !(grid[1][SIDE / 2] > 0);
}
