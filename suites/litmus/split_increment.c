/* split_increment.c - an increment in two lock regions.
 *
 * The example of block-local atomicity: the value read under the lock is used
 * after the lock was given back. Race free, no two fields, so neither a race
 * checker nor view consistency says anything. Both threads read 0 first and
 * both write 1; serial orders end with 2. Seen in the exit status only.
 *
 * label: harmful
 * expect: atomicity increment confirmed harmful
 * expect: failure exit
 * twin: double_check_loop.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int field;

void increment(void) {
    pthread_mutex_lock(&lock);
    int copy = field;
    pthread_mutex_unlock(&lock);
    copy++;
    pthread_mutex_lock(&lock);
    field = copy;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    (void)arg;
    increment();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return field == 2 ? 0 : 1;
}
