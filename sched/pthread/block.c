/* block.c - waiting that can be called away. See block.h. */
#include "block.h"

#include "../access.h"

struct call {
    bool (*ready)(struct hd_thread *self, void *argument);
    void *argument;
    unsigned flags;
};

static bool holds(struct hd_thread *self, const struct call *call) {
    return call->ready && call->ready(self, call->argument);
}

static bool holds_or_called(struct hd_thread *self, void *argument) {
    const struct call *call = argument;
    return self->interrupted || ((call->flags & HD_CANCELABLE) && hd_cancel_pending(self)) ||
           holds(self, call);
}

/* signal(7): what waits with a deadline, for a signal or for descriptors does not go on
 * after a handler, whatever that asks for. */
static bool ends(enum hd_handled handled, uint64_t deadline, unsigned flags) {
    if (handled == HD_NOT_HANDLED || !(flags & (HD_INTERRUPTIBLE | HD_UNRESTARTED))) return false;
    return handled == HD_HANDLED || deadline != HD_NEVER || (flags & HD_UNRESTARTED);
}

void hd_called_away(struct hd_thread *target) {
    target->called = true;
    if (target == hd_rt->current || target->ready != holds_or_called) return;
    const struct call *call = target->ready_argument;
    if (!target->interrupted && !(call->flags & HD_CANCELABLE)) return;
    hd_changed_for(target);
}

void hd_step(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc) {
    if (hd_inside()) hd_point(kind, place, mode, pc);
}

void hd_hidden_known(bool *is_used) {
    if (*is_used) return;
    *is_used = true;
    hd_rt->shown++; /* a search that did not look before starts over */
}

bool hd_hidden_point(bool is_used, const void *cell, unsigned size, bool write, void *pc) {
    if (hd_unlikely(is_used)) {
        return hd_access_hidden(hd_var_get((uintptr_t)cell, size), write, pc);
    }
    hd_count(pc);
    return false;
}

void hd_try(enum hd_kind kind, struct hd_place *place, void *pc,
            bool (*ready)(struct hd_thread *self, void *argument), void *argument) {
    if (!hd_inside()) return;
    hd_point_begin(kind, place, HD_MODE_WRITE, pc);
    hd_point_settle(ready(hd_rt->current, argument) ? HD_MODE_WRITE : HD_MODE_READ);
    hd_gate_try(place);
}

enum hd_wake hd_block(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc,
                      bool (*ready)(struct hd_thread *self, void *argument),
                      void *argument, uint64_t deadline, unsigned flags) {
    if (!hd_inside()) return HD_READY;
    struct hd_thread *self = hd_rt->current;
    struct call call = {ready, argument, flags};
    struct hd_place *also = self->also, *time = hd_pseudo(HD_KEY_TIME);
    /* Without a condition it can only wait, and looks then. */
    bool looks = (flags & HD_CANCELABLE) && ready && !(flags & (HD_ARMED | HD_WAITS_FIRST));
    if (looks && hd_cancel_due(pc)) return HD_CANCELED;
    if (deadline != HD_NEVER && place != time && !(flags & HD_ARMED)) {
        self->also = NULL;
        hd_point(HD_NONE, place, flags & HD_SHARED ? HD_MODE_WRITE : HD_MODE_READ, pc);
        hd_gate_try(place);
        hd_touch(time, HD_MODE_READ);
    }
    /* A request from now on changes whose deadline may pass. */
    if (deadline != HD_NEVER && (flags & HD_CANCELABLE)) hd_cancel_look(self);
    for (;;) {
        if (self->interrupted && !(flags & HD_OTHER_MASK)) { /* that was before */
            self->also = NULL;
            hd_interrupt_run(self);
        }
        self->also = also;
        bool already = self->interrupted;
        bool in_time =
            hd_point_until(kind, place, mode, pc, holds_or_called, &call, deadline);
        if (flags & HD_CANCELABLE) hd_cancel_look(self);
        if ((already || !self->interrupted) && holds(self, &call)) return HD_READY;
        if ((flags & HD_CANCELABLE) && hd_cancel_pending(self)) return HD_CANCELED;
        enum hd_handled handled = self->interrupted ? hd_interrupt_run(self) : HD_NOT_HANDLED;
        if (ends(handled, deadline, flags)) return HD_INTERRUPTED;
        if (!in_time) return HD_TIMED_OUT;
    }
}
