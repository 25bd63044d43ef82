/* thread_pool_peek.c - two workers, and a job that both of them do.
 *
 * take_job looks for the next job in one region and marks it as taken in
 * another. Two workers that look first take the same job, and the other one is
 * passed over. Serially every job is done once.
 *
 * label: harmful
 * expect: atomicity take_job confirmed harmful
 * expect: failure assertion
 * twin: thread_pool.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job;
static atomic_int done[2];

int take_job(void) {
    pthread_mutex_lock(&lock);
    int job = next_job;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    next_job++;
    pthread_mutex_unlock(&lock);
    return job;
}

static void *worker(void *arg) {
    (void)arg;
    atomic_fetch_add(&done[take_job()], 1);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load(&done[0]) == 1 && atomic_load(&done[1]) == 1);
    return 0;
}
