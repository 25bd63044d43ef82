/* judge_sync.c - fork, join, barriers, semaphores, conditions (definition in judge.h). */
#include "checkers/judge_state.h"

void hd_judge_fork(struct hd_judge *j, uint32_t thread, uint32_t child, uint64_t step) {
    struct hd_judge_point point = hd_judge_point_for(j, thread, step);
    struct thread *t = hd_judge_thread(j, child);
    if (t && !t->seen) t->last = point;
}

void hd_judge_join(struct hd_judge *j, uint32_t thread, uint32_t child, uint64_t step) {
    struct thread *t = hd_judge_thread(j, child);
    if (!t) return;
    struct hd_judge_point last = t->last;
    struct node *n = hd_judge_node(j, thread, step, true);
    hd_judge_pair(j, &last, n, step);
}

void hd_judge_arrive(struct hd_judge *j, uint32_t thread, uint64_t barrier, uint64_t episode,
                     uint64_t step) {
    struct object *o = hd_judge_object(j, BARRIER, barrier * 2 + (episode & 1));
    if (!o) return;
    struct hd_judge_point point = hd_judge_point_for(j, thread, step);
    if (o->episode != episode) hd_judge_drop(j, o);
    o->episode = episode;
    hd_judge_append(j, o, &point);
}

void hd_judge_depart(struct hd_judge *j, uint32_t thread, uint64_t barrier, uint64_t episode,
                     uint64_t step) {
    struct object *o = hd_judge_object(j, BARRIER, barrier * 2 + (episode & 1));
    struct node *n = o ? hd_judge_node(j, thread, step, true) : NULL;
    if (!n || o->episode != episode) return;
    for (struct item *item = o->items; item; item = item->next) {
        if (item->point.thread != thread) hd_judge_pair(j, &item->point, n, step);
    }
}

void hd_judge_semaphore(struct hd_judge *j, uint64_t semaphore, uint64_t permits) {
    struct object *o = hd_judge_object(j, SEMAPHORE, semaphore);
    if (o) o->permits = permits;
}

void hd_judge_post(struct hd_judge *j, uint32_t thread, uint64_t semaphore, uint64_t step) {
    struct object *o = hd_judge_object(j, SEMAPHORE, semaphore);
    struct hd_judge_point point = hd_judge_point_for(j, thread, step);
    if (o) hd_judge_append(j, o, &point);
}

static bool take_first(struct hd_judge *j, struct object *o, struct item *before,
                       struct hd_judge_point *point) {
    struct item *item = before ? before->next : o->items;
    if (!item) return false;
    *point = item->point;
    if (before) before->next = item->next;
    else o->items = item->next;
    if (o->last == item) o->last = before;
    item->next = j->spare;
    j->spare = item;
    return true;
}

void hd_judge_pend(struct hd_judge *j, uint32_t thread, uint64_t semaphore, uint64_t step) {
    struct object *o = hd_judge_object(j, SEMAPHORE, semaphore);
    struct hd_judge_point from;
    if (!o) return;
    if (o->permits) {
        o->permits--;
        hd_judge_node(j, thread, step, false);
    } else if (take_first(j, o, NULL, &from)) {
        hd_judge_pair(j, &from, hd_judge_node(j, thread, step, true), step);
    } else {
        hd_judge_node(j, thread, step, false);
    }
}

void hd_judge_wait(struct hd_judge *j, uint32_t thread, uint64_t condition, uint64_t step) {
    struct object *o = hd_judge_object(j, CONDITION, condition);
    struct item *item = o ? hd_judge_item(j) : NULL;
    if (!item) return;
    item->point.thread = thread;
    item->since = step;
    if (o->last_waiter) o->last_waiter->next = item;
    else o->waiters = item;
    o->last_waiter = item;
}

void hd_judge_signal(struct hd_judge *j, uint32_t thread, uint64_t condition, bool all,
                     uint64_t step) {
    struct object *o = hd_judge_object(j, CONDITION, condition);
    if (!o) return;
    struct hd_judge_point point = hd_judge_point_for(j, thread, step);
    uint64_t waiting = 0, signals = 0;
    for (struct item *w = o->waiters; w; w = w->next) {
        if (w->signalled) continue;
        waiting++;
        if (!all) continue;
        w->signalled = true;
        uint32_t who = w->point.thread;
        w->point = point;
        w->point.thread = who; /* whose wait it is; the signal is node and step */
    }
    for (struct item *item = o->items; item; item = item->next) signals++;
    if (all) hd_judge_drop(j, o);
    else if (signals < waiting) hd_judge_append(j, o, &point);
}

void hd_judge_wake(struct hd_judge *j, uint32_t thread, uint64_t condition, uint64_t step) {
    struct object *o = hd_judge_object(j, CONDITION, condition);
    struct item *before = NULL, *w = o ? o->waiters : NULL;
    while (w && w->point.thread != thread) before = w, w = w->next;
    if (!w) return;
    struct hd_judge_point by = w->point;
    bool found = w->signalled;
    struct item *ahead = NULL;
    for (struct item *s = o->items; s && !found; ahead = s, s = s->next) {
        if (s->point.step < w->since) continue;
        found = take_first(j, o, ahead, &by);
        break;
    }
    if (before) before->next = w->next;
    else o->waiters = w->next;
    if (o->last_waiter == w) o->last_waiter = before;
    w->next = j->spare;
    j->spare = w;
    if (!o->waiters) hd_judge_drop(j, o);
    if (found) hd_judge_pair(j, &by, hd_judge_node(j, thread, step, true), step);
}

hd_judge_ticket hd_judge_mark(struct hd_judge *j, uint32_t thread, uint64_t step) {
    struct hd_judge_point *kept = hd_judge_get(j, sizeof *kept);
    if (kept) *kept = hd_judge_point_for(j, thread, step);
    return kept;
}

void hd_judge_after(struct hd_judge *j, uint32_t thread, hd_judge_ticket ticket, uint64_t step) {
    struct node *n = hd_judge_node(j, thread, step, true);
    if (ticket) hd_judge_pair(j, ticket, n, step);
}
