/* termination_recheck.c - the worker asks about closing time first.
 *
 * Jobs come before closing: if the queue was closed before the worker looked for
 * a job and it finds none, there will be none.
 *
 * label: clean
 * expect: clean
 * twin: termination_flag.c */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int jobs;
static atomic_int closed;
static int processed;

static void *producer(void *arg) {
    (void)arg;
    atomic_fetch_add(&jobs, 1);
    atomic_store(&closed, 1);
    return NULL;
}

static void *worker(void *arg) {
    (void)arg;
    for (;;) {
        int last_round = atomic_load(&closed);
        if (atomic_load(&jobs) > 0) {
            atomic_fetch_sub(&jobs, 1);
            processed++;
        } else if (last_round) {
            break;
        }
        sched_yield();
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(processed == 1);
    return 0;
}
