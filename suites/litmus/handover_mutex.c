/* handover_mutex.c - ownership passes through a locked slot.
 *
 * The item itself is never locked: whoever has it owns it. The maker fills it
 * before putting it into the slot, the taker touches it only after taking it
 * out. Lock sets see an unlocked item used by two threads; the lock of the slot
 * orders them whenever the taker finds it.
 *
 * label: refutable
 * expect: clean
 * twin: handover_kept.c */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item;
static int *slot;

static void *maker(void *arg) {
    (void)arg;
    item = 5;
    pthread_mutex_lock(&lock);
    slot = &item;
    pthread_mutex_unlock(&lock);
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
