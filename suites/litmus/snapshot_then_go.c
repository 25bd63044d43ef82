/* snapshot_then_go.c - two looks, and the writer is let go afterwards.
 *
 * By locks alone the write fits between the two looks of snapshot, and block
 * pairs flag it. But the writer waits for a semaphore that is posted only when
 * snapshot is over.
 *
 * label: refutable
 * expect: atomicity snapshot refuted
 * twin: snapshot_once.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t go;
static int x;

void snapshot(void) {
    pthread_mutex_lock(&lock);
    int first = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(x == first);
    pthread_mutex_unlock(&lock);
}

static void *looker(void *arg) {
    (void)arg;
    snapshot();
    sem_post(&go);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    sem_wait(&go);
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&go, 0, 0);
    pthread_create(&t1, NULL, looker, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
