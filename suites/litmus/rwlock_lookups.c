/* rwlock_lookups.c - readers share the lock, and a statistic.
 *
 * Readers may be in the lock together, so what they count there is not protected by
 * it: a race, and a lookup can be lost. Nobody looks at the statistic; the sums are
 * right in every order.
 *
 * label: benign
 * expect: race lookups confirmed benign
 * twin: rwlock_lookups_apart.c */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[2] = {3, 4};
static int sum[2];
static int lookups;

static void *one(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    lookups++;
    sum[0] = table[0] + table[1];
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    lookups++;
    sum[1] = table[0] + table[1];
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    table[1] = 4;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", sum[0], sum[1]);
    return 0;
}
