/* spin_peek_locked.c - the look is under the spin lock, too.
 *
 * No race: everything that is shared is looked at under the lock.
 *
 * label: clean
 * expect: clean
 * twin: spin_peek.c */
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
    pthread_spin_lock(&lock);
    if (waiting) {
        waiting--;
    }
    pthread_spin_unlock(&lock);
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
