/* blocks_pattern.c - the tables of unserializable orders.
 *
 * After Wang and Stoller, sections 6.1 and 6.2. Departures: pattern 1 asks for
 * an initial read; the table for two variables, of which the paper shows a few
 * cases, is complete (all 54 orders follow from one rule). */
#include "blocks_pattern.h"

int hd_blocks_pattern1(unsigned op1, unsigned op3, unsigned op2, unsigned role3,
                       bool printed) {
    enum { R = HD_BLOCKS_R, W = HD_BLOCKS_W };
    if (op1 == W && op3 == R && op2 == W) {
        return printed || (role3 & HD_BLOCKS_INITIAL) ? 1 : 0;
    }
    if (op1 == R && op3 == W && op2 == R) return 2;
    if (op1 == W && op3 == W && op2 == R) return 3;
    if (op1 == R && op3 == W && op2 == W) return role3 & HD_BLOCKS_FINAL ? 4 : 0;
    return 0;
}

const char *hd_blocks_pattern1_name(int pattern) {
    static const char *const names[] = {"", "W-R-W", "R-W-R", "W-W-R", "R-W-W"};
    return pattern >= 1 && pattern <= 4 ? names[pattern] : names[0];
}

unsigned hd_blocks_pattern2(unsigned op1, unsigned op2, unsigned other1, unsigned other2,
                            bool same) {
    unsigned on_x = same ? other1 : other2;
    unsigned on_y = same ? other2 : other1;
    if (!hd_blocks_conflict(op1, on_x) || !hd_blocks_conflict(op2, on_y)) return 0;
    /* Same order of variables: only a block inside the other turns one of the
     * two directions. Opposite order: also when they cross. */
    return same ? HD_BLOCKS_1221 | HD_BLOCKS_2112
                : HD_BLOCKS_1221 | HD_BLOCKS_2112 | HD_BLOCKS_1212 | HD_BLOCKS_2121;
}
