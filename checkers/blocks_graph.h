/* blocks_graph.h - can two transactions really be interleaved like this?
 *
 * The lock test of the block theorems looks at lock sets only, which is exact as
 * long as locks nest and nobody can deadlock. C programs hand locks over. The
 * progress graph asks the exact question: the states are how far each of the two
 * has come, a step is allowed when the other does not hold what it acquires, and
 * chosen events must come in a given order. Deadlocks need no special case: a
 * state from which nothing leads on is simply not passed through. */
#ifndef HD_BLOCKS_GRAPH_H
#define HD_BLOCKS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One lock operation of a transaction. Reentrant ones are left out; locks held
 * when the transaction starts are acquired first of all. */
struct hd_blocks_step {
    uint32_t lock;
    bool release;
    bool shared; /* a reader's */
};

struct hd_blocks_skeleton {
    const struct hd_blocks_step *steps;
    uint32_t count;
};

/* An event of side 0 or 1 that has `at` lock operations of its side before it. */
struct hd_blocks_mark {
    uint8_t side;
    uint32_t at;
};

enum hd_blocks_answer { HD_BLOCKS_NO, HD_BLOCKS_YES, HD_BLOCKS_TOO_LARGE };

/* Is there a run of the two in which the marks come in the order given? Marks of
 * one side must be given in program order. */
enum hd_blocks_answer hd_blocks_graph(const struct hd_blocks_skeleton side[2],
                                      const struct hd_blocks_mark *marks, size_t count);

#endif
