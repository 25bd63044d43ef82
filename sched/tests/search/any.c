/* any.c - a program made from a number: a few threads, a few operations each, of
 * every kind, on a few objects. What each operation saw is the outcome. */
#include "case.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 3, OPS = 4 };

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static atomic_int x[2];
static int plain[2], begun;
static uint8_t program[THREADS][OPS];
static int saw[THREADS][OPS];
static int count, length, timed;

static uint64_t state;
static unsigned draw(unsigned n) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % n;
}

static void initialise(void) { begun++; }
static struct timespec soon(long nanoseconds) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += nanoseconds;
    return at;
}

static int held_locks[THREADS][2];

static int operation(int self, unsigned op) {
    int i = op & 1, e, result = 0;
    struct timespec at;
    switch (op >> 1) {
    case 0: return atomic_load(&x[i]);
    case 1: atomic_store(&x[i], self + 1); return 0;
    case 2: return atomic_fetch_add(&x[i], 1);
    case 3: e = 0; return atomic_compare_exchange_strong(&x[i], &e, self + 5);
    case 4: return plain[i];
    case 5: plain[i] = self + 1; return 0;
    case 6:
        if (held_locks[self][i]) return -1;
        pthread_mutex_lock(&m[i]);
        held_locks[self][i] = 1;
        return 0;
    case 7:
        if (!held_locks[self][i]) return -1;
        held_locks[self][i] = 0;
        pthread_mutex_unlock(&m[i]);
        return 0;
    case 8:
        if (held_locks[self][i]) return -1;
        result = pthread_mutex_trylock(&m[i]) == 0;
        held_locks[self][i] = result;
        return result;
    case 9:
        if (held_locks[self][0]) return -1;
        pthread_mutex_lock(&m[0]);
        result = plain[i]++;
        pthread_mutex_unlock(&m[0]);
        return result;
    case 10: return sem_trywait(&sem) == 0;
    case 11: sem_post(&sem); return 0;
    case 12: sem_wait(&sem); return 0;
    case 13:
        pthread_rwlock_rdlock(&rw);
        result = plain[i];
        pthread_rwlock_unlock(&rw);
        return result;
    case 14:
        pthread_rwlock_wrlock(&rw);
        plain[i] += 3;
        pthread_rwlock_unlock(&rw);
        return 0;
    case 15: pthread_once(&once, initialise); return begun;
    case 16:
        if (i) pthread_cond_signal(&c);
        else pthread_cond_broadcast(&c);
        return 0;
    case 17:
        if (held_locks[self][1]) return -1;
        pthread_mutex_lock(&m[1]);
        while (!atomic_load(&x[1])) pthread_cond_wait(&c, &m[1]);
        pthread_mutex_unlock(&m[1]);
        return 0;
    case 18: return heddle_choose(2);
    case 19: sched_yield(); return 0;
    case 20: return atomic_exchange(&x[i], 1);
    case 21: while (atomic_load(&x[0]) == 0) {} return 0;
    case 22: /* from here on: deadlines */
        nanosleep(&(struct timespec){0, 10 + 10 * i}, NULL);
        return 0;
    case 23:
        if (held_locks[self][i]) return -1;
        at = soon(15);
        result = pthread_mutex_timedlock(&m[i], &at) == 0;
        held_locks[self][i] = result;
        return result;
    case 24: at = soon(15); return sem_timedwait(&sem, &at) == 0;
    default:
        if (held_locks[self][1]) return -1;
        pthread_mutex_lock(&m[1]);
        at = soon(15);
        result = pthread_cond_timedwait(&c, &m[1], &at) == 0;
        pthread_mutex_unlock(&m[1]);
        return result;
    }
}

static void *run(void *arg) {
    int self = (int)(intptr_t)arg;
    for (int i = 0; i < length; i++) saw[self][i] = operation(self, program[self][i]);
    return NULL;
}

int main(int argc, char **argv) {
    state = argc > 1 ? strtoull(argv[1], NULL, 10) * 77777777777UL + 12345 : 1;
    for (int i = 0; i < 5; i++) draw(2);
    timed = argc > 2 && strcmp(argv[2], "timed") == 0;
    count = 2 + (draw(3) == 0);
    length = count == 2 ? 2 + (int)draw(3) : 2;
    sem_init(&sem, 0, draw(2));
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < length; i++) program[t][i] = (uint8_t)draw(timed ? 52 : 44);
    }
    if (argc > 3) {
        for (int t = 0; t < count; t++) {
            for (int i = 0; i < length; i++) printf("%d%s", program[t][i] >> 1, program[t][i] & 1 ? "' " : " ");
            puts("");
        }
        return 0;
    }
    pthread_t thread[THREADS];
    for (int t = 1; t < count; t++) pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
    run(NULL);
    for (int t = 1; t < count; t++) pthread_join(thread[t], NULL);
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < length; i++) heddle_observe("saw", saw[t][i]);
    }
    for (int i = 0; i < 2; i++) heddle_observe("end", atomic_load(&x[i]) * 100 + plain[i]);
    return 0;
}
