/* double_checked_locking.c - the famous pattern, in a plain variable.
 *
 * The first look at `instance` races with the locked write, and the other
 * thread's write between the two looks is a cycle. In sequentially consistent
 * executions the object is complete before the pointer is set, so everybody
 * gets the same finished object: no outcome changes. In C it is still undefined.
 *
 * label: benign
 * expect: race instance confirmed benign
 * expect: atomicity get confirmed benign
 * twin: double_checked_early.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *instance;
static int got[2];

int *get(void) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            object = 42;
            instance = &object;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

static void *first(void *arg) {
    (void)arg;
    got[0] = *get();
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    got[1] = *get();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", got[0], got[1]);
    return 0;
}
