/* queue_jg.c - five computations as jobs of a work queue (SingleTrack).
 *
 * crypt, lufact, series, sor and sparse, each a job that two workers of a pool take
 * and do with one more thread: nine threads in all, main among them. As in
 * queue_mm.c only the jobs are deterministic, not the program; the jobs share
 * nothing. The paper's SingleTrack gave no warning, its Velodrome 28.
 *
 * Clean means that nothing is confirmed. Nothing is refuted either: there are more
 * schedules than any budget of a test, and all four warnings stay undecided. They are
 * like those of queue_mm.c, where a complete search refutes them: main prepares the
 * queue, and a job its team, without a lock before those that share it start.
 *
 * label: clean
 * expect: clean
 * expect: atomicity pool_put undecided
 * expect: atomicity pool_take undecided
 * expect: atomicity job undecided
 * budget: 500
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "crypt_kernel.h"
#include "lufact_kernel.h"
#include "pool.h"
#include "series_kernel.h"
#include "sor_barrier.h"
#include "sparse_kernel.h"

#include <stdio.h>

struct job {
    const char *name;
    uint64_t (*run)(bool bench, int threads);
    bool bench;
    int threads;
    uint64_t checksum;
};

static uint64_t job_crypt(bool bench, int threads) {
    return crypt_run(bench ? 50000 : 2, threads);
}

static uint64_t job_lufact(bool bench, int threads) {
    return lufact_run(bench ? 150 : 3, threads);
}

static uint64_t job_series(bool bench, int threads) {
    return series_run(bench ? 300 : 2, bench ? 1000 : 20, threads);
}

static uint64_t job_sor(bool bench, int threads) {
    return sor_run(bench ? 200 : 4, bench ? 100 : 2, threads);
}

static uint64_t job_sparse(bool bench, int threads) {
    return sparse_run(bench ? 5000 : 4, bench ? 100 : 1, threads);
}

void do_job(void *argument) {
    struct job *job = argument;
    HEDDLE_DETERMINISTIC("job") { job->checksum = job->run(job->bench, job->threads); }
}

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    struct job jobs[] = {{.name = "crypt", .run = job_crypt},
                         {.name = "lufact", .run = job_lufact},
                         {.name = "series", .run = job_series},
                         {.name = "sor", .run = job_sor},
                         {.name = "sparse", .run = job_sparse}};
    enum { JOBS = sizeof jobs / sizeof *jobs };
    for (int i = 0; i < JOBS; i++) {
        jobs[i].bench = a.bench;
        jobs[i].threads = a.sequential ? 1 : 2;
    }
    pool_do(a.sequential, do_job, jobs, sizeof jobs[0], JOBS);
    for (int i = 0; i < JOBS; i++) {
        printf("%s, checksum %016llx\n", jobs[i].name,
               (unsigned long long)jobs[i].checksum);
    }
    return 0;
}
