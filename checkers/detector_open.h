/* detector_open.h - a detector and its state, for those that look inside. */
#ifndef HD_DETECTOR_OPEN_H
#define HD_DETECTOR_OPEN_H

#include "checkers/detector.h"

struct hd_detector {
    const struct hd_detector_ops *ops;
    void *state;
};

#endif
