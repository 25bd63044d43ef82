/* pool.h - a thread pool with futures.
 *
 * A job is a function and its argument; submitting it gives a future, and
 * waiting for the future gives the job's result. A future is waited for exactly
 * once, which also frees it.
 *
 * Shutdown refuses new jobs, finishes those that were accepted, and joins the
 * workers. So a future that was handed out is always kept:
 *   (1) submit returns NULL, or a future that will be done;
 *   (2) after shutdown returned no job runs any more. */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool;
struct future;

typedef void *pool_job(void *argument);

/* NULL: no memory or no threads. */
struct pool *pool_start(size_t workers);

/* NULL: the pool is shutting down, or no memory. */
struct future *pool_submit(struct pool *pool, pool_job *job, void *argument);

/* Waits for the job, frees the future, returns the job's result. */
void *future_wait(struct future *future);
/* Whether waiting would return at once. */
bool future_is_done(struct future *future);

/* Jobs accepted and not finished yet. */
size_t pool_backlog(struct pool *pool);

/* Finishes accepted jobs and ends the workers. May be called once; other threads
 * may still try to submit, and are refused. */
void pool_shutdown(struct pool *pool);
/* After shutdown, when nobody submits any more. */
void pool_free(struct pool *pool);

#endif
