/* message_passing_sleep.c - a sleep used as synchronisation.
 *
 * The receiver naps and trusts that the sender is done by then. It nearly
 * always is. Nothing orders the write before the read, and on a loaded machine
 * the nap ends first.
 *
 * label: harmful
 * expect: race data confirmed harmful
 * expect: failure assertion
 * twin: message_passing_sem.c
 * twin: pipeline.c */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int data;

static void *sender(void *arg) {
    (void)arg;
    data = 42;
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    usleep(20000);
    assert(data == 42);
    data = 0;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return data;
}
