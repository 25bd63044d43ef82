/* check_then_act.c - the last seat sold twice.
 *
 * Both regions are locked, but what the first one found out need not be true
 * any more in the second. Two buyers see the one seat, both take it: -1 seats.
 * Serially the second buyer sees none.
 *
 * label: harmful
 * expect: atomicity reserve confirmed harmful
 * expect: failure assertion
 * twin: check_and_act.c
 * twin: idempotent_insert.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

void reserve(void) {
    pthread_mutex_lock(&desk);
    int free_seat = seats > 0;
    pthread_mutex_unlock(&desk);
    if (free_seat) {
        pthread_mutex_lock(&desk);
        seats--;
        pthread_mutex_unlock(&desk);
    }
}

static void *buyer(void *arg) {
    (void)arg;
    reserve();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, buyer, NULL);
    pthread_create(&t2, NULL, buyer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(seats >= 0);
    return 0;
}
