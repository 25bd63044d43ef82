/* wakeup.c - wake-up trees: sequences that are still to be tried at a node.
 *
 * A sequence is put into a tree only if nothing that is in there already, and
 * nothing that sleeps at the node, leads to where it would. That is so if some
 * thread could as well make the first step (it is a weak initial): its first
 * step in the sequence has nothing before it there that it depends on, or it has
 * none and its step depends on nothing in the sequence. */
#include "dpor.h"

struct hd_wake *hd_wake_new(struct hd_dpor *self, uint32_t home, const struct hd_foot *foot) {
    struct hd_wake *wake = self->spare;
    if (wake) {
        self->spare = wake->next;
    } else {
        wake = hd_lasting(sizeof *wake);
    }
    *wake = (struct hd_wake){.home = home, .foot = *foot};
    return wake;
}

void hd_wake_free(struct hd_dpor *self, struct hd_wake *list) {
    while (list) {
        struct hd_wake *next = list->next;
        if (list->child) hd_wake_free(self, list->child);
        list->next = self->spare;
        self->spare = list;
        list = next;
    }
}

struct rest { /* of a sequence, after its steps were matched one by one */
    uint32_t *nodes;
    uint32_t count;
    const struct hd_late *last; /* NULL: matched too */
};

static bool first_of_its_own(const struct hd_dpor *self, const struct rest *rest, uint32_t at) {
    const struct hd_node *node = &self->nodes[rest->nodes[at]];
    for (uint32_t i = 0; i < at; i++) {
        if (hd_node_before(&self->nodes[rest->nodes[i]], &node->clock)) return false;
    }
    return true;
}

static bool last_stands_free(const struct hd_dpor *self, const struct rest *rest) {
    for (uint32_t i = 0; i < rest->count; i++) {
        if (hd_node_known(self, rest->nodes[i], rest->last->previous)) return false;
        if (hd_foot_conflict(&self->nodes[rest->nodes[i]].foot, &rest->last->foot)) return false;
    }
    return true;
}

enum { NOT_FIRST = -2, NOT_THERE = -1 };

/* Could this thread make the first step? Where its own is, NOT_THERE if it has
 * none and depends on nothing, or NOT_FIRST. count stands for the last one. */
static int weak_initial(const struct hd_dpor *self, const struct rest *rest, uint32_t home,
                        const struct hd_foot *foot) {
    for (uint32_t i = 0; i < rest->count; i++) {
        const struct hd_node *node = &self->nodes[rest->nodes[i]];
        if (hd_rt->threads[node->thread]->home == home) {
            return first_of_its_own(self, rest, i) ? (int)i : NOT_FIRST;
        }
    }
    if (rest->last && rest->last->home == home) {
        return last_stands_free(self, rest) ? (int)rest->count : NOT_FIRST;
    }
    if (rest->last && hd_foot_conflict(foot, &rest->last->foot)) return NOT_FIRST;
    for (uint32_t i = 0; i < rest->count; i++) {
        if (hd_foot_conflict(foot, &self->nodes[rest->nodes[i]].foot)) return NOT_FIRST;
    }
    return NOT_THERE;
}

static void match(struct rest *rest, int at) {
    if (at < 0) return;
    if ((uint32_t)at == rest->count) {
        rest->last = NULL;
        return;
    }
    rest->count--;
    for (uint32_t i = (uint32_t)at; i < rest->count; i++) rest->nodes[i] = rest->nodes[i + 1];
}

static void append(struct hd_dpor *self, struct hd_wake **list, const struct rest *rest) {
    bool top = true;
    while (*list) list = &(*list)->next;
    for (uint32_t i = 0; i < rest->count; i++) {
        const struct hd_node *node = &self->nodes[rest->nodes[i]];
        *list = hd_wake_new(self, hd_rt->threads[node->thread]->home, &node->foot);
        (*list)->thread = node->thread;
        if (node->has_values) return;
        list = &(*list)->child;
        top = false;
    }
    if (!rest->last) return;
    *list = hd_wake_new(self, rest->last->home, &rest->last->foot);
    if (top) (*list)->thread = rest->last->thread;
}

/* A sequence whose first step is not possible at its node: try all that are. */
static void append_all(struct hd_dpor *self, struct hd_node *at) {
    static const struct hd_foot everything = {.all = true};
    struct hd_wake **list = &at->left;
    while (*list) list = &(*list)->next;
    for (uint64_t rest = at->enabled; rest; rest &= rest - 1) {
        unsigned thread = (unsigned)__builtin_ctzl(rest);
        if (thread == at->thread) continue;
        *list = hd_wake_new(self, hd_rt->threads[thread]->home, &everything);
        (*list)->thread = (uint16_t)thread;
        list = &(*list)->next;
    }
}

void hd_wake_insert(struct hd_dpor *self, struct hd_node *at, uint32_t count,
                    const struct hd_late *event) {
    struct rest rest = {self->sequence, count, event};
    unsigned first = count ? self->nodes[self->sequence[0]].thread : event->thread;
    if (first < 64 && !(at->enabled >> first & 1)) {
        append_all(self, at);
        return;
    }
    for (uint32_t i = 0; i < at->sleeper_count; i++) {
        const struct hd_asleep *sleeper = &self->sleepers[at->sleepers + i];
        if (weak_initial(self, &rest, hd_rt->threads[sleeper->thread]->home, &sleeper->foot) !=
            NOT_FIRST) {
            return;
        }
    }
    struct hd_wake **list = &at->left;
    for (struct hd_wake *branch = *list; branch;) {
        int found = weak_initial(self, &rest, branch->home, &branch->foot);
        if (found == NOT_FIRST) {
            branch = branch->next;
            continue;
        }
        match(&rest, found);
        if (!branch->child || (rest.count == 0 && !rest.last)) return;
        list = &branch->child;
        branch = *list;
    }
    append(self, list, &rest);
}
