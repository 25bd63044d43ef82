/* split_increment.c - an increment in two lock regions.
 *
 * After Artho, Havelund and Biere, Fig. 2: the value is read under the lock and
 * written back under it, but the lock is given back in between. There is no data
 * race and only one field, so neither a race checker nor view consistency sees
 * anything; the copy that is written back is stale. Workers count pages; the sum
 * comes out too small when two increments overlap.
 *
 * label: harmful
 * expect: atomicity increment confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean */
#include "../arguments.h"

enum { WORKERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long pages;
static long each;

void increment(void) {
    pthread_mutex_lock(&lock);
    long copy = pages;
    pthread_mutex_unlock(&lock);
    copy++;
    pthread_mutex_lock(&lock);
    pages = copy;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    (void)arg;
    for (long i = 0; i < each; i++) increment();
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    each = args.bench ? 50000 : 1;
    run_threads(WORKERS, worker, args.sequential);
    printf("%ld pages\n", pages);
    return pages == WORKERS * each ? 0 : 1;
}
