/* reduction_class.c - movers: locks of one thread, protected locks, read-only and
 * thread-local variables; races are a detector's business. */
#include "checkers/reduction_class.h"

void hd_reduction_classes_init(struct hd_reduction_classes *c, const struct hd_pass *pass,
                               const char *detector, bool lock_rules, bool escape) {
    *c = (struct hd_reduction_classes){
        .sets = hd_front_locksets(pass->front),
        .locks = hd_arena_array(pass->arena, hd_front_locks(pass->front) + 1u,
                                sizeof *c->locks),
        .vars = hd_arena_array(pass->arena, hd_trace_granules(pass->trace) + 1u,
                               sizeof *c->vars),
        .detector = hd_detector_open(detector, pass, true),
        .lock_rules = lock_rules,
        .escape = escape,
    };
}

bool hd_reduction_op_of(const struct hd_pass *pass, const struct hd_step *step,
                        struct hd_reduction_op *op) {
    switch (step->kind) {
    case HD_ACQUIRE:
        *op = (struct hd_reduction_op){step->obj, false};
        return true;
    case HD_RELEASE:
        *op = (struct hd_reduction_op){step->obj, true};
        return true;
    case HD_WAKE:
        *op = (struct hd_reduction_op){step->aux, false};
        return true;
    case HD_WAIT:
        *op = (struct hd_reduction_op){step->aux, true};
        return true;
    case HD_TXBEGIN:
        *op = (struct hd_reduction_op){hd_front_tm(pass->front), false};
        return true;
    case HD_TXEND:
        *op = (struct hd_reduction_op){hd_front_tm(pass->front), true};
        return true;
    default:
        return false;
    }
}

static void used_by(struct hd_reduction_classes *c, uint32_t *owner, uint32_t thread) {
    if (*owner == 0) {
        *owner = thread + 1;
    } else if (*owner != thread + 1 && *owner != UINT32_MAX) {
        *owner = UINT32_MAX;
        c->changes++;
    }
}

static void guarded_by(struct hd_reduction_classes *c, struct hd_reduction_lock *lock,
                       uint32_t guards) {
    if (lock->guards != guards && guards == HD_LOCKSET_EMPTY) c->changes++;
    lock->guards = guards;
}

/* A lock is protected by those that are held at every moment at which it is:
 * hence the look at what is still held when one of them goes. Only a lock that is
 * held exclusively keeps others away. */
void hd_reduction_lock(struct hd_reduction_classes *c, const struct hd_step *step,
                       const struct hd_reduction_op *op) {
    struct hd_reduction_lock *lock = &c->locks[op->lock];
    if (op->release) {
        for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
            if (hold->lock == op->lock) continue;
            struct hd_reduction_lock *other = &c->locks[hold->lock];
            if (other->guards == HD_LOCKSET_EMPTY) continue;
            guarded_by(
                c, other,
                hd_lockset_remove(c->sets, other->guards, HD_LOCK_EXCLUSIVE(op->lock)));
        }
        return;
    }
    used_by(c, &lock->thread, step->thread);
    uint32_t guards = hd_lockset_guards(c->sets, step->held, true);
    if (lock->taken) guards = hd_lockset_meet(c->sets, lock->guards, guards);
    guarded_by(c, lock, guards);
    lock->taken = true;
}

bool hd_reduction_access(struct hd_reduction_classes *c, const struct hd_step *step) {
    struct hd_reduction_var *var = &c->vars[step->obj];
    used_by(c, &var->thread, step->thread);
    if (hd_kind_writes(step->kind) && !var->written) {
        var->written = true;
        c->changes++;
    }
    /* Atomic accesses do not race, but a plain one next to them is no mover: the
     * detector sees both. */
    bool racy = hd_detector_access(c->detector, step);
    if (racy && !var->racy) {
        var->racy = true;
        c->changes++;
    }
    return racy;
}

void hd_reduction_crosses(struct hd_reduction_classes *c, uint32_t lock) {
    if (c->locks[lock].crosses) return;
    c->locks[lock].crosses = true;
    c->changes++;
}

void hd_reduction_boundary(struct hd_reduction_classes *c, const struct hd_hold *holds) {
    for (; holds; holds = holds->below)
        hd_reduction_crosses(c, holds->lock);
}

bool hd_reduction_lock_moves(const struct hd_reduction_classes *c, uint32_t lock) {
    return c->lock_rules && (c->locks[lock].thread != UINT32_MAX ||
                             c->locks[lock].guards != HD_LOCKSET_EMPTY);
}

bool hd_reduction_var_alone(const struct hd_reduction_classes *c, uint32_t granule) {
    return c->vars[granule].thread != UINT32_MAX || !c->vars[granule].written;
}

bool hd_reduction_var_racy(const struct hd_reduction_classes *c, uint32_t granule) {
    return hd_detector_racy(c->detector, granule);
}
