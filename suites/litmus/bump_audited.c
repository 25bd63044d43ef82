/* bump_audited.c - two counters bumped one after the other, and compared.
 *
 * An audit that takes the lock between the two regions sees one counter ahead
 * of the other. Serially they are equal whenever nobody is inside bump.
 *
 * label: harmful
 * expect: atomicity bump confirmed harmful
 * expect: failure exit
 * twin: bump_both.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;
static int calls;
static int differ;

void bump(void) {
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
}

static void *auditor(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    differ = hits != calls;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *worker(void *arg) {
    (void)arg;
    bump();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, auditor, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return differ;
}
