/* pool.c - workers, a list of jobs, and one lock for both.
 *
 * A future has a lock of its own, so that waiting for one job does not wake those
 * who wait for others. The worker signals while it holds that lock: the waiter
 * frees the future as soon as it gets the lock, and nothing may touch it then. */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>

struct future {
    pthread_mutex_t lock;
    pthread_cond_t done_now;
    bool done;
    void *result;
    pool_job *job;
    void *argument;
    struct future *next; /* in the pool's list */
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wanted; /* a job came, or it is time to stop */
    struct future *first, *last;
    size_t backlog;
    bool stopping;
    size_t workers;
    pthread_t threads[];
};

static struct future *future_make(pool_job *job, void *argument) {
    struct future *f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->done_now, NULL);
    f->job = job;
    f->argument = argument;
    return f;
}

static void future_keep(struct future *f, void *result) {
    pthread_mutex_lock(&f->lock);
    f->result = result;
    f->done = true;
    pthread_cond_signal(&f->done_now);
    pthread_mutex_unlock(&f->lock);
}

static void future_free(struct future *f) {
    pthread_cond_destroy(&f->done_now);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

void *future_wait(struct future *f) {
    pthread_mutex_lock(&f->lock);
    while (!f->done) {
        pthread_cond_wait(&f->done_now, &f->lock);
    }
    void *result = f->result;
    pthread_mutex_unlock(&f->lock);
    future_free(f);
    return result;
}

bool future_is_done(struct future *f) {
    pthread_mutex_lock(&f->lock);
    bool done = f->done;
    pthread_mutex_unlock(&f->lock);
    return done;
}

/* The next job, or NULL when there will be none. */
static struct future *take(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (!pool->first && !pool->stopping) {
        pthread_cond_wait(&pool->wanted, &pool->lock);
    }
    struct future *f = pool->first;
    if (f) {
        pool->first = f->next;
        if (!pool->first) {
            pool->last = NULL;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return f;
}

static void *work(void *arg) {
    struct pool *pool = arg;
    struct future *f;
    while ((f = take(pool)) != NULL) {
        void *result = f->job(f->argument);
        pthread_mutex_lock(&pool->lock);
        pool->backlog--;
        pthread_mutex_unlock(&pool->lock);
        future_keep(f, result);
    }
    return NULL;
}

struct pool *pool_start(size_t workers) {
    struct pool *pool = calloc(1, sizeof *pool + workers * sizeof pool->threads[0]);
    if (!pool) {
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wanted, NULL);
    for (size_t i = 0; i < workers; i++) {
        if (pthread_create(&pool->threads[i], NULL, work, pool) != 0) {
            break;
        }
        pool->workers++;
    }
    if (pool->workers == 0) {
        pool_free(pool);
        return NULL;
    }
    return pool;
}

/* With the lock held. */
static void append(struct pool *pool, struct future *f) {
    if (pool->last) {
        pool->last->next = f;
    } else {
        pool->first = f;
    }
    pool->last = f;
    pool->backlog++;
    pthread_cond_signal(&pool->wanted);
}

struct future *pool_submit(struct pool *pool, pool_job *job, void *argument) {
#ifdef DEFECT
    /* Refuse early, before paying for the future. But the answer may be out of
     * date by the time the job is appended: if the workers have gone home in
     * between, nobody will do it and its future is never kept. */
    pthread_mutex_lock(&pool->lock);
    bool refused = pool->stopping;
    pthread_mutex_unlock(&pool->lock);
    if (refused) {
        return NULL;
    }
    struct future *f = future_make(job, argument);
    if (!f) {
        return NULL;
    }
    pthread_mutex_lock(&pool->lock);
    append(pool, f);
    pthread_mutex_unlock(&pool->lock);
    return f;
#else
    struct future *f = future_make(job, argument);
    if (!f) {
        return NULL;
    }
    pthread_mutex_lock(&pool->lock);
    bool refused = pool->stopping;
    if (!refused) {
        append(pool, f);
    }
    pthread_mutex_unlock(&pool->lock);
    if (refused) {
        future_free(f);
        return NULL;
    }
    return f;
#endif
}

size_t pool_backlog(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    size_t backlog = pool->backlog;
    pthread_mutex_unlock(&pool->lock);
    return backlog;
}

void pool_shutdown(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->wanted);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->workers; i++) {
        pthread_join(pool->threads[i], NULL);
    }
}

void pool_free(struct pool *pool) {
    pthread_cond_destroy(&pool->wanted);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
