/* once_peek.c - a look that may save a call of once.
 *
 * The second thread looks whether the table was made before it calls pthread_once. The
 * look is a race. Seen too early it costs a call that does nothing; after the call it
 * sees what was made.
 *
 * label: benign
 * expect: race made confirmed benign
 * twin: once_always.c */
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
    if (!made) {
        pthread_once(&control, make);
    }
    got[1] = made ? 7 : 0;
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
