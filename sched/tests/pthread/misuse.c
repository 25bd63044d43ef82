/* misuse.c - what POSIX leaves undefined: each case ends with a message.
 *
 * `misuse` alone lists the cases, a line each: name, kind, words that the
 * message must have. `misuse NAME` runs one. */
#include "check.h"

#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;

static void *give(void *arg) { return arg; }
static void *lock(void *arg) {
    pthread_mutex_lock(arg);
    return NULL;
}
static void *unlock(void *arg) {
    pthread_mutex_unlock(arg);
    return NULL;
}
static void *wait_with(void *arg) {
    pthread_mutex_lock(arg);
    pthread_cond_wait(&cond, arg);
    return NULL;
}
static void *arrive(void *arg) {
    pthread_barrier_wait(arg);
    return NULL;
}
static void *down(void *arg) {
    sem_wait(arg);
    return NULL;
}
static void *hold_reading(void *arg) {
    pthread_rwlock_rdlock(arg);
    return NULL;
}
static void *write_lock(void *arg) {
    pthread_rwlock_wrlock(arg);
    return NULL;
}
static void *hold_spin(void *arg) {
    pthread_spin_lock((pthread_spinlock_t *)arg);
    return NULL;
}
static void *joins(void *arg) {
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

static void unlock_free(void) { pthread_mutex_unlock(&mutex); }
static void unlock_others(void) {
    pthread_mutex_lock(&mutex);
    finish(start(unlock, &mutex));
}
static void relock(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}
static void destroy_held(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
}
static void use_destroyed(void) {
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex);
}
static void destroy_twice(void) {
    pthread_cond_destroy(&cond);
    pthread_cond_destroy(&cond);
}
static void wrong_kind(void) {
    pthread_mutex_lock(&mutex);
    sem_post((sem_t *)(void *)&mutex);
}
static void wait_unlocked(void) { pthread_cond_wait(&cond, &mutex); }
static void two_mutexes(void) {
    start(wait_with, &mutex);
    start(wait_with, &second);
    sleep(1);
}
static void destroy_waited(void) {
    start(wait_with, &mutex);
    sleep(1);
    pthread_cond_destroy(&cond);
}
static void rw_unlock_free(void) { pthread_rwlock_unlock(&rwlock); }
static void rw_unlock_others(void) {
    finish(start(hold_reading, &rwlock));
    pthread_rwlock_unlock(&rwlock);
}
static void rw_upgrade(void) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
}
static void rw_destroy_held(void) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_destroy(&rwlock);
}
static void spin_relock(void) {
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_lock(&spin);
}
static void spin_unlock_free(void) {
    pthread_spin_init(&spin, 0);
    pthread_spin_unlock(&spin);
}
static void spin_unlock_others(void) {
    pthread_spin_init(&spin, 0);
    finish(start(hold_spin, (void *)&spin));
    pthread_spin_unlock(&spin);
}
static void spin_destroy_held(void) {
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_destroy(&spin);
}
static void barrier_unprepared(void) { pthread_barrier_wait(&barrier); }
static void barrier_destroy_used(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    start(arrive, &barrier);
    sleep(1);
    pthread_barrier_destroy(&barrier);
}
static void sem_destroy_waited(void) {
    sem_init(&sem, 0, 0);
    start(down, &sem);
    sleep(1);
    sem_destroy(&sem);
}
static void join_twice(void) {
    pthread_t t = start(give, NULL);
    finish(t);
    finish(t);
}
static void join_detached(void) {
    pthread_t t = start(give, NULL);
    pthread_detach(t);
    finish(t);
}
static void join_both(void) {
    static pthread_t t;
    sem_init(&sem, 0, 0);
    t = start(down, &sem);
    start(joins, &t);
    start(joins, &t);
    sleep(1);
    sem_post(&sem);
    sleep(1);
}
static void join_nothing(void) { finish((pthread_t)0x1234); }
static void detach_joined(void) {
    pthread_t t = start(give, NULL);
    finish(t);
    pthread_detach(t);
}
static void again(void) { pthread_once(&once, again); }
static void once_in_once(void) { pthread_once(&once, again); }
static void all_blocked(void) {
    pthread_mutex_lock(&mutex);
    finish(start(lock, &mutex));
}
static void owner_gone(void) {
    finish(start(lock, &mutex));
    pthread_mutex_lock(&mutex);
}
static void lost_wakeup(void) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
}
static void rw_all_blocked(void) {
    pthread_rwlock_rdlock(&rwlock);
    finish(start(write_lock, &rwlock));
}
static void use_freed(void) {
    pthread_mutex_t *own = malloc(sizeof *own);
    pthread_mutex_init(own, NULL);
    free(own);
    finish(start(lock, own));
}
static void use_freed_unprepared(void) {
    sem_t *own = calloc(1, sizeof *own);
    free(own);
    sem_post(own);
}
static void *garbage(size_t size) {
    void *own = malloc(size);
    memset(own, 0xa5, size);
    return own;
}
static void garbage_mutex(void) { pthread_mutex_lock(garbage(sizeof(pthread_mutex_t))); }
static void garbage_trylock(void) { pthread_mutex_trylock(garbage(sizeof(pthread_mutex_t))); }
static void garbage_cond(void) { pthread_cond_signal(garbage(sizeof(pthread_cond_t))); }
static void garbage_rwlock(void) { pthread_rwlock_rdlock(garbage(sizeof(pthread_rwlock_t))); }
static void half_a_mutex(void) { /* only its kind is set */
    pthread_mutex_t *own = garbage(sizeof *own);
    own->__data.__kind = PTHREAD_MUTEX_RECURSIVE;
    pthread_mutex_lock(own);
}
static void no_mutex(void) { pthread_mutex_lock((void *)8); }
static void no_memory(void) { memcpy((void *)8, &mutex, sizeof mutex); }
static void fatal_signal(void) { pthread_kill(pthread_self(), 15); }

