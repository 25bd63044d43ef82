/* termination_flag.c - the worker goes home with a job in the queue.
 *
 * The worker looks for a job, finds none, and then asks whether the queue is
 * closed. A job that comes in between, just before closing time, stays undone.
 * No checker needs to say so: the assertion fails.
 *
 * label: harmful
 * expect: failure assertion
 * twin: termination_recheck.c */
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
        if (atomic_load(&jobs) > 0) {
            atomic_fetch_sub(&jobs, 1);
            processed++;
        } else if (atomic_load(&closed)) {
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
