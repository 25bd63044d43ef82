/* join_after_unlock.c - main gives its lock back before it joins.
 *
 * The worker gets the lock sooner or later, so the join returns.
 *
 * label: clean
 * expect: clean
 * twin: join_under_lock.c
 * twin: join_in_child.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return count == 2 ? 0 : 1;
}
