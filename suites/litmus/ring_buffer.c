/* ring_buffer.c - one producer, one consumer, two counting semaphores.
 *
 * `room` counts empty places, `items` full ones. The places themselves carry no
 * lock, and a lock-set checker flags them; each is written only after its last
 * reader has given it back, and read only after it was filled.
 *
 * label: refutable
 * expect: race place refuted
 * twin: ring_buffer_overrun.c */
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
    sem_init(&room, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
