/* queue_and_flag.c - a list of jobs and a flag beside it, under one lock.
 *
 * The worker looks at both at once. Nobody else does: jobs are put by `submit`, the flag
 * is set by `close_down`, and nothing asks that these two go together.
 *
 * label: clean
 * expect: clean
 * twin: views_harmless.c */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs, done;
static bool closed;

static void submit(int job) {
    pthread_mutex_lock(&lock);
    jobs += job;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void close_down(void) {
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    bool last = false;
    while (!last) {
        pthread_mutex_lock(&lock);
        while (jobs == 0 && !closed) pthread_cond_wait(&more, &lock);
        done += jobs;
        jobs = 0;
        last = closed;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    submit(1);
    submit(2);
    close_down();
    pthread_join(worker, NULL);
    return done == 3 ? 0 : 1;
}
