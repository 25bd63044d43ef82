/* any.c - a program made from a number: a few threads, a few operations each, of
 * every kind, on a few objects. What each operation saw is the outcome.
 *
 *     any SEED KIND [show]    show: print it
 *
 * Kinds: plain; timed, with deadlines too; cancel, with requests to end; locks, of
 * those that wait and hold alone; writers, whose read-write lock prefers them; woken, of
 * waits on conditions; more, with what any_more.c has; pieces, with what any_pieces.c
 * has. */
#include "any.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { PLAIN = 33, TIMED = 42, MORE = TIMED + ANY_MORE };

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem;
atomic_int any_x[2];
#define x any_x
static int plain[2], begun;
static uint8_t program[THREADS][OPS];
static int saw[THREADS][OPS];
static int count, length;
static pthread_t thread[THREADS];

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

static int has_mutex[THREADS][2], has_rw[THREADS];

static int timed_operation(int self, int i, unsigned op) {
    int result = 0;
    struct timespec at;
    switch (op) {
    case 33: nanosleep(&(struct timespec){0, 10 + 10 * i}, NULL); return 0;
    case 34:
        if (has_mutex[self][i]) return -1;
        at = soon(15);
        result = pthread_mutex_timedlock(&m[i], &at) == 0;
        has_mutex[self][i] = result;
        return result;
    case 35: at = soon(15); return sem_timedwait(&sem, &at) == 0;
    case 36:
    case 37:
        if (has_mutex[self][1]) return -1;
        pthread_mutex_lock(&m[1]);
        at = soon(op == 36 ? 15 : 10);
        result = pthread_cond_timedwait(&c, &m[1], &at) == 0;
        pthread_mutex_unlock(&m[1]);
        return result;
    case 38:
        if (has_rw[self]) return -1;
        at = soon(10 + 10 * i);
        has_rw[self] = pthread_rwlock_timedwrlock(&rw, &at) == 0;
        return has_rw[self];
    case 39:
        if (has_rw[self]) return -1;
        at = soon(10 + 10 * i);
        has_rw[self] = pthread_rwlock_timedrdlock(&rw, &at) == 0;
        return has_rw[self];
    case 40: at = soon(0); return (int)at.tv_nsec;
    default: nanosleep(&(struct timespec){0, 15}, NULL); return 0;
    }
}

static int operation(int self, unsigned op) {
    int i = op & 1, e, result = 0;
    switch (op >> 1) {
    case 0: return atomic_load(&x[i]);
    case 1: atomic_store(&x[i], self + 1); return 0;
    case 2: return atomic_fetch_add(&x[i], 1);
    case 3: e = 0; return atomic_compare_exchange_strong(&x[i], &e, self + 5);
    case 4: return plain[i];
    case 5: plain[i] = self + 1; return 0;
    case 6:
        if (has_mutex[self][i]) return -1;
        pthread_mutex_lock(&m[i]);
        has_mutex[self][i] = 1;
        return 0;
    case 7:
        if (!has_mutex[self][i]) return -1;
        has_mutex[self][i] = 0;
        pthread_mutex_unlock(&m[i]);
        return 0;
    case 8:
        if (has_mutex[self][i]) return -1;
        result = pthread_mutex_trylock(&m[i]) == 0;
        has_mutex[self][i] = result;
        return result;
    case 9:
        if (has_mutex[self][0]) return -1;
        pthread_mutex_lock(&m[0]);
        result = plain[i]++;
        pthread_mutex_unlock(&m[0]);
        return result;
    case 10: return sem_trywait(&sem) == 0;
    case 11: sem_post(&sem); return 0;
    case 12: sem_wait(&sem); return 0;
    case 13:
        if (has_rw[self]) return -1;
        pthread_rwlock_rdlock(&rw);
        result = plain[i];
        pthread_rwlock_unlock(&rw);
        return result;
    case 14:
        if (has_rw[self]) return -1;
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
        if (has_mutex[self][1]) return -1;
        pthread_mutex_lock(&m[1]);
        while (!atomic_load(&x[1])) pthread_cond_wait(&c, &m[1]);
        pthread_mutex_unlock(&m[1]);
        return 0;
    case 18: return heddle_choose(2);
    case 19: sched_yield(); return 0;
    case 20: return atomic_exchange(&x[i], 1);
    case 21: while (atomic_load(&x[0]) == 0) {} return 0;
    case 22:
        if (has_mutex[self][1]) return -1;
        pthread_mutex_lock(&m[1]);
        pthread_cond_wait(&c, &m[1]);
        result = plain[i];
        pthread_mutex_unlock(&m[1]);
        return result;
    case 23:
        if (has_rw[self]) return -1;
        has_rw[self] = (i ? pthread_rwlock_trywrlock(&rw) : pthread_rwlock_tryrdlock(&rw)) == 0;
        return has_rw[self];
    case 24:
        if (has_rw[self]) return -1;
        if (i) pthread_rwlock_wrlock(&rw);
        else pthread_rwlock_rdlock(&rw);
        has_rw[self] = 1;
        return 0;
    case 25:
        if (!has_rw[self]) return -1;
        has_rw[self] = 0;
        pthread_rwlock_unlock(&rw);
        return 0;
    case 26:
        pthread_spin_lock(&spin);
        result = plain[i]++;
        pthread_spin_unlock(&spin);
        return result;
    case 27: sem_getvalue(&sem, &result); return result;
    case 28: printf("%d", self); return 0;
    case 29: while (!atomic_compare_exchange_strong(&x[1], &(int){1}, 2)) {} return 0;
    case 30: if (i && self == 1 && count == 2) exit(3); return 0;
    case 31: if (count == 2) pthread_barrier_wait(&barrier); return 0;
    case 32: /* ends like it would at the end of the program */
        if (self == 0) pthread_cancel(thread[1]);
        else pthread_testcancel();
        return 0;
    default:
        if (op >> 1 >= MORE) return any_piece(self, i, (op >> 1) - MORE);
        if (op >> 1 >= TIMED) return any_more(self, i, (op >> 1) - TIMED);
        return timed_operation(self, i, op >> 1);
    }
}

