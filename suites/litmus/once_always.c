/* once_always.c - everybody calls once.
 *
 * The table is written in the initialiser and read without a lock. What pthread_once
 * ran is seen by all who return from it: no race, whoever was first.
 *
 * label: refutable
 * expect: race table refuted
 * twin: once_peek.c */
#include <pthread.h>
#include <stdio.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int made;
static int table;
static int got[2];

static void make(void) {
    table = 7;
    made = 1;
}

static void *one(void *arg) {
    (void)arg;
    pthread_once(&control, make);
    got[0] = table;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_once(&control, make);
    got[1] = table;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", got[0], got[1]);
    return 0;
}
