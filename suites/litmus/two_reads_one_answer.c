/* two_reads_one_answer.c - a counter read twice for one answer.
 *
 * parity promises an answer about one moment but looks at the counter twice.
 * An increment in between (read, foreign write, read) gives "neither even nor
 * odd", which no serial run gives.
 *
 * label: harmful
 * expect: atomicity parity confirmed harmful
 * expect: failure assertion
 * twin: two_locked_reads.c
 * twin: token_chain.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

int parity(void) {
    pthread_mutex_lock(&lock);
    int even = count % 2 == 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int odd = count % 2 == 1;
    pthread_mutex_unlock(&lock);
    return even + odd;
}

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    assert(parity() == 1);
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
