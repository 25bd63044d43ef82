/* last_writer_wins.c - two threads write different things without a lock.
 *
 * The two orders of the two writes print different names: the race decides
 * the output. Nothing fails, nothing is torn; only the outcome tells.
 *
 * label: harmful
 * expect: race winner confirmed harmful
 * twin: same_value.c */
#include <pthread.h>
#include <stdio.h>

static int winner;

static void *red(void *arg) {
    (void)arg;
    winner = 1;
    return NULL;
}

static void *blue(void *arg) {
    (void)arg;
    winner = 2;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, red, NULL);
    pthread_create(&t2, NULL, blue, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("winner: %d\n", winner);
    return 0;
}
