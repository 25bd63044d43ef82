/* atomic_counter_three.c - three threads count, atomically.
 *
 * One atomic operation each: no race, and the counter ends at 3 in every order.
 *
 * label: clean
 * expect: clean
 * twin: racy_counter_three.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter;

static void *worker(void *arg) {
    (void)arg;
    atomic_fetch_add(&counter, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, worker, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d\n", atomic_load(&counter));
    return 0;
}
