/* value_half_way.c - a half-way state that others act on.
 *
 * The same two steps, but the other thread counts any stage that is not 0 as
 * finished and sets 3, which the second step then overwrites: the finisher has
 * worked and the stage says that it has not.
 *
 * label: harmful
 * expect: atomicity advance confirmed harmful
 * expect: failure assertion
 * twin: value_decides.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage;
static int finished;

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
    if (stage != 0) {
        stage = 3;
        finished = 1;
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
    assert(stage == (finished ? 3 : 2));
    return 0;
}
