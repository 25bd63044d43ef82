/* philosophers_two.c - two philosophers and a room for two.
 *
 * The room has as many seats as there are philosophers, so the semaphore keeps
 * nobody out: each can hold the fork that the other one wants.
 *
 * label: harmful
 * expect: deadlock left right confirmed harmful
 * expect: failure deadlock
 * twin: philosophers_room.c */
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
    sem_init(&room, 0, 2);
    pthread_create(&t1, NULL, plato, NULL);
    pthread_create(&t2, NULL, kant, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return meals == 2 ? 0 : 1;
}
