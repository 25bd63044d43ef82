/* fresh_increment.c - the copy is taken again before it is used.
 *
 * The first region only decides whether there is anything to do, and the answer
 * is always yes; the second reads the counter anew. No copy outlives its lock,
 * and the sum is 2 in every interleaving.
 *
 * label: clean
 * expect: clean
 * twin: stale_increment.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int enabled = 1;

static void *counter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int wanted = enabled;
    pthread_mutex_unlock(&lock);
    if (wanted) {
        pthread_mutex_lock(&lock);
        count = count + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}
