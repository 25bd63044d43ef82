/* spin_peek.c - a look before the spin lock, and another under it.
 *
 * Who finds nothing waiting does not take the spin lock at all. That look is a race;
 * what it saw is looked at again under the lock, and to come too early costs nothing
 * that anybody sees.
 *
 * label: benign
 * expect: race waiting confirmed benign
 * twin: spin_peek_locked.c */
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int waiting = 1;
static int stored;

static void *one(void *arg) {
    (void)arg;
    pthread_spin_lock(&lock);
    waiting = 1;
    stored = 5;
    pthread_spin_unlock(&lock);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    if (waiting) {
        pthread_spin_lock(&lock);
        if (waiting) {
            waiting--;
        }
        pthread_spin_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&lock, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", stored);
    return 0;
}
