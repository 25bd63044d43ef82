/* value_decides.c - a half-way state that others leave alone.
 *
 * advance goes from 0 over 1 to 2 in two regions. The other thread can look in
 * the middle (write, foreign read, write: a cycle), but it acts on 2 only; what
 * it does at 1 is what it does at 0: nothing. So it ends at 2 or 3, as serially.
 *
 * label: benign
 * expect: atomicity advance confirmed benign
 * twin: value_half_way.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage;

void advance(void) {
    pthread_mutex_lock(&lock);
    stage = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    stage = 2;
    pthread_mutex_unlock(&lock);
}

static void *finisher(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (stage == 2) {
        stage = 3;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *worker(void *arg) {
    (void)arg;
    advance();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, finisher, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(stage >= 2);
    return 0;
}
