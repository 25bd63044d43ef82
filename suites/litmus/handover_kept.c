/* handover_kept.c - ownership passes, and the giver keeps writing.
 *
 * The maker corrects the item after it has put it into the slot. If the taker
 * has it by then, both write it: the taker finds 4 or loses its own value.
 *
 * label: harmful
 * expect: race item confirmed harmful
 * expect: failure assertion
 * twin: handover_mutex.c */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item;
static int *slot;

static void *maker(void *arg) {
    (void)arg;
    item = 4;
    pthread_mutex_lock(&lock);
    slot = &item;
    pthread_mutex_unlock(&lock);
    item = 5;
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int *mine = slot;
    slot = NULL;
    pthread_mutex_unlock(&lock);
    if (mine) {
        assert(*mine == 5);
        *mine = 6;
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, maker, NULL);
    pthread_create(&t2, NULL, taker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
