/* pair_either_way.c - two fields set apart, and a reader who does not mind.
 *
 * The reader can really come between the two writes, as in split_pair. It only
 * asks that each field is one of the two values, and each always is.
 *
 * label: benign
 * expect: atomicity set_pair confirmed benign
 * twin: split_pair.c */
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int low = 1;
static int high = 1;
static int bad;

void set_pair(int value) {
    pthread_mutex_lock(&guard);
    low = value;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    high = value;
    pthread_mutex_unlock(&guard);
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&guard);
    bad = (low != 1 && low != 5) || (high != 1 && high != 5);
    pthread_mutex_unlock(&guard);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    set_pair(5);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return bad;
}
