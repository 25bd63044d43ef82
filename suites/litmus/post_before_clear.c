/* post_before_clear.c - a slot that is offered before it is empty.
 *
 * give() posts the semaphore and only then marks the slot as free. Whoever takes
 * the post in between finds both slots in use. The program fails there, so that
 * give never comes to its end and no cycle closes in that execution.
 *
 * label: harmful
 * expect: atomicity give confirmed harmful
 * expect: failure assertion
 * twin: clear_before_post.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t available;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used[2];

int take(void) {
    sem_wait(&available);
    pthread_mutex_lock(&lock);
    int slot = used[0] ? 1 : 0;
    assert(!used[slot]);
    used[slot] = 1;
    pthread_mutex_unlock(&lock);
    return slot;
}

void give(int slot) {
    sem_post(&available);
    pthread_mutex_lock(&lock);
    used[slot] = 0;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    (void)arg;
    give(take());
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&available, 0, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    give(take());
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
