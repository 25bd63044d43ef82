/* atomic.h - one text, two programs: with locks, or with memory transactions.
 *
 *   LOCK(name);                     a lock, if there are locks
 *   ATOMIC(name) { ... return x; }  under that lock, or in a transaction
 *
 * -DTRANSACTIONS (NAME_tm.c says so itself) turns each ATOMIC block into a memory
 * transaction. A plain compiler knows none: there, one lock for all of them does
 * what a transaction promises. */
#ifndef LOURENCO_ATOMIC_H
#define LOURENCO_ATOMIC_H

#include <pthread.h>
#include <stddef.h>

#if defined TRANSACTIONS && defined __HEDDLE__

#include <heddle.h>
#define LOCK(name) struct no_lock_##name
#define ATOMIC(name) HEDDLE_TRANSACTION

#else

static inline void atomic_end(pthread_mutex_t **held) { pthread_mutex_unlock(*held); }

#define ATOMIC_HOLDING(lock)                                                             \
    for (pthread_mutex_t * held                                                          \
             __attribute__((cleanup(atomic_end))) = (pthread_mutex_lock(lock), (lock)),  \
             *once = held;                                                               \
         once; once = NULL)

#ifdef TRANSACTIONS
static pthread_mutex_t transactions = PTHREAD_MUTEX_INITIALIZER;
#define LOCK(name) struct no_lock_##name
#define ATOMIC(name) ATOMIC_HOLDING(&transactions)
#else
#define LOCK(name) static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define ATOMIC(name) ATOMIC_HOLDING(&name)
#endif

#endif

#endif
