/* pool.h - a work queue and the threads that take jobs from it.
 *
 * Which worker takes which job, and how far it is when the next one is taken,
 * depends on the schedule; what a job computes must not. */
#ifndef SINGLETRACK_POOL_H
#define SINGLETRACK_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { POOL_WORKERS = 2, POOL_JOBS = 16 };

struct pool_job {
    void (*run)(void *argument);
    void *argument;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct pool_job jobs[POOL_JOBS];
    int taken, put;
    pthread_t workers[POOL_WORKERS];
};

struct pool_job pool_take(struct pool *p) {
    pthread_mutex_lock(&p->lock);
    while (p->taken == p->put) {
        pthread_cond_wait(&p->more, &p->lock);
    }
    struct pool_job job = p->jobs[p->taken++];
    pthread_mutex_unlock(&p->lock);
    return job;
}

void pool_put(struct pool *p, void (*run)(void *), void *argument) {
    pthread_mutex_lock(&p->lock);
    p->jobs[p->put++] = (struct pool_job){run, argument};
    pthread_cond_signal(&p->more);
    pthread_mutex_unlock(&p->lock);
}

static inline void *pool_worker(void *arg) {
    struct pool_job job;
    while ((job = pool_take(arg)).run) {
        job.run(job.argument);
    }
    return NULL;
}

static inline void pool_open(struct pool *p) {
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->more, NULL);
    p->taken = p->put = 0;
    for (int i = 0; i < POOL_WORKERS; i++) {
        pthread_create(&p->workers[i], NULL, pool_worker, p);
    }
}

/* Returns when all jobs are done. */
static inline void pool_close(struct pool *p) {
    for (int i = 0; i < POOL_WORKERS; i++) {
        pool_put(p, NULL, NULL); /* each takes one and goes */
    }
    for (int i = 0; i < POOL_WORKERS; i++) {
        pthread_join(p->workers[i], NULL);
    }
    pthread_cond_destroy(&p->more);
    pthread_mutex_destroy(&p->lock);
}

/* One job for each of `count` arguments of `size` bytes: by the workers, or, if
 * sequential, by nobody else. */
static inline void pool_do(bool sequential, void (*run)(void *), void *arguments,
                           size_t size, int count) {
    static struct pool pool;
    char *argument = arguments;
    if (!sequential) {
        pool_open(&pool);
    }
    for (int i = 0; i < count; i++, argument += size) {
        if (sequential) {
            run(argument);
        } else {
            pool_put(&pool, run, argument);
        }
    }
    if (!sequential) {
        pool_close(&pool);
    }
}

#endif
