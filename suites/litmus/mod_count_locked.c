/* mod_count_locked.c - the same counter, always read under its lock.
 *
 * Every access to the counter holds the lock and each function is one region:
 * no race and nothing for reduction to flag.
 *
 * label: clean
 * expect: clean
 * twin: mod_count.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mod_count;
static const int items[2] = {4, 7};

void add(void) {
    pthread_mutex_lock(&lock);
    mod_count++;
    pthread_mutex_unlock(&lock);
}

static void *adder(void *arg) {
    (void)arg;
    add();
    return NULL;
}

static void *finder(void *found) {
    pthread_mutex_lock(&lock);
    int first = mod_count > 0 ? 1 : 0;
    if (items[first] == 7 || items[1 - first] == 7) {
        *(int *)found = 1;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    int found = 0;
    pthread_create(&t1, NULL, adder, NULL);
    pthread_create(&t2, NULL, finder, &found);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return found ? 0 : 1;
}
