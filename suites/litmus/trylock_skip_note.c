/* trylock_skip_note.c - everybody who passes by counts.
 *
 * Each thread tries the lock and, whether it got it or not, counts that it passed by,
 * without a lock: a race, and one can be lost. Nobody reads the count.
 *
 * label: benign
 * expect: race passed confirmed benign
 * twin: trylock_opposite.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int passed;

static void *one(void *arg) {
    (void)arg;
    if (pthread_mutex_trylock(&lock) == 0) {
        pthread_mutex_unlock(&lock);
    }
    passed++;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    if (pthread_mutex_trylock(&lock) == 0) {
        pthread_mutex_unlock(&lock);
    }
    passed++;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("done\n");
    return 0;
}
