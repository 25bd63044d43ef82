/* infeasible_between.c - a deadlock that hides behind an impossible pattern.
 *
 * write_x writes under l1, having visited l2; read_twice reads under l2, having
 * visited l1. By lock sets the write fits between the reads, and races with
 * them. It cannot: whoever is past its inner visit keeps the other out. What can
 * happen is that each holds its first lock: the deadlock is the defect.
 *
 * label: harmful
 * expect: deadlock l1 l2 confirmed harmful
 * expect: failure deadlock
 * twin: feasible_nowhere.c */
#include <pthread.h>

static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int differ;

void write_x(void) {
    pthread_mutex_lock(&l1);
    pthread_mutex_lock(&l2);
    pthread_mutex_unlock(&l2);
    x = 1;
    pthread_mutex_unlock(&l1);
}

void read_twice(void) {
    pthread_mutex_lock(&l2);
    pthread_mutex_lock(&l1);
    pthread_mutex_unlock(&l1);
    int first = x;
    differ = first != x;
    pthread_mutex_unlock(&l2);
}

static void *writer(void *arg) {
    (void)arg;
    write_x();
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    read_twice();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return differ;
}
