/* reduction_class.h - who can move past whom.
 *
 * Lipton's reduction sorts events by how they commute with what other threads do
 * next to them: right movers (R: acquires), left movers (L: releases), both (B),
 * neither (N). A lock operation is a both-mover if nobody else can be at the lock
 * just then, an access if nobody can be at the variable.
 *
 * All of these verdicts only ever get worse while the trace goes on: a lock once
 * shared, a lock once taken without its protector, a variable once racy or once
 * written by a second thread stays so. What breaks the pattern now will break it
 * at the end. */
#ifndef HD_REDUCTION_CLASS_H
#define HD_REDUCTION_CLASS_H

#include "checkers/checker.h"
#include "checkers/detector.h"

struct hd_reduction_lock {
    uint32_t thread; /* plus 1: whose it is; UINT32_MAX: of several */
    uint32_t guards; /* locks held, for themselves alone, whenever this one is held */
    bool taken;
    bool crosses; /* was held across the boundary of a transaction */
};

struct hd_reduction_var {
    uint32_t thread; /* as above */
    bool written;
    bool racy; /* was found to be, at some access */
};

struct hd_reduction_classes {
    struct hd_locksets *sets;
    struct hd_reduction_lock *locks;
    struct hd_reduction_var *vars;
    struct hd_detector *detector;
    bool lock_rules;  /* thread-local and protected locks are both-movers */
    bool escape;      /* accesses that nobody else can make do not count */
    uint64_t changes; /* how often something got worse */
};

void hd_reduction_classes_init(struct hd_reduction_classes *classes,
                               const struct hd_pass *pass, const char *detector,
                               bool lock_rules, bool escape);

/* The lock that a step takes or lets go; false: neither, or nothing changes. */
struct hd_reduction_op {
    uint32_t lock;
    bool release;
};
bool hd_reduction_op_of(const struct hd_pass *pass, const struct hd_step *step,
                        struct hd_reduction_op *op);

/* Take note of a lock operation, or of an access. The latter tells whether the
 * access is racy by what was seen so far. */
void hd_reduction_lock(struct hd_reduction_classes *classes, const struct hd_step *step,
                       const struct hd_reduction_op *op);
bool hd_reduction_access(struct hd_reduction_classes *classes,
                         const struct hd_step *step);

/* A lock is held across the boundary of a transaction. Then it orders whole
 * transactions, and a region of it is no empty gesture. */
void hd_reduction_crosses(struct hd_reduction_classes *classes, uint32_t lock);
/* All that is held here is. */
void hd_reduction_boundary(struct hd_reduction_classes *classes,
                           const struct hd_hold *holds);

/* By all that was seen: */
bool hd_reduction_lock_moves(const struct hd_reduction_classes *classes, uint32_t lock);
bool hd_reduction_var_alone(const struct hd_reduction_classes *classes, uint32_t granule);
bool hd_reduction_var_racy(const struct hd_reduction_classes *classes, uint32_t granule);

#endif
