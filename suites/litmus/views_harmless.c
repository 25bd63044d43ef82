/* views_harmless.c - fields changed together, read apart, on purpose.
 *
 * The setter's view is {x, y}, the reader's are {x} and {y}: inconsistent by
 * the rule, and the setter can really come in between. But the reader wants two
 * independent values: it keeps the larger of what it saw and 1, which is 1
 * whatever it saw.
 *
 * label: benign
 * expect: high-level-race x|y confirmed benign
 * twin: queue_and_flag.c
 * twin: views_together.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int y;
static int most_x, most_y;

static void *setter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    most_x = x > 1 ? x : 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    most_y = y > 1 ? y : 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return most_x == 1 && most_y == 1 ? 0 : 1;
}
