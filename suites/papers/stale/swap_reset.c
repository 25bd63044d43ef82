/* swap_reset.c - a pair of coordinates, reset one at a time.
 *
 * After Artho, Havelund and Biere, Fig. 1: swap exchanges x and y in one lock
 * region, reset sets each to zero in a region of its own. Between the two a swap
 * sees (0, y) and leaves (y, 0), which no serial order does. The two fields are
 * used together in one place and apart in another: view consistency says so. No
 * value outlives its lock region, so block-local atomicity says nothing.
 *
 * label: harmful
 * expect: atomicity reset confirmed harmful
 * expect: high-level-race coord confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean */
#include "../arguments.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int x, y; } coord;
static long rounds, torn;

void swap(void) {
    pthread_mutex_lock(&lock);
    int old = coord.x;
    coord.x = coord.y;
    coord.y = old;
    pthread_mutex_unlock(&lock);
}

void reset(void) {
    pthread_mutex_lock(&lock);
    coord.x = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    coord.y = 0;
    pthread_mutex_unlock(&lock);
}

static void *mover(void *number) {
    if (*(int *)number == 0) swap();
    else reset();
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    rounds = args.bench ? 2000 : 1;
    for (long i = 0; i < rounds; i++) {
        coord.x = 3;
        coord.y = 4;
        run_threads(2, mover, args.sequential);
        if (coord.x != 0 || coord.y != 0) torn++;
    }
    printf("%ld of %ld resets left something\n", torn, rounds);
    return torn ? 1 : 0;
}
