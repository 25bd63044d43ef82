/* reduction_build.h - from the steps of one thread to the strings of its transactions. */
#ifndef HD_REDUCTION_BUILD_H
#define HD_REDUCTION_BUILD_H

#include "checkers/reduction_shape.h"

struct hd_reduction_builder {
    bool open;
    struct hd_reduction_shape shape;
    size_t token_room, sample_room;
    struct hd_blocks_map seen; /* granule to its accesses since the last lock operation */
};

/* Feed it all steps of its thread; takes note of what they say about locks and
 * variables as well. True: a transaction has just ended, and `shape` is its string. */
bool hd_reduction_build(struct hd_reduction_builder *builder,
                        struct hd_reduction_classes *classes, const struct hd_pass *pass,
                        const struct hd_step *step);

#endif
