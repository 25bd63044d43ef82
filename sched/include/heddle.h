/* heddle.h - what a program may tell heddle about itself. All of it is optional.
 *
 *   HEDDLE_ATOMIC("name") { ... }         this block is meant to be atomic
 *   HEDDLE_DETERMINISTIC("name") { ... }  this block and the threads it forks are
 *                                         meant to be deterministic
 *   HEDDLE_TRANSACTION { ... }            a memory transaction: one at a time
 *   HEDDLE_GUARDED_BY(&variable, &lock);  from here on it is accessed under the lock
 *   HEDDLE_REQUIRES(&lock);               whoever gets here holds the lock
 *   heddle_choose(n)                      any value in 0..n-1; each of them is tried
 *   heddle_observe("name", value);        a number that is part of the outcome
 *   heddle_observe_text("name", text);    a string that is
 *   heddle_yield();                       somebody else may run here
 *   heddle_explore(function, argument, &options, &result)
 *                                         every schedule of a function, or many;
 *                                         structs in heddle_test.h. 0: none failed,
 *                                         1: one did, -1: cannot (result.message)
 *
 * A block ends however it is left: at its end, by return, goto, an exception. A
 * break or continue in it leaves the block, not a loop around it.
 *
 * Compiled by a plain compiler, blocks are plain blocks (a transaction takes no
 * lock there), heddle_choose(n) is 0, and the rest is nothing. C99 and later, C++. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include "heddle_test.h"

#define HEDDLE_NAME__(a, b) a##b
#define HEDDLE_NAME_(a, b) HEDDLE_NAME__(a, b)

#ifdef __HEDDLE__

#ifdef __cplusplus
extern "C" {
#endif

int heddle_choose(int n);
void heddle_observe(const char *name, long long value);
void heddle_observe_text(const char *name, const char *text);
void heddle_yield(void);
int heddle_explore(void (*function)(void *), void *argument,
                   const struct heddle_options *options, struct heddle_result *result);

/* Behind the macros. */
void heddle_begin_(const char *name, int deterministic);
void heddle_end_(void *scope);
void heddle_transaction_begin_(void);
void heddle_transaction_end_(void *scope);
void heddle_guarded_by_(const volatile void *variable, __SIZE_TYPE__ size,
                        const volatile void *lock, __SIZE_TYPE__ lock_size);
void heddle_requires_(const volatile void *lock, __SIZE_TYPE__ lock_size);

#ifdef __cplusplus
}
#endif

/* The scope has no value: its address alone reaches the end of the block. */
#define HEDDLE_BLOCK_(begin, end)                                                        \
    for (int HEDDLE_NAME_(heddle_once_, __LINE__) = ((begin), 1),                        \
             HEDDLE_NAME_(heddle_scope_, __LINE__)                                       \
                 __attribute__((cleanup(end), unused));                                  \
         HEDDLE_NAME_(heddle_once_, __LINE__); HEDDLE_NAME_(heddle_once_, __LINE__) = 0)

#define HEDDLE_ATOMIC(name) HEDDLE_BLOCK_(heddle_begin_(name, 0), heddle_end_)
#define HEDDLE_DETERMINISTIC(name) HEDDLE_BLOCK_(heddle_begin_(name, 1), heddle_end_)
#define HEDDLE_TRANSACTION                                                               \
    HEDDLE_BLOCK_(heddle_transaction_begin_(), heddle_transaction_end_)

#define HEDDLE_GUARDED_BY(variable, lock)                                                \
    heddle_guarded_by_((variable), sizeof *(variable), (lock), sizeof *(lock))
#define HEDDLE_REQUIRES(lock) heddle_requires_((lock), sizeof *(lock))

#else

#define HEDDLE_BLOCK_                                                                    \
    for (int HEDDLE_NAME_(heddle_once_, __LINE__) = 1;                                   \
         HEDDLE_NAME_(heddle_once_, __LINE__); HEDDLE_NAME_(heddle_once_, __LINE__) = 0)

#define HEDDLE_ATOMIC(name) HEDDLE_BLOCK_
#define HEDDLE_DETERMINISTIC(name) HEDDLE_BLOCK_
#define HEDDLE_TRANSACTION HEDDLE_BLOCK_
#define HEDDLE_GUARDED_BY(variable, lock) ((void)(variable), (void)(lock))
#define HEDDLE_REQUIRES(lock) ((void)(lock))
#define heddle_choose(n) ((void)(n), 0)
#define heddle_observe(name, value) ((void)(name), (void)(value))
#define heddle_observe_text(name, text) ((void)(name), (void)(text))
#define heddle_yield() ((void)0)

/* The one schedule that happens. */
static inline int heddle_explore(void (*function)(void *), void *argument,
                                 const struct heddle_options *options,
                                 struct heddle_result *result) {
    (void)options;
    if (result) {
        struct heddle_result plain = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        *result = plain;
    }
    function(argument);
    return 0;
}

#endif

#endif
