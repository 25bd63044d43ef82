/* stamp_cleared.c - a name cleared and written, read in between.
 *
 * visit clears the name before it writes its own. The reader between the two
 * (write, foreign read, write) finds nobody, which no serial run shows: there
 * has always been a last visitor.
 *
 * label: harmful
 * expect: atomicity visit confirmed harmful
 * expect: failure assertion
 * twin: two_stamps.c
 * twin: rewrite_same.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last_visitor = 9;

void visit(int who) {
    pthread_mutex_lock(&lock);
    last_visitor = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    last_visitor = who;
    pthread_mutex_unlock(&lock);
}

static void *guide(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(last_visitor != 0);
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
