/* views_together.c - fields changed together and read together.
 *
 * Both threads have the one view {x, y}: consistent.
 *
 * label: clean
 * expect: clean
 * twin: views_harmless.c
 * twin: copied_forward.c
 * twin: limit_lowered.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int y;
static int differ;

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
    differ = x != y;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return differ;
}
