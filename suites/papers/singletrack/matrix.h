/* matrix.h - square matrices, filled from a seed. */
#ifndef SINGLETRACK_MATRIX_H
#define SINGLETRACK_MATRIX_H

#include <stdint.h>
#include <stdlib.h>

struct matrix {
    size_t n;
    double *at; /* row by row */
};

static inline struct matrix matrix_new(size_t n) {
    return (struct matrix){n, calloc(n * n, sizeof(double))};
}

static inline struct matrix matrix_random(size_t n, uint32_t chance) {
    struct matrix m = matrix_new(n);
    for (size_t i = 0; i < n * n; i++) {
        chance = chance * 1664525 + 1013904223;
        m.at[i] = (double)(chance >> 16) / 65536;
    }
    return m;
}

/* Rows begin to end of c = a b. */
static inline void matrix_rows(struct matrix a, struct matrix b, struct matrix c,
                               size_t begin, size_t end) {
    size_t n = a.n;
    for (size_t i = begin; i < end; i++) {
        double *to = &c.at[i * n];
        for (size_t k = 0; k < n; k++) {
            double factor = a.at[i * n + k];
            const double *from = &b.at[k * n];
            for (size_t j = 0; j < n; j++) {
                to[j] += factor * from[j];
            }
        }
    }
}

#endif
