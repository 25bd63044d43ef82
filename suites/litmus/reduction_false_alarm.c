/* reduction_false_alarm.c - three transactions that only look non-atomic.
 *
 * t4 reads x without a lock and writes it under both; t2 and t3 read it under
 * one lock each. Lock sets call x racy (one read holds nothing) and reduction
 * therefore flags t4. But only t4 writes: its bare read meets no foreign write,
 * and a foreign read between its read and its write is no violation. So there
 * is neither a race nor a cycle in any interleaving.
 *
 * label: refutable
 * expect: atomicity t4 refuted
 * twin: reduction_true_alarm.c */
#include <pthread.h>

static pthread_mutex_t o1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t o2 = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int seen2, seen3;

void t2(void) {
    pthread_mutex_lock(&o2);
    seen2 = x;
    pthread_mutex_unlock(&o2);
}

void t3(void) {
    pthread_mutex_lock(&o1);
    seen3 = x;
    pthread_mutex_unlock(&o1);
}

void t4(void) {
    int old = x;
    pthread_mutex_lock(&o1);
    pthread_mutex_lock(&o2);
    x = old + 1;
    pthread_mutex_unlock(&o2);
    pthread_mutex_unlock(&o1);
}

static void *run2(void *arg) {
    (void)arg;
    t2();
    return NULL;
}

static void *run3(void *arg) {
    (void)arg;
    t3();
    return NULL;
}

static void *run4(void *arg) {
    (void)arg;
    t4();
    return NULL;
}

int main(void) {
    pthread_t p2, p3, p4;
    pthread_create(&p3, NULL, run3, NULL);
    pthread_create(&p2, NULL, run2, NULL);
    pthread_create(&p4, NULL, run4, NULL);
    pthread_join(p2, NULL);
    pthread_join(p3, NULL);
    pthread_join(p4, NULL);
    return x == 1 && seen2 <= 1 && seen3 <= 1 ? 0 : 1;
}
