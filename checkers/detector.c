/* detector.c - the lockset algorithms by name. */
#include "checkers/detector_open.h"

#include "sched/trace/bug.h"

#include <string.h>

extern const struct hd_detector_ops hd_detector_eraser, hd_detector_eraser_periods,
    hd_detector_praun_gross, hd_detector_flanagan_freund, hd_detector_multilockset,
    hd_detector_pairs;

const struct hd_detector_ops *const hd_detectors[] = {
    &hd_detector_eraser,          &hd_detector_eraser_periods,
    &hd_detector_praun_gross,     &hd_detector_flanagan_freund,
    &hd_detector_multilockset,    &hd_detector_pairs,
    NULL,
};

static const struct hd_detector_ops *find(const char *name) {
    for (const struct hd_detector_ops *const *ops = hd_detectors; *ops; ops++) {
        if (!strcmp((*ops)->name, name)) {
            return *ops;
        }
    }
    hd_bug(__FILE__, __LINE__, "no detector %s", name);
}

struct hd_detector *hd_detector_open(const char *name, const struct hd_pass *pass, bool front) {
    struct hd_detector *detector = hd_arena_get(pass->arena, sizeof *detector);
    detector->ops = find(name);
    detector->state = hd_arena_get(pass->arena, detector->ops->state_size);
    detector->ops->begin(detector->state, pass, front);
    return detector;
}

unsigned hd_detector_needs(const char *name) { return find(name)->needs; }

bool hd_detector_access(struct hd_detector *detector, const struct hd_step *step) {
    return detector->ops->access(detector->state, step);
}

bool hd_detector_racy(const struct hd_detector *detector, uint32_t granule) {
    return detector->ops->racy(detector->state, granule);
}
