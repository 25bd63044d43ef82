/* join_after_write.c - the reader joins the writer first.
 *
 * A sibling, not the parent, joins the writing thread and reads afterwards. The
 * order by join is known to the checkers, with or without the parent.
 *
 * label: clean
 * expect: clean
 * twin: cond_after_write.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

void fill(void) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y = 1;
    pthread_mutex_unlock(&lock);
}

static void *filler(void *arg) {
    (void)arg;
    fill();
    return NULL;
}

static void *reader(void *writer) {
    pthread_join(*(pthread_t *)writer, NULL);
    assert(x == 1 && y == 1);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, filler, NULL);
    pthread_create(&t2, NULL, reader, &t1);
    pthread_join(t2, NULL);
    return 0;
}
