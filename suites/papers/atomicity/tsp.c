/* tsp.c - the travelling salesman, by branch and bound.
 *
 * After tsp of Wang and Stoller (and of Artho, Havelund and Biere), with maps of 4
 * cities (test) and of 14, an easy one (`tsp map14`: what the tables' reports are about) and
 * one that takes longer (bench: what their times are about). Partial tours wait in a queue of fixed room,
 * shortest bound first; a worker takes one, splits it, or solves it to the end when
 * it is long enough. The shortest length so far is written under its lock, which looks
 * again, but read without a lock to cut branches: a data race, and everything
 * that reads the bound twice is not atomic. An old bound only means more work, so
 * both are benign (and, being a race, undefined behaviour in C all the same). So is that
 * a split puts its tours into the queue one by one. The budget is enough for every schedule
 * of the small map, so that what is false about get_tour is refuted: it is accused because
 * main sets `working` without the lock before the workers start.
 *
 * label: benign
 * expect: race shortest confirmed benign
 * expect: atomicity recursive_solve confirmed benign
 * expect: atomicity split_tour confirmed benign
 * expect: atomicity get_tour refuted
 * expect: high-level-race working refuted
 * budget: 4000
 * native: deterministic
 * tsan: race shortest */
#include "../arguments.h"

enum { MOST_CITIES = 14, ROOM = 100, THREADS = 3 };

struct tour {
    int length, bound, last, count;
    int city[MOST_CITIES];
    unsigned visited;
};

static int cities, solve_from;
static int distance[MOST_CITIES][MOST_CITIES];
static int nearest[MOST_CITIES]; /* the least that leaving a city costs */

static pthread_mutex_t tour_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tours_changed = PTHREAD_COND_INITIALIZER;
static struct tour queue[ROOM]; /* guarded by tour_lock, as the next two */
static int waiting;
static int working; /* who may still add to the queue */

static pthread_mutex_t min_lock = PTHREAD_MUTEX_INITIALIZER;
static int shortest = 1 << 30; /* written under min_lock, read anyhow */

static int bound_of(const struct tour *t) {
    int bound = t->length;
    for (int c = 0; c < cities; c++) {
        if (!(t->visited & 1u << c) || c == t->last) bound += nearest[c];
    }
    return bound;
}

void set_best(int length) {
    pthread_mutex_lock(&min_lock);
    if (length < shortest) shortest = length;
    pthread_mutex_unlock(&min_lock);
}

/* The tour with the least bound; false: there is and will be none. */
bool get_tour(struct tour *out) {
    pthread_mutex_lock(&tour_lock);
    working--;
    while (waiting == 0 && working > 0) pthread_cond_wait(&tours_changed, &tour_lock);
    bool any = waiting > 0;
    if (any) {
        int best = 0;
        for (int i = 1; i < waiting; i++) {
            if (queue[i].bound < queue[best].bound) best = i;
        }
        *out = queue[best];
        queue[best] = queue[--waiting];
        working++;
    }
    pthread_cond_broadcast(&tours_changed);
    pthread_mutex_unlock(&tour_lock);
    return any;
}

/* False: there is no room; whoever has the tour solves it himself. */
bool put_tour(const struct tour *t) {
    pthread_mutex_lock(&tour_lock);
    bool room = waiting < ROOM;
    if (room) {
        queue[waiting++] = *t;
        pthread_cond_signal(&tours_changed);
    }
    pthread_mutex_unlock(&tour_lock);
    return room;
}

static struct tour extended(const struct tour *t, int city) {
    struct tour next = *t;
    next.length += distance[t->last][city];
    next.city[next.count++] = city;
    next.visited |= 1u << city;
    next.last = city;
    next.bound = bound_of(&next);
    return next;
}

void recursive_solve(const struct tour *t) {
    if (t->bound >= shortest) return; /* without the lock */
    if (t->count == cities) {
        int length = t->length + distance[t->last][0];
        if (length < shortest) set_best(length);
        return;
    }
    for (int c = 1; c < cities; c++) {
        if (t->visited & 1u << c) continue;
        struct tour next = extended(t, c);
        recursive_solve(&next);
    }
}

void split_tour(const struct tour *t) {
    for (int c = 1; c < cities; c++) {
        if (t->visited & 1u << c) continue;
        struct tour next = extended(t, c);
        if (next.bound < shortest && !put_tour(&next)) recursive_solve(&next);
    }
}

static void *worker(void *number) {
    (void)number;
    struct tour t;
    while (get_tour(&t)) {
        if (t.count < solve_from) split_tour(&t);
        else recursive_solve(&t);
    }
    return NULL;
}

int main(int argc, char **argv) {
    bool map14 = argc > 1 && strcmp(argv[1], "map14") == 0;
    struct arguments args = arguments_read(argc - map14, argv + map14);
    bool large = map14 || args.bench;
    cities = large ? MOST_CITIES : 4;
    solve_from = large ? 4 : 2;
    unsigned chance = args.bench ? 40 : map14 ? 66 : 11;
    for (int i = 0; i < cities; i++) {
        for (int j = 0; j < i; j++) {
            chance = chance * 1103515245u + 12345u;
            distance[i][j] = distance[j][i] = 10 + (int)(chance >> 16) % 90;
        }
    }
    for (int i = 0; i < cities; i++) {
        nearest[i] = 1 << 30;
        for (int j = 0; j < cities; j++) {
            if (j != i && distance[i][j] < nearest[i]) nearest[i] = distance[i][j];
        }
    }
    struct tour start = {.count = 1, .visited = 1};
    start.bound = bound_of(&start);
    put_tour(&start);
    int threads = args.sequential ? 1 : large ? THREADS : 2;
    working = threads;
    run_threads(threads, worker, false);
    printf("%d cities, shortest tour %d\n", cities, shortest);
    return 0;
}
