/* philosophers_room.c - two philosophers and a room for one.
 *
 * The forks are taken in opposite orders, but a semaphore lets only one
 * philosopher sit down at a time. The lock graph does not know the room.
 *
 * label: refutable
 * expect: deadlock left right refuted
 * twin: philosophers_two.c */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int meals;

static void *plato(void *arg) {
    (void)arg;
    sem_wait(&room);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    meals++;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    sem_post(&room);
    return NULL;
}

static void *kant(void *arg) {
    (void)arg;
    sem_wait(&room);
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    meals++;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    sem_post(&room);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&room, 0, 1);
    pthread_create(&t1, NULL, plato, NULL);
    pthread_create(&t2, NULL, kant, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return meals == 2 ? 0 : 1;
}
