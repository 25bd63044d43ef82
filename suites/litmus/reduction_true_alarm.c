/* reduction_true_alarm.c - the same transaction, now with a second writer.
 *
 * Two threads run t4: read x bare, write it under both locks. Now the bare read
 * races with the other's write, and both may read 0 before either writes: one
 * increment is lost. Serially x ends at 2.
 *
 * label: harmful
 * expect: atomicity t4 confirmed harmful
 * expect: race x confirmed harmful
 * expect: failure exit
 * twin: reduction_false_alarm.c */
#include <pthread.h>

static pthread_mutex_t o1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t o2 = PTHREAD_MUTEX_INITIALIZER;
static int x;

void t4(void) {
    int old = x;
    pthread_mutex_lock(&o1);
    pthread_mutex_lock(&o2);
    x = old + 1;
    pthread_mutex_unlock(&o2);
    pthread_mutex_unlock(&o1);
}

static void *run4(void *arg) {
    (void)arg;
    t4();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, run4, NULL);
    pthread_create(&t2, NULL, run4, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return x == 2 ? 0 : 1;
}
