/* clear_before_post.c - a slot that is empty before it is offered.
 *
 * post_before_clear repaired: give() marks the slot as free, then posts.
 *
 * label: clean
 * expect: clean
 * twin: post_before_clear.c */
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
    pthread_mutex_lock(&lock);
    used[slot] = 0;
    pthread_mutex_unlock(&lock);
    sem_post(&available);
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
