/* threads.c - N threads made and joined, at most LIVE of them at once. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long count;

static void *one(void *arg) {
    pthread_mutex_lock(&guard);
    count++;
    pthread_mutex_unlock(&guard);
    return arg;
}

int main(int argc, char **argv) {
    long all = argc > 1 ? atol(argv[1]) : 1000, live = argc > 2 ? atol(argv[2]) : 1;
    pthread_t *thread = calloc((size_t)live, sizeof *thread);
    for (long done = 0; done < all; done += live) {
        for (long i = 0; i < live; i++) {
            if (pthread_create(&thread[i], NULL, one, NULL) != 0) return 2;
        }
        for (long i = 0; i < live; i++) pthread_join(thread[i], NULL);
    }
    free(thread);
    return count != all;
}
