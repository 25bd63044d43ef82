/* cond_reason_lost.c - why it was woken, which nobody asks.
 *
 * Beside the result, each thread notes what it did last, without a lock: a race, and
 * which note stays depends on the schedule. The note is for a debugger and not a part
 * of what the program says.
 *
 * label: benign
 * expect: race note confirmed benign
 * twin: cond_result_handed.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t raised = PTHREAD_COND_INITIALIZER;
static int ready;
static int note;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    ready = 42;
    pthread_cond_signal(&raised);
    pthread_mutex_unlock(&lock);
    note = 1;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!ready) {
        pthread_cond_wait(&raised, &lock);
    }
    pthread_mutex_unlock(&lock);
    note = 2;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", ready);
    return 0;
}
