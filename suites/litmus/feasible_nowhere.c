/* feasible_nowhere.c - the same visits, with one lock that covers both.
 *
 * Both take l1 first and keep it over their accesses; the visits to l2 come
 * second on both sides. No cycle, no write between the reads.
 *
 * label: clean
 * expect: clean
 * twin: infeasible_between.c */
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
    pthread_mutex_lock(&l1);
    pthread_mutex_lock(&l2);
    pthread_mutex_unlock(&l2);
    int first = x;
    differ = first != x;
    pthread_mutex_unlock(&l1);
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
