/* portfolio_share.c - what members of a portfolio have done ahead.
 *
 * Each member's executions follow from what it alone has done before: those of
 * numbered ones from their number among its own, those of searches from where the
 * search stands. So they can be run ahead whatever the rounds to come are like,
 * and are taken when it is their turn. */
#include "portfolio.h"

#include "sched/work.h"

static bool offer_of(struct hd_member *member, uint32_t id, bool near, struct hd_parcel *task) {
    if (member->over) return false;
    if (member->inner.ops->numbered) {
        return hd_numbered_offer(&member->numbered, member->runs, id, task);
    }
    void *outer = hd_inner_enter(&member->inner);
    bool offered = member->inner.ops->share->offer(id, near, task);
    hd_inner_leave(&member->inner, outer);
    return offered;
}

/* Everybody in turn. */
static bool offer(uint32_t id, bool near, struct hd_parcel *task) {
    struct hd_portfolio *self = hd_portfolio_self();
    for (int i = 0; i < HD_MEMBERS; i++) {
        int at = (self->offering + i) % HD_MEMBERS;
        if (!offer_of(&self->members[at], id, near, task)) continue;
        hd_rt->member = (uint32_t)at;
        self->offering = (at + 1) % HD_MEMBERS;
        return true;
    }
    return false;
}

static void accept(struct hd_parcel *task) {
    struct hd_portfolio *self = hd_portfolio_self();
    self->there = true;
    self->at = (int)hd_rt->member;
    struct hd_member *member = &self->members[self->at];
    if (member->inner.ops->numbered) {
        hd_numbered_accept(&member->numbered, task);
        return;
    }
    void *outer = hd_inner_enter(&member->inner);
    member->inner.ops->share->accept(task);
    hd_inner_leave(&member->inner, outer);
}

static void rest(struct hd_parcel *out) {
    struct hd_portfolio *self = hd_portfolio_self();
    struct hd_inner *inner = &self->members[self->at].inner;
    if (inner->ops->numbered || !inner->ops->share->rest) return;
    void *outer = hd_inner_enter(inner);
    inner->ops->share->rest(out);
    hd_inner_leave(inner, outer);
}

static void forget(void) {
    struct hd_portfolio *self = hd_portfolio_self();
    for (int i = 0; i < HD_MEMBERS; i++) {
        struct hd_inner *inner = &self->members[i].inner;
        hd_numbered_forget(&self->members[i].numbered);
        if (inner->ops->numbered) continue;
        void *outer = hd_inner_enter(inner);
        inner->ops->share->forget();
        hd_inner_leave(inner, outer);
    }
}

static uint64_t held(uint64_t longest) {
    struct hd_portfolio *self = hd_portfolio_self();
    uint64_t bytes = 0;
    for (int i = 0; i < HD_MEMBERS; i++) {
        struct hd_inner *inner = &self->members[i].inner;
        if (inner->ops->numbered) continue;
        void *outer = hd_inner_enter(inner);
        bytes += inner->ops->share->held(longest);
        hd_inner_leave(inner, outer);
    }
    return bytes;
}

/* Some of them measure in their first execution, which is not a worker's. */
static bool ready(void) {
    const struct hd_portfolio *self = hd_portfolio_self();
    for (int i = 0; i < HD_MEMBERS; i++) {
        if (self->members[i].runs == 0) return false;
    }
    return true;
}

const struct hd_share_ops hd_portfolio_share = {
    .ready = ready,
    .offer = offer,
    .accept = accept,
    .rest = rest,
    .forget = forget,
    .held = held,
};
