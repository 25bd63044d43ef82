/* state.h - what the pthread layer keeps of a thread, and of an execution. */
#ifndef HD_PTHREAD_STATE_H
#define HD_PTHREAD_STATE_H

#include "taken.h"

#include <pthread.h>
#include <signal.h>
#include <unwind.h>

struct hd_waiting { /* one thread on one condition variable */
    struct hd_thread *thread;
    struct hd_primitive *condition, *mutex; /* condition NULL: only for the mutex by now */
    struct hd_waiting *next;
    bool signaled;
};

enum { HD_VAIN_MOST = 3 };

struct hd_vain { /* how often a thread was woken for nothing, in a row: spurious.c */
    unsigned count;
    uint64_t states[HD_VAIN_MOST]; /* of the thread, when it waited */
    uint64_t wrote; /* by itself, since the first of them; waiting does not count */
    uint64_t since; /* thread->writes, when it came back from the last one, ... */
    uint32_t tried; /* ... and thread->tried */
};

struct hd_handler { /* a signal handler being run, on its thread's stack */
    struct hd_handler *outer;
    uint64_t before; /* the mask */
};

struct hd_pthread {
    struct hd_place cancel;       /* whether it has been canceled */
    struct hd_waiting waiting;
    struct hd_vain vain;
    struct hd_primitive *robust;  /* robust mutexes held, chained by `more` */
    struct hd_thread *joiner;     /* who waits for its end */
    uint64_t mask, pending;       /* signals, by bit number - 1 */
    struct hd_handler *handlers;  /* innermost first */
    uint64_t wanted;              /* sigwait: the signals it waits for */
    uint32_t clock_reads, clock_epoch; /* time.c: how often in a row, and when last */
    siginfo_t *info;              /* of pending signals that carry one, by number */
    bool has_values;              /* of keys: key.c */
    bool c11;                     /* entry returns int */
    int (*entry)(void *);         /* if so */
    struct sched_param priority;
    int policy;
    struct _Unwind_Exception unwinding;
};

/* What the layer keeps beyond threads. Lasting; parts belong to an execution
 * and are empty in the next one (generation). */
struct hd_pthread_state {
    uint16_t thread_of[HD_HOMES]; /* home: id of the thread that lives there; to be checked */
    uint32_t generation;
    struct hd_named_sem *named;   /* sem_named.c */
    struct hd_futex **futexes;    /* futex.c: by hash of address */
    uint64_t process_pending;     /* signals for whoever takes them */
    struct hd_early *early;       /* before_main.c; lasting */
    struct hd_crowded *crowded;   /* barrier.c; lasting */
    size_t standard;              /* create.c: bytes of a stack of which nothing is said; 0: not known */
    uint32_t told;                /* and in which execution that was last changed */
    bool looked_up;
    void (*tls_destructors)(void);
    struct hd_key *keys;
};

struct hd_key { /* glibc's struct pthread_key_struct */
    uintptr_t sequence;
    void (*destructor)(void *);
};

struct hd_pthread_state *hd_pthread_state(void);

/* Never NULL; made on first use. */
struct hd_pthread *hd_pthread_of(struct hd_thread *thread);

/* The thread a pthread_t names, or NULL: never follows a wild one. */
struct hd_thread *hd_handle_find(pthread_t handle);
void hd_handle_add(struct hd_thread *thread);

struct hd_birth { /* what a new thread is to be */
    void *(*entry)(void *);
    int (*c11)(void *); /* instead of entry, if not NULL */
    void *argument;
    size_t size;
    char *stack; /* lowest byte of a stack of the program's own, or NULL */
    bool detached;
    uint64_t mask;
    void *pc;
};
/* Made, known by its handle, ready to run; NULL: no room. */
struct hd_thread *hd_thread_make(struct hd_thread *parent, const struct hd_birth *birth);

/* Everything between the end of a thread's function and its end. */
void hd_thread_end(void *result) __attribute__((noreturn));
/* pthread_exit: through cleanup handlers and destructors first. */
void hd_thread_unwind(void *result) __attribute__((noreturn));
int hd_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*entry)(void *),
                     int (*c11)(void *), void *argument, void *pc);
/* Join with a deadline; `wait` false: only if it has ended. */
int hd_thread_join(pthread_t handle, void **result, uint64_t deadline, bool wait, void *pc);

/* mutex.c, for condition variables and the end of a thread */
struct hd_primitive *hd_mutex_of(pthread_mutex_t *mutex, void *pc);
void hd_mutex_let_go(struct hd_primitive *mutex, void *pc); /* one level; no point */
int hd_mutex_take(struct hd_primitive *mutex, void *pc);    /* free, or its own; no point */
bool hd_mutex_free(const struct hd_primitive *mutex);
void hd_mutex_owner_died(struct hd_primitive *mutex, void *pc);
int hd_mutex_make(void *mutex, int kind);
int hd_mutex_lock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until,
                  void *pc); /* until NULL: for ever */
int hd_mutex_trylock(pthread_mutex_t *mutex, void *pc);
int hd_mutex_unlock(pthread_mutex_t *mutex, void *pc);
int hd_mutex_destroy(pthread_mutex_t *mutex, void *pc);

/* cond.c, for C11 */
int hd_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                 const struct timespec *until, void *pc); /* until NULL: for ever */
int hd_cond_signal(pthread_cond_t *cond, bool all, void *pc);
int hd_cond_destroy(pthread_cond_t *cond, void *pc);

/* key.c: at the end of a thread */
void hd_keys_run(const struct hd_key *keys);

/* spurious.c: to be asked when a wait begins. `writes`: thread->writes before that */
bool hd_wakes_for_nothing(const struct hd_primitive *condition, const struct hd_primitive *mutex,
                          uint64_t writes, void *pc);
void hd_woke_for_nothing(void);

/* once.c */
int hd_once(uint32_t *control, void (*routine)(void), void *pc);

/* sleep.c: 0, EINTR or EINVAL */
int hd_sleep_until(uint64_t deadline, void *pc);

#endif
