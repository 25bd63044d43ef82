/* rewrite_same.c - a name written twice, the same both times.
 *
 * The reader can come between the two writes (write, foreign read, write), and
 * sees the name that it would see after both.
 *
 * label: benign
 * expect: atomicity visit confirmed benign
 * twin: stamp_cleared.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last_visitor = 9;

void visit(int who) {
    pthread_mutex_lock(&lock);
    last_visitor = who;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    last_visitor = who;
    pthread_mutex_unlock(&lock);
}

static void *guide(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(last_visitor == 9 || last_visitor == 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *visitor(void *arg) {
    (void)arg;
    visit(1);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, visitor, NULL);
    pthread_create(&t2, NULL, guide, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
