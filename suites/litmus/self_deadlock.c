/* self_deadlock.c - a thread that waits for itself.
 *
 * settle holds the lock and, if an alarm came in, calls a function that takes it
 * again. A normal mutex does not know its owner: the thread waits for ever. It
 * depends on who comes first whether anybody notices.
 *
 * label: harmful
 * expect: failure deadlock
 * twin: recursive_lock.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int alarmed;
static int count;

void bump(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

static void *settle(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (alarmed) {
        bump();
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *alarm_bell(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    alarmed = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, settle, NULL);
    pthread_create(&t2, NULL, alarm_bell, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
