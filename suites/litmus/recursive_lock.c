/* recursive_lock.c - a thread that may take its own lock again.
 *
 * The same calls with a recursive mutex: the inner acquisition only counts, the
 * inner release gives nothing away.
 *
 * label: clean
 * expect: clean
 * twin: self_deadlock.c */
#include <pthread.h>

static pthread_mutex_t lock;
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
    pthread_mutexattr_t recursive;
    pthread_t t1, t2;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_create(&t1, NULL, settle, NULL);
    pthread_create(&t2, NULL, alarm_bell, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return count <= 1 ? 0 : 1;
}
