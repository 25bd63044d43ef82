/* cond_after_write.c - the reader waits until both halves are written.
 *
 * fill writes x and y in two regions and announces them in the second. The
 * reader looks at x only after the announcement. It may come between the
 * regions, but then it finds nothing announced and goes to sleep: it has read
 * only what fill has not written yet.
 *
 * label: refutable
 * expect: atomicity fill refuted
 * twin: join_after_write.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int x, y, announced;

void fill(void) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y = 1;
    announced = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!announced) {
        pthread_cond_wait(&changed, &lock);
    }
    assert(x == 1 && y == 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *filler(void *arg) {
    (void)arg;
    fill();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, filler, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
