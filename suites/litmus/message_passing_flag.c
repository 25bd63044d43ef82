/* message_passing_flag.c - data handed over by a release and an acquire.
 *
 * The sender writes plain data and then sets an atomic flag with release; the
 * receiver touches the data only after it has seen the flag with acquire. No
 * lock is involved, so lock sets flag `data`; but a receiver that saw the flag
 * is ordered after the sender.
 *
 * label: refutable
 * expect: race data refuted
 * twin: plain_flag.c */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *sender(void *arg) {
    (void)arg;
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    while (!atomic_load_explicit(&ready, memory_order_acquire)) {
        sched_yield();
    }
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
