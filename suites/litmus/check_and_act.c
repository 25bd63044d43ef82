/* check_and_act.c - the last seat sold once.
 *
 * Checking and taking are one region: the second buyer finds no seat.
 *
 * label: clean
 * expect: clean
 * twin: check_then_act.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

void reserve(void) {
    pthread_mutex_lock(&desk);
    if (seats > 0) {
        seats--;
    }
    pthread_mutex_unlock(&desk);
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
    assert(seats == 0);
    return 0;
}
