/* debug_count.c - a volatile count for somebody with a debugger.
 *
 * An increment can be lost, as in volatile_counter. The program itself never
 * looks at the count, and what it prints is right.
 *
 * label: benign
 * expect: atomicity step confirmed benign
 * twin: volatile_counter.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int calls;
static atomic_int sum;

void step(int n) {
    calls = calls + 1;
    atomic_fetch_add(&sum, n);
}

static void *one(void *arg) {
    (void)arg;
    step(1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    step(2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", atomic_load(&sum));
    return 0;
}