static const struct {
    const char *name, *kind, *words;
    void (*run)(void);
} cases[] = {
    {"unlock_free", "misuse", "unlocks a mutex that is not locked", unlock_free},
    {"unlock_others", "misuse", "unlocks a mutex that another thread holds", unlock_others},
    {"relock", "deadlock", "locks a mutex that it holds already", relock},
    {"destroy_held", "misuse", "destroys a mutex that is locked", destroy_held},
    {"use_destroyed", "misuse", "uses what has been destroyed: mutex", use_destroyed},
    {"destroy_twice", "misuse", "uses what has been destroyed: condition variable", destroy_twice},
    {"wrong_kind", "misuse", "a mutex is used as a semaphore", wrong_kind},
    {"wait_unlocked", "misuse", "mutex that it does not hold", wait_unlocked},
    {"two_mutexes", "misuse", "with another mutex", two_mutexes},
    {"destroy_waited", "misuse", "on which threads wait", destroy_waited},
    {"rw_unlock_free", "misuse", "that nobody holds", rw_unlock_free},
    {"rw_unlock_others", "misuse", "that only others hold", rw_unlock_others},
    {"rw_upgrade", "deadlock", "what it holds for reading", rw_upgrade},
    {"rw_destroy_held", "misuse", "destroys a lock that is held", rw_destroy_held},
    {"spin_relock", "deadlock", "locks a spin lock that it holds already", spin_relock},
    {"spin_unlock_free", "misuse", "unlocks a spin lock that is not locked", spin_unlock_free},
    {"spin_unlock_others", "misuse", "spin lock that another thread holds", spin_unlock_others},
    {"spin_destroy_held", "misuse", "destroys a spin lock that is held", spin_destroy_held},
    {"barrier_unprepared", "misuse", "pthread_barrier_init has not prepared", barrier_unprepared},
    {"barrier_destroy_used", "misuse", "at which threads still wait", barrier_destroy_used},
    {"sem_destroy_waited", "misuse", "for which threads wait", sem_destroy_waited},
    {"join_twice", "misuse", "which has been joined before", join_twice},
    {"join_detached", "misuse", "which is detached", join_detached},
    {"join_both", "misuse", "for which another thread already waits", join_both},
    {"join_nothing", "misuse", "something that is not a thread", join_nothing},
    {"detach_joined", "misuse", "which has been joined before", detach_joined},
    {"once_in_once", "deadlock", "once more from within itself", once_in_once},
    {"all_blocked", "deadlock", "held by thread 0", all_blocked},
    {"owner_gone", "deadlock", "held by thread 0.1", owner_gone},
    {"rw_all_blocked", "deadlock", "held for reading by thread 0 since", rw_all_blocked},
    {"use_freed", "misuse", "uses what has been freed: mutex heap block", use_freed},
    {"use_freed_unprepared", "misuse", "uses what has been freed: semaphore", use_freed_unprepared},
    {"garbage_mutex", "misuse", "uses what nothing has initialised: mutex heap block", garbage_mutex},
    {"garbage_trylock", "misuse", "uses what nothing has initialised: mutex", garbage_trylock},
    {"garbage_cond", "misuse", "uses what nothing has initialised: condition", garbage_cond},
    {"garbage_rwlock", "misuse", "uses what nothing has initialised: read-write", garbage_rwlock},
    {"half_a_mutex", "misuse", "uses what nothing has initialised: mutex", half_a_mutex},
    {"no_mutex", "crash", "null pointer dereference, offset 8", no_mutex},
    {"no_memory", "crash", "null pointer dereference, offset 8", no_memory},
    {"lost_wakeup", "deadlock", "waits on condition variable", lost_wakeup},
    {"fatal_signal", "crash", "signal 15", fatal_signal},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2) printf("%s %s %s\n", cases[i].name, cases[i].kind, cases[i].words);
        else if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
    }
    return 0;
}
