/* montecarlo.c - the value of an option by simulated courses.
 *
 * After montecarlo of Wang and Stoller: every task draws a course of prices from a
 * seed of its own; tasks are dealt out to threads in turn, and results are put into
 * one table under its lock, in whatever order they come. Once all have joined, they
 * are put in the order of their tasks and added up: the table depends on the
 * schedule for a while, the answer never.
 *
 * label: benign
 * expect: determinism montecarlo confirmed benign
 * budget: 200
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include <heddle.h>
#include <math.h>

enum { MOST_TASKS = 1024, THREADS = 3 };

struct result {
    int task;
    double mean, last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct result results[MOST_TASKS]; /* guarded by lock, until all have joined */
static int count;
static int tasks, steps, threads;

/* A number in (0, 1), and the next state. */
static inline double uniform(unsigned long *state) {
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(unsigned long *state) {
    double sum = 0; /* of twelve: near enough */
    for (int i = 0; i < 12; i++) sum += uniform(state);
    return sum - 6;
}

struct result simulate(int task) {
    unsigned long state = 88172645463325252UL + (unsigned long)task * 11;
    double *course = malloc(sizeof *course * (size_t)(steps + 1));
    if (!course) abort();
    double drift = 0.0002, volatility = 0.013, sum = 0;
    course[0] = 100;
    for (int i = 1; i <= steps; i++) {
        course[i] = course[i - 1] * exp(drift + volatility * gauss(&state));
        sum += log(course[i] / course[i - 1]);
    }
    struct result r = {task, sum / steps, course[steps]};
    free(course);
    return r;
}

void add_result(const struct result *r) {
    pthread_mutex_lock(&lock);
    results[count] = *r;
    count++;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *number) {
    for (int task = *(int *)number; task < tasks; task += threads) {
        struct result r = simulate(task);
        add_result(&r);
    }
    return NULL;
}

static int by_task(const void *a, const void *b) {
    return ((const struct result *)a)->task - ((const struct result *)b)->task;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    tasks = args.bench ? MOST_TASKS : 3;
    steps = args.bench ? 1000 : 5;
    threads = args.sequential ? 1 : args.bench ? THREADS : 2;
    HEDDLE_DETERMINISTIC("montecarlo") { run_threads(threads, worker, false); }
    qsort(results, (size_t)count, sizeof *results, by_task);
    double mean = 0, last = 0;
    for (int i = 0; i < count; i++) {
        mean += results[i].mean / count;
        last += results[i].last / count;
    }
    printf("%d courses, rate %.9f, value %.6f\n", count, mean, last);
    return 0;
}
