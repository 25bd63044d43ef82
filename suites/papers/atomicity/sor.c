/* sor.c - successive over-relaxation on a grid, with barriers.
 *
 * After sor of Wang and Stoller (and of Artho, Havelund and Biere): the grid is
 * divided into stripes of rows; every sweep relaxes first the red points, then the
 * black ones, with a barrier after each. Threads touch the rows of their
 * neighbours, but never in the same phase: whoever knows no barriers sees races
 * and atomicity violations everywhere. There are none.
 *
 * label: clean
 * expect: clean
 * budget: 200
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"

enum { MOST = 514, MOST_STRIPES = 3 };

static double grid[MOST][MOST];
static int size, sweeps, stripes;
static pthread_barrier_t phase;

/* Points of one colour in rows [first, last). */
void relax(int first, int last, int colour) {
    const double omega = 1.25;
    for (int i = first; i < last; i++) {
        for (int j = 1 + (i + colour) % 2; j <= size; j += 2) {
            double around = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
            grid[i][j] += omega * (around / 4 - grid[i][j]);
        }
    }
}

static void *worker(void *number) {
    int self = *(int *)number;
    int first = 1 + size * self / stripes, last = 1 + size * (self + 1) / stripes;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int colour = 0; colour < 2; colour++) {
            relax(first, last, colour);
            pthread_barrier_wait(&phase);
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    size = args.bench ? 256 : 4;
    sweeps = args.bench ? 1000 : 1;
    stripes = args.sequential ? 1 : args.bench ? MOST_STRIPES : 2;
    for (int j = 0; j <= size + 1; j++) grid[0][j] = 1.0 + j % 3;
    pthread_barrier_init(&phase, NULL, (unsigned)stripes);
    run_threads(stripes, worker, false);
    pthread_barrier_destroy(&phase);

    double sum = 0;
    for (int i = 1; i <= size; i++) {
        for (int j = 1; j <= size; j++) sum += grid[i][j];
    }
    printf("sum %.12e\n", sum);
    return 0;
}
