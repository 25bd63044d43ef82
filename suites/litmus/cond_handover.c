/* cond_handover.c - data handed over by a condition variable.
 *
 * `data` is filled before the lock is taken and used after it is given back;
 * only the flag is locked. Lock sets flag the data. The waiter goes on only
 * when it has seen the flag under the lock: always after the maker.
 *
 * label: refutable
 * expect: race data refuted
 * twin: cond_handover_early.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static int data;

static void *maker(void *arg) {
    (void)arg;
    data = 42;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *waiter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!ready) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    assert(data == 42);
    data = 0;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, maker, NULL);
    pthread_create(&t2, NULL, waiter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return data;
}
