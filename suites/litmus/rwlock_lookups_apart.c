/* rwlock_lookups_apart.c - each reader counts for itself.
 *
 * The statistic has a slot for each reader, so sharing the lock costs nothing: no
 * race. The table is changed under the same lock.
 *
 * label: clean
 * expect: clean
 * twin: rwlock_lookups.c */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[2] = {3, 4};
static int sum[2];
static int lookups[2];

static void *one(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    lookups[0]++;
    sum[0] = table[0] + table[1];
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    lookups[1]++;
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
