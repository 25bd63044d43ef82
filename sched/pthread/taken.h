/* taken.h - what every file that stands in for libc names begins with.
 *
 * The names are weak, so that a program that defines one of them itself keeps
 * its own. They are also called where there is nothing to schedule: by
 * constructors of libraries before the runtime is up, by libc while heddle's
 * own code runs, after an execution has ended. Then an operation has its effect
 * and no more: no point, no waiting, no complaint. */
#ifndef HD_PTHREAD_TAKEN_H
#define HD_PTHREAD_TAKEN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "../primitive.h"
#include "../record.h"
#include "../runtime.h"
#include "../sched.h"
#include "../taken.h"

/* A second name for a function of the same file. */
#if defined(__clang__)
#define HD_SAME_AS(of)
#else
#define HD_SAME_AS(of) copy(of),
#endif
#define HD_ALIAS(name, of)                                                               \
    extern __typeof__(of) name                                                           \
        __attribute__((HD_SAME_AS(of) weak, alias(#of), visibility("default")))

static inline bool hd_inside(void) {
    return hd_booted && hd_rt->running && hd_rt->quiet_depth == 0 && hd_rt->current;
}

/* What primitive->owner says of the calling thread. */
static inline uint32_t hd_me(void) { return hd_rt->current ? hd_rt->current->id + 1u : 1u; }

#endif
