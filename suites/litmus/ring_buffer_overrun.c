/* ring_buffer_overrun.c - one place, and two permits to fill it.
 *
 * The semaphore was initialised with more room than there is, so the producer
 * may write its second item over the first before that was read, or while it is.
 *
 * label: harmful
 * expect: race place confirmed harmful
 * expect: failure assertion
 * twin: ring_buffer.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room, items;
static int place;

static void *producer(void *arg) {
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        sem_wait(&room);
        place = i;
        sem_post(&items);
    }
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        sem_wait(&items);
        assert(place == i);
        place = 0;
        sem_post(&room);
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&room, 0, 2);
    sem_init(&items, 0, 0);
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
