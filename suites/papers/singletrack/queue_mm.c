/* queue_mm.c - matrix multiplications from a work queue, each by two threads
 * (SingleTrack).
 *
 * Two workers take jobs; a job forks a thread, multiplies half of its matrix and
 * joins: eleven threads with main at bench size. Who does what when is up to the
 * schedule, so the program is not deterministic as a whole, nor are jobs atomic
 * (they fork and join: Velodrome gave 7 warnings). Each job is a deterministic
 * block though: it touches its own matrices only. The paper's SingleTrack gave no
 * warning.
 *
 * budget: 8000
 * label: clean
 * expect: clean
 * expect: atomicity pool_take refuted
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "matrix.h"
#include "pool.h"
#include "team.h"

#include <stdio.h>

struct product {
    struct matrix a, b, c;
    int threads;
};

static void product_part(void *job, int me, int threads) {
    struct product *p = job;
    size_t n = p->a.n;
    matrix_rows(p->a, p->b, p->c, team_share(n, me, threads),
                team_share(n, me + 1, threads));
}

void multiply(void *job) {
    struct product *p = job;
    HEDDLE_DETERMINISTIC("multiply") { team_run(p->threads, product_part, p); }
}

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t n = a.bench ? 128 : 2;
    int count = a.bench ? 8 : 2;
    struct product products[8];
    for (int i = 0; i < count; i++) {
        uint32_t seed = 2 * (uint32_t)i;
        products[i] = (struct product){matrix_random(n, seed), matrix_random(n, seed + 1),
                                       matrix_new(n), a.sequential ? 1 : 2};
    }
    pool_do(a.sequential, multiply, products, sizeof products[0], count);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum = team_mix_doubles(sum, products[i].c.at, n * n);
        free(products[i].a.at);
        free(products[i].b.at);
        free(products[i].c.at);
    }
    printf("queue_mm %d products, checksum %016llx\n", count, (unsigned long long)sum);
    return 0;
}
