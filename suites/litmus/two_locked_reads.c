/* two_locked_reads.c - a counter read twice under its lock.
 *
 * The reader's two regions are meant as two looks, not as one: it is a thread
 * body, no transaction covers both. Whatever the writer does in between, the
 * second look shows no less than the first. A checker that treats every lock
 * hand-over as a conflict would call this a cycle.
 *
 * label: clean
 * expect: clean
 * twin: two_reads_one_answer.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int first = count;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int second = count;
    pthread_mutex_unlock(&lock);
    assert(second >= first);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