static void *run(void *arg) {
    int self = (int)(intptr_t)arg;
    for (int i = 0; i < length; i++) saw[self][i] = operation(self, program[self][i]);
    return NULL;
}

static void show(void) {
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < length; i++) {
            printf("%d%s", program[t][i] >> 1, program[t][i] & 1 ? "' " : " ");
        }
        puts("");
    }
}

/* An operation of this kind of program. */
static const char *kind = "plain";
static uint8_t draw_operation(void) {
    static const uint8_t locks[] = {6, 7, 8, 11, 12, 13, 14, 22, 23, 24, 24, 25, 25, 16, 31};
    static const uint8_t writers[] = {13, 13, 14, 23, 24, 24, 24, 25, 25, 38, 39, 6, 7, 0, 1};
    static const uint8_t woken[] = {17, 17, 22, 36, 37, 16, 16, 1, 5, 6, 7, 8, 9};
    static const uint8_t basic[] = {0, 1, 2, 6, 7, 12, 11, 28, 30};
    unsigned other = draw(2);
    if (strcmp(kind, "locks") == 0) return (uint8_t)(2 * locks[draw(sizeof locks)] + other);
    if (strcmp(kind, "writers") == 0) return (uint8_t)(2 * writers[draw(sizeof writers)] + other);
    if (strcmp(kind, "woken") == 0) return (uint8_t)(2 * woken[draw(sizeof woken)] + other);
    if (strcmp(kind, "more") == 0) {
        if (draw(4) == 0) return (uint8_t)(2 * basic[draw(sizeof basic)] + other);
        return (uint8_t)(2 * (TIMED + draw(ANY_MORE)) + other);
    }
    if (strcmp(kind, "pieces") == 0) {
        if (draw(6) == 0) return (uint8_t)(2 * basic[draw(sizeof basic)] + other);
        return (uint8_t)(2 * (MORE + draw(ANY_PIECES)) + other);
    }
    if (strcmp(kind, "timed") == 0) return (uint8_t)draw(2 * TIMED);
    return (uint8_t)draw(2 * (strcmp(kind, "cancel") == 0 ? PLAIN : PLAIN - 1));
}

int main(int argc, char **argv) {
    state = argc > 1 ? strtoull(argv[1], NULL, 10) * 77777777777UL + 12345 : 1;
    for (int i = 0; i < 5; i++) draw(2);
    if (argc > 2) kind = argv[2];
    count = 2 + (draw(3) == 0);
    length = count == 2 ? 2 + (int)draw(3) : 2;
    sem_init(&sem, 0, draw(2));
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    if (strcmp(kind, "writers") == 0) {
        rw = (pthread_rwlock_t)PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    }
    any_more_begin();
    uint8_t few[5]; /* every other program is made of these alone: they meet more often */
    for (unsigned i = 0; i < sizeof few; i++) few[i] = draw_operation();
    bool any = draw(2);
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < length; i++) {
            program[t][i] = any ? draw_operation() : few[draw(sizeof few)];
        }
    }
    if (argc > 3) {
        show();
        return 0;
    }
    for (int t = 1; t < count; t++) pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
    run(NULL);
    for (int t = 1; t < count; t++) pthread_join(thread[t], NULL);
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < length; i++) heddle_observe("saw", saw[t][i]);
    }
    for (int i = 0; i < 2; i++) heddle_observe("end", atomic_load(&x[i]) * 100 + plain[i]);
    any_more_end();
    return 0;
}
