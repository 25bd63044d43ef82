/* iterator_restart.c - an iteration that notices the change and starts again.
 *
 * A version number tells the second step that the list has changed; it then
 * adds up what is there now. A removal in between is a real cycle (read,
 * foreign write, read), but the sum is 3 or 2, as it is serially.
 *
 * label: benign
 * expect: atomicity sum confirmed benign
 * twin: iterator_invalid.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2] = {1, 2};
static int count = 2;
static int version;

int sum(void) {
    pthread_mutex_lock(&lock);
    int seen = version;
    int total = items[0];
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (version != seen) {
        total = items[0];
    }
    if (count > 1) {
        total += items[1];
    }
    pthread_mutex_unlock(&lock);
    return total;
}

void remove_first(void) {
    pthread_mutex_lock(&lock);
    items[0] = items[1];
    items[1] = -1;
    count = 1;
    version++;
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg) {
    (void)arg;
    int total = sum();
    assert(total == 3 || total == 2);
    return NULL;
}

static void *remover(void *arg) {
    (void)arg;
    remove_first();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, remover, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
