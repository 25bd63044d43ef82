/* thread_pool.c - two workers, three jobs, each job deterministic.
 *
 * Which worker gets which job is left to the schedule; what a job does is not:
 * it writes its own result and nothing else. Taking a job is one region, so no
 * job is lost or done twice.
 *
 * label: clean
 * expect: clean
 * twin: thread_pool_peek.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job;
static int results[3];

int take_job(void) {
    pthread_mutex_lock(&lock);
    int job = next_job < 3 ? next_job++ : -1;
    pthread_mutex_unlock(&lock);
    return job;
}

static void *worker(void *arg) {
    (void)arg;
    int job;
    while ((job = take_job()) >= 0) {
        HEDDLE_DETERMINISTIC("job") {
            results[job] = job * job;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d %d\n", results[0], results[1], results[2]);
    return 0;
}
