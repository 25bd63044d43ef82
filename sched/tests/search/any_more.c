/* any_more.c - operations of random programs that any.c does not have: kinds of
 * mutexes, atomics of all widths over the same bytes, threads of threads, what is
 * done at their ends, memory, hidden state of libraries. */
#include "any.h"

#include <errno.h>
#include <locale.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t recursive, checking, robust, outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t crowded;
static pthread_spinlock_t spin;
static pthread_key_t key;
static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
    _Atomic uint16_t quarter[4];
    _Atomic uint8_t byte[8];
} word;
static _Atomic(int *) slot;
static pthread_t child[THREADS];
static int depth[THREADS], checked[THREADS], took_robust[THREADS], holds_stream[THREADS];
static int spins[THREADS], born[THREADS];
static char sentence[] = "a,b,c,d,e,f,g";
static int posted;

static void make(pthread_mutex_t *mutex, int type, int robustness) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robustness);
    pthread_mutex_init(mutex, &attributes);
}
static void at_end(void *value) { atomic_fetch_add(&any_x[1], (int)(intptr_t)value * 10); }

void any_more_begin(void) {
    make(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
    make(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    pthread_barrier_init(&crowded, NULL, 2);
    pthread_spin_init(&spin, 0);
    pthread_key_create(&key, at_end);
    strtok(sentence, ",");
}

void any_more_end(void) {
    heddle_observe("word", (long)atomic_load(&word.whole));
    heddle_observe("slot", atomic_load(&slot) != NULL);
}

static void *grow(void *arg) {
    (void)arg;
    return (void *)(intptr_t)atomic_fetch_add(&any_x[0], 1);
}

static int mutexes(int self, int i, unsigned op) {
    int result;
    switch (op) {
    case 0:
        depth[self]++;
        return pthread_mutex_lock(&recursive);
    case 1:
        if (depth[self] == 0) return -1;
        depth[self]--;
        return pthread_mutex_unlock(&recursive);
    case 2:
        result = i ? pthread_mutex_lock(&checking) : pthread_mutex_trylock(&checking);
        if (result == 0) checked[self] = 1;
        return result;
    case 3:
        if (!i && checked[self] == 0) return -1;
        checked[self] = 0;
        return pthread_mutex_unlock(&checking);
    case 4:
        if (took_robust[self]) return -1;
        result = pthread_mutex_lock(&robust);
        took_robust[self] = result != ENOTRECOVERABLE;
        if (result == EOWNERDEAD && i) pthread_mutex_consistent(&robust);
        return result;
    default:
        if (!took_robust[self]) return -1;
        took_robust[self] = 0;
        return pthread_mutex_unlock(&robust);
    }
}

static int atomics(int self, int i, unsigned op) {
    uint64_t whole = 0x0000000100000000;
    uint16_t quarter = 0;
    switch (op) {
    case 6: return (int)(atomic_load(&word.whole) % 1000003);
    case 7: atomic_store(&word.half[i], (uint32_t)self + 1); return 0;
    case 8: return atomic_fetch_add(&word.byte[4 * i], 1);
    case 9: return atomic_compare_exchange_strong(&word.whole, &whole, 3);
    case 10: return atomic_compare_exchange_weak(&word.quarter[2 * i], &quarter, 5);
    default: return (int)atomic_fetch_or(&word.half[1], 1U << self);
    }
}

static int threads(int self, int i, unsigned op) {
    void *result;
    switch (op) {
    case 12:
        if (born[self]) return -1;
        born[self] = 1;
        return pthread_create(&child[self], NULL, grow, NULL);
    case 13:
        if (!born[self]) return -1;
        born[self] = 0;
        if (i) return pthread_detach(child[self]);
        pthread_join(child[self], &result);
        return (int)(intptr_t)result;
    case 14:
        if (!born[self]) return -1;
        if (pthread_tryjoin_np(child[self], &result) != 0) return -2;
        born[self] = 0;
        return (int)(intptr_t)result;
    case 15: return pthread_setspecific(key, (void *)(intptr_t)(i + 1));
    default:
        if (self > 0 && i) pthread_exit(NULL);
        return 0;
    }
}

static int hidden(int self, int i, unsigned op) {
    int *mine;
    char *token;
    switch (op) {
    case 17:
        mine = malloc(sizeof *mine);
        *mine = self;
        mine = atomic_exchange(&slot, mine);
        free(mine);
        return mine != NULL;
    case 18: {
        mine = atomic_exchange(&slot, NULL);
        int value = mine ? *mine : -1;
        free(mine);
        return value;
    }
    case 19:
        if (i) srand((unsigned)self);
        return rand() % 1000;
    case 20:
        if (i) return setenv("ANY", self ? "1" : "0", 1);
        return getenv("ANY") ? getenv("ANY")[0] : 0;
    case 21:
        token = strtok(NULL, ",");
        return token ? token[0] : 0;
    default:
        if (i) return localeconv()->decimal_point[0];
        return setlocale(LC_ALL, NULL)[0];
    }
}

int any_more(int self, int i, unsigned op) {
    if (op < 6) return mutexes(self, i, op);
    if (op < 12) return atomics(self, i, op);
    if (op < 17) return threads(self, i, op);
    if (op < 23) return hidden(self, i, op);
    switch (op) {
    case 23:
        if (i && !holds_stream[self]) return -1;
        if (i) funlockfile(stdout);
        else flockfile(stdout);
        holds_stream[self] += i ? -1 : 1;
        return putchar('a' + self);
    case 24:
        if (i) {
            pthread_mutex_lock(&outer);
            posted++;
            pthread_cond_signal(&turn);
            pthread_mutex_unlock(&outer);
            return 0;
        }
        pthread_mutex_lock(&outer);
        if (!posted) pthread_cond_wait(&turn, &outer);
        posted = 0;
        pthread_mutex_unlock(&outer);
        return 0;
    default:
        if (!i) return pthread_barrier_wait(&crowded) != 0;
        if (spins[self]) return -1;
        spins[self] = pthread_spin_trylock(&spin) == 0;
        return spins[self];
    }
}
