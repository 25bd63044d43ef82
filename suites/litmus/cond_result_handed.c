/* cond_result_handed.c - a result that a condition hands over.
 *
 * The result is written before the flag is raised under the lock, and read after the
 * flag was seen under it. No lock protects the result itself, but there is only one
 * order.
 *
 * label: refutable
 * expect: race result refuted
 * twin: cond_reason_lost.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t raised = PTHREAD_COND_INITIALIZER;
static int ready;
static int result;

static void *one(void *arg) {
    (void)arg;
    result = 42;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&raised);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!ready) {
        pthread_cond_wait(&raised, &lock);
    }
    pthread_mutex_unlock(&lock);
    result++;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", result);
    return 0;
}
