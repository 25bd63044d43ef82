/* matrixmult.c - matrices multiplied by divide and conquer (SingleTrack).
 *
 * The rows of the result are halved; a thread multiplies each half in the same
 * way, until the halves are small enough: seven threads with main. Every call of
 * `multiply` is a block of its own, nested in its parent's: threads that a block
 * forks belong to it, and their blocks lie within. Parts are disjoint and joined:
 * deterministic, as the paper found (0 warnings; 5 of Velodrome, with every method
 * atomic).
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "matrix.h"
#include "team.h"

#include <stdio.h>

struct part {
    struct matrix a, b, c;
    size_t begin, end;
    int depth; /* how often it is still halved */
};

void multiply(struct part *p);

static void *multiply_entry(void *part) {
    multiply(part);
    return NULL;
}

void multiply(struct part *p) {
    HEDDLE_DETERMINISTIC("multiply") {
        if (p->depth == 0) {
            matrix_rows(p->a, p->b, p->c, p->begin, p->end);
        } else {
            struct part halves[2] = {*p, *p};
            halves[0].end = halves[1].begin = p->begin + (p->end - p->begin) / 2;
            halves[0].depth = halves[1].depth = p->depth - 1;
            team_fork_two(multiply_entry, &halves[0], &halves[1]);
        }
    }
}

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t n = a.bench ? 512 : 4;
    struct part whole = {.a = matrix_random(n, 1),
                         .b = matrix_random(n, 2),
                         .c = matrix_new(n),
                         .end = n,
                         .depth = a.sequential ? 0 : 2};
    multiply(&whole);
    uint64_t sum = team_mix_doubles(0, whole.c.at, n * n);
    printf("matrixmult %zu, checksum %016llx\n", n, (unsigned long long)sum);
    free(whole.a.at);
    free(whole.b.at);
    free(whole.c.at);
    return 0;
}
