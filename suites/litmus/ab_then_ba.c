/* ab_then_ba.c - two orders, one after the other.
 *
 * The second thread takes b and a only after the first has posted that it is
 * done with a and b. The lock graph has the cycle; the semaphore keeps the two
 * sides apart in time.
 *
 * label: refutable
 * expect: deadlock a b refuted
 * twin: ab_while_ba.c
 * twin: deadlock_beside.c */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int moved;

static void *forward(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    sem_post(&done);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    sem_wait(&done);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    moved--;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&done, 0, 0);
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return moved;
}
