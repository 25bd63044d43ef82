/* idempotent_insert.c - check, then act, where acting twice does no harm.
 *
 * As in check_then_act both threads may find the bit missing and both set it: a
 * cycle (read, foreign write, write). Setting a bit that is set changes nothing.
 *
 * label: benign
 * expect: atomicity insert confirmed benign
 * twin: check_then_act.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned set;

void insert(unsigned bit) {
    pthread_mutex_lock(&lock);
    int missing = (set & bit) == 0;
    pthread_mutex_unlock(&lock);
    if (missing) {
        pthread_mutex_lock(&lock);
        set |= bit;
        pthread_mutex_unlock(&lock);
    }
}

static void *worker(void *arg) {
    (void)arg;
    insert(4);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%u\n", set);
    return 0;
}
