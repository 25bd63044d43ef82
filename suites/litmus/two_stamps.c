/* two_stamps.c - a name written twice, read by nobody in between.
 *
 * visit leaves its name on entry and on leaving. Another visit between the two
 * is a conflict cycle (write, foreign write, write) made of blind writes only:
 * the last write counts, and that is what the serial order "other, this" gives.
 *
 * label: benign
 * expect: atomicity visit confirmed benign
 * twin: stamp_cleared.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last_visitor;

void visit(int who) {
    pthread_mutex_lock(&lock);
    last_visitor = who;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    last_visitor = who;
    pthread_mutex_unlock(&lock);
}

static void *first(void *arg) {
    (void)arg;
    visit(1);
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    visit(2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return last_visitor == 0;
}
