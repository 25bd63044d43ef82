/* blocks_pattern.h - which orders of a few accesses no serial order explains.
 *
 * The heart of the block theorems, as pure functions of operations: no locks,
 * no periods, no transactions. Three accesses of one variable (two of a victim
 * around one of somebody else) or four of two variables. */
#ifndef HD_BLOCKS_PATTERN_H
#define HD_BLOCKS_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

enum hd_blocks_op { HD_BLOCKS_DUMMY, HD_BLOCKS_R, HD_BLOCKS_W };

/* What the access in the middle is in its own transaction. */
enum hd_blocks_role {
    HD_BLOCKS_INITIAL = 1, /* a read that no write of its transaction precedes */
    HD_BLOCKS_FINAL = 2,   /* the last write of its transaction */
};

/* The pattern that op1 op3 op2 on one variable forms, 1 to 4, or 0. `printed`
 * takes pattern 1 as the paper prints it, for any read; the right reading, for
 * initial reads only, is the other: a later read that comes with the write
 * before it can be moved out, one that does not makes pattern 3. */
int hd_blocks_pattern1(unsigned op1, unsigned op3, unsigned op2, unsigned role3,
                       bool printed);

/* "W-R-W", "R-W-R", "W-W-R", "R-W-W" for 1 to 4. */
const char *hd_blocks_pattern1_name(int pattern);

/* How the two operations 1 of a block and 2 of another can be interleaved when
 * neither block is over before the other starts. */
enum hd_blocks_order {
    HD_BLOCKS_1221 = 1, /* the second lies inside the first */
    HD_BLOCKS_2112 = 2,
    HD_BLOCKS_1212 = 4, /* they cross */
    HD_BLOCKS_2121 = 8,
};

/* Do two accesses of one variable conflict? */
static inline bool hd_blocks_conflict(unsigned a, unsigned b) {
    return (a == HD_BLOCKS_W || b == HD_BLOCKS_W) && a != HD_BLOCKS_DUMMY &&
           b != HD_BLOCKS_DUMMY;
}

/* The interleavings of (op1 on x, op2 on y) with another block on the same two
 * variables that no serial order explains: a set of enum hd_blocks_order, empty
 * unless they conflict on both. `other1`, `other2` in the other's program order;
 * `same` says that it too goes to x first. The rule behind it: the order on x
 * and the order on y must point in opposite directions. */
unsigned hd_blocks_pattern2(unsigned op1, unsigned op2, unsigned other1, unsigned other2,
                            bool same);

#endif
