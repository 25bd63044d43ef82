/* early.c - what constructors make is there in main: threads that have ended,
 * threads that have not begun, keys, initialised controls, semaphores. With
 * HALFWAY, a thread that has begun and not ended, which is refused. */
#include "check.h"

#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t pool[3];
static pthread_key_t key;
static sem_t jobs, begun;
static int ran, done, destroyed;

static void initialise(void) { ran++; }
static void destroy(void *value) {
    (void)value;
    __atomic_fetch_add(&destroyed, 1, __ATOMIC_SEQ_CST);
}
static void *work(void *arg) {
#ifdef HALFWAY
    sem_post(&begun);
#endif
    sem_wait(&jobs);
    pthread_setspecific(key, arg);
    pthread_once(&once, initialise);
    pthread_mutex_lock(&mutex);
    done++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

__attribute__((constructor)) static void before(void) {
    sem_init(&jobs, 0, 1);
    sem_init(&begun, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_once(&once, initialise);
    finish(start(work, &done));
    for (long i = 0; i < 3; i++) pool[i] = start(work, (void *)(i + 1));
#ifdef HALFWAY
    sem_wait(&begun);
    sem_wait(&begun);
#endif
}

int main(void) {
    EQ("one_was_done", 1, done);
    for (int i = 0; i < 3; i++) sem_post(&jobs);
    for (long i = 0; i < 3; i++) EQ("result", i + 1, (long)finish(pool[i]));
    EQ("all_done", 4, done);
    EQ("destructors", 4, destroyed);
    EQ("initialised_once", 1, ran);
    EQ("another", 5, (sem_post(&jobs), finish(start(work, &ran)), done));
    return 0;
}
