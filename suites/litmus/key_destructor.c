/* key_destructor.c - per-thread values that are added up as threads end.
 *
 * Each thread counts in a cell of its own behind a key; the key's destructor
 * runs in the ending thread and adds the cell to the total under the lock. The
 * joins come after the destructors.
 *
 * label: clean
 * expect: clean
 * twin: static_buffer.c */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int total;

static void fold(void *cell) {
    pthread_mutex_lock(&lock);
    total += *(int *)cell;
    pthread_mutex_unlock(&lock);
    free(cell);
}

static void *worker(void *amount) {
    int *cell = malloc(sizeof *cell);
    if (!cell) {
        abort();
    }
    pthread_setspecific(key, cell);
    *cell = 0;
    *(int *)pthread_getspecific(key) += *(int *)amount;
    return NULL;
}

int main(void) {
    static int amounts[2] = {1, 2};
    pthread_t t1, t2;
    pthread_key_create(&key, fold);
    pthread_create(&t1, NULL, worker, &amounts[0]);
    pthread_create(&t2, NULL, worker, &amounts[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(total == 3);
    return 0;
}
