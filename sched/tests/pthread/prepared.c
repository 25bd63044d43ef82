/* prepared.c - every way in which a lock may come to be one: none of them is misuse. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_mutex_t early_mutex;
static pthread_cond_t early_cond;
static pthread_rwlock_t early_rwlock;

static void *dirty(void *memory, size_t size) { return memset(memory, 0xa5, size); }

__attribute__((constructor)) static void before_main(void) {
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_rwlockattr_t rwlock;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE);
    pthread_condattr_init(&cond);
    pthread_condattr_setclock(&cond, CLOCK_MONOTONIC);
    pthread_rwlockattr_init(&rwlock);
    pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    pthread_mutex_init(dirty(&early_mutex, sizeof early_mutex), &mutex);
    pthread_cond_init(dirty(&early_cond, sizeof early_cond), &cond);
    pthread_rwlock_init(dirty(&early_rwlock, sizeof early_rwlock), &rwlock);
}

static void use(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void use_copied(const pthread_mutex_t *mutex) {
    pthread_mutex_t copy;
    memcpy(&copy, mutex, sizeof copy);
    use(&copy);
}

static void use_made(const pthread_mutexattr_t *attributes) {
    pthread_mutex_t made;
    pthread_mutex_init(dirty(&made, sizeof made), attributes);
    use(&made);
    use_copied(&made);
    pthread_mutex_destroy(&made);
    pthread_mutex_init(&made, NULL);
    use(&made);
}

static void *work(void *arg) {
    use(&recursive);
    use(&checking);
    use(&adaptive);
    use(&early_mutex);
    pthread_cond_broadcast(&early_cond);
    pthread_rwlock_rdlock(&early_rwlock);
    pthread_rwlock_unlock(&early_rwlock);
    pthread_rwlock_wrlock(&writers);
    pthread_rwlock_unlock(&writers);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    use_copied(&recursive);

    pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_t *heap = calloc(3, sizeof *heap);
    use(&local);
    use(heap);
    memcpy(heap + 1, heap, sizeof *heap);
    heap = realloc(heap, 5 * sizeof *heap);
    for (int i = 0; i < 3; i++) use(heap + i);

    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    use_made(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attributes, 5);
    use_made(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    use_made(&attributes);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    use_made(&attributes);

    mtx_t mutex;
    cnd_t cond;
    mtx_init(dirty(&mutex, sizeof mutex), mtx_recursive);
    cnd_init(dirty(&cond, sizeof cond));
    mtx_lock(&mutex);
    cnd_signal(&cond);
    mtx_unlock(&mutex);
    puts("all of them");
    return 0;
}
