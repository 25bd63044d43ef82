/* team.h - threads that share out one piece of work.
 *
 * The one who asks is the first of the team and works too: a team of four forks
 * three threads and joins them. A team of one forks nobody. */
#ifndef SINGLETRACK_TEAM_H
#define SINGLETRACK_TEAM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

enum { TEAM_MOST = 4 };

typedef void team_body(void *job, int me, int threads);

struct team_member {
    team_body *body;
    void *job;
    int me, threads;
};

static inline void *team_entry(void *arg) {
    struct team_member *m = arg;
    m->body(m->job, m->me, m->threads);
    return NULL;
}

static inline void team_run(int threads, team_body *body, void *job) {
    struct team_member members[TEAM_MOST];
    pthread_t ids[TEAM_MOST];
    for (int i = 1; i < threads; i++) {
        members[i] = (struct team_member){body, job, i, threads};
        pthread_create(&ids[i], NULL, team_entry, &members[i]);
    }
    body(job, 0, threads);
    for (int i = 1; i < threads; i++) {
        pthread_join(ids[i], NULL);
    }
}

/* Two threads for two parts, the one who asks waits. */
static inline void team_fork_two(void *(*entry)(void *), void *first, void *second) {
    pthread_t ids[2];
    pthread_create(&ids[0], NULL, entry, first);
    pthread_create(&ids[1], NULL, entry, second);
    pthread_join(ids[0], NULL);
    pthread_join(ids[1], NULL);
}

/* Where the part of `me` of `count` things begins; it ends where the next begins. */
static inline size_t team_share(size_t count, int me, int threads) {
    return count * (size_t)me / (size_t)threads;
}

/* What a program prints of its result: every bit of it counts, and the order. */
static inline uint64_t team_mix(uint64_t sum, uint64_t value) {
    return (sum ^ value) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

static inline uint64_t team_mix_doubles(uint64_t sum, const double *values,
                                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        double value = values[i];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum = team_mix(sum, bits);
    }
    return sum;
}

#endif
