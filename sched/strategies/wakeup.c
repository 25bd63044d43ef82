/* wakeup.c - wake-up trees: sequences that are still to be tried at a node.
 *
 * A sequence is put into a tree only if nothing that is in there already, and
 * nothing that sleeps at the node, leads to where it would. That is so if some
 * thread could as well make the first step (it is a weak initial): its first
 * step in the sequence has nothing before it there that it depends on, or it has
 * none and its step depends on nothing in the sequence. */
#include "dpor.h"

#include "sched/worker.h"

struct hd_wake *hd_wake_new(struct hd_dpor *self, uint32_t home, const struct hd_foot *foot) {
    struct hd_wake *wake = self->spare;
    if (wake) {
        self->spare = wake->next;
    } else {
        wake = hd_lasting(sizeof *wake);
    }
    *wake = (struct hd_wake){.home = home, .foot = *foot, .changed = self->runs};
    self->added++;
    return wake;
}

void hd_wake_free(struct hd_dpor *self, struct hd_wake *list) {
    while (list) {
        struct hd_wake *next = list->next;
        if (list->child) hd_wake_free(self, list->child);
        if (list->item) hd_work_drop(list->item);
        list->next = self->spare;
        self->spare = list;
        list = next;
    }
}

static struct hd_wake *copy_of(struct hd_dpor *self, const struct hd_wake *list) {
    struct hd_wake *first = NULL, **end = &first;
    for (; list; list = list->next) {
        struct hd_wake *made = hd_wake_new(self, list->home, &list->foot);
        made->is_value = list->is_value;
        made->answer = list->answer;
        made->thread = list->thread;
        made->child = copy_of(self, list->child);
        *end = made;
        end = &made->next;
    }
    return first;
}

struct hd_wake *hd_wake_take_answer(struct hd_dpor *self, struct hd_wake **list, int answer) {
    if (*list && !(*list)->is_value) return copy_of(self, *list); /* for any answer */
    for (; *list; list = &(*list)->next) {
        struct hd_wake *found = *list;
        if (!found->is_value || found->answer != answer) continue;
        struct hd_wake *rest = found->child;
        *list = found->next;
        found->next = found->child = NULL;
        hd_wake_free(self, found);
        return rest;
    }
    return NULL;
}

struct rest { /* of a sequence, after its steps were matched one by one */
    uint32_t *nodes; /* each operation followed by the answers it got */
    uint32_t count;
    const struct hd_late *last; /* NULL: matched too */
    uint64_t homes, sketch; /* bits of who and of what is in there, or was: footprint.h */
};

static uint64_t bit_of(uint32_t home) { return 1UL << (home & 63); }

static struct rest rest_of(const struct hd_dpor *self, uint32_t count, const struct hd_late *last) {
    struct rest rest = {self->sequence, count, last, bit_of(last->home), hd_foot_sketch(&last->foot)};
    for (uint32_t i = 0; i < count; i++) {
        const struct hd_node *node = &self->nodes[self->sequence[i]];
        if (node->is_value) continue;
        rest.homes |= bit_of(node->home);
        rest.sketch |= hd_foot_sketch(&node->foot);
    }
    return rest;
}

static bool first_of_its_own(const struct hd_dpor *self, const struct rest *rest, uint32_t at) {
    const struct hd_node *node = &self->nodes[rest->nodes[at]];
    for (uint32_t i = 0; i < at; i++) {
        const struct hd_node *before = &self->nodes[rest->nodes[i]];
        if (!before->is_value && hd_node_before(before, &node->clock)) return false;
    }
    return true;
}

static bool last_stands_free(const struct hd_dpor *self, const struct rest *rest) {
    for (uint32_t i = 0; i < rest->count; i++) {
        const struct hd_node *node = &self->nodes[rest->nodes[i]];
        if (node->is_value) continue;
        if (hd_node_known(self, rest->nodes[i], rest->last->previous)) return false;
        if (hd_foot_conflict(&node->foot, &rest->last->foot)) return false;
    }
    return true;
}

enum { NOT_FIRST = -2, NOT_THERE = -1 };

/* Could this thread make the first step? Where its own is, NOT_THERE if it has
 * none and depends on nothing, or NOT_FIRST. count stands for the last one. */
static int weak_initial(const struct hd_dpor *self, const struct rest *rest, uint32_t home,
                        const struct hd_foot *foot) {
    bool there = rest->homes & bit_of(home);
    bool apart = rest->sketch != UINT64_MAX && !(rest->sketch & hd_foot_sketch(foot));
    if (!there && apart) return NOT_THERE;
    for (uint32_t i = 0; there && i < rest->count; i++) {
        const struct hd_node *node = &self->nodes[rest->nodes[i]];
        if (node->home == home && !node->is_value) {
            return first_of_its_own(self, rest, i) ? (int)i : NOT_FIRST;
        }
    }
    if (rest->last && rest->last->home == home) {
        return last_stands_free(self, rest) ? (int)rest->count : NOT_FIRST;
    }
    if (rest->last && hd_foot_conflict(foot, &rest->last->foot)) return NOT_FIRST;
    for (uint32_t i = 0; i < rest->count; i++) {
        const struct hd_node *node = &self->nodes[rest->nodes[i]];
        if (!node->is_value && hd_foot_conflict(foot, &node->foot)) return NOT_FIRST;
    }
    return NOT_THERE;
}

/* Most are taken near the front, of long ones: what is before it moves. */
static void take_out(struct rest *rest, uint32_t at) {
    for (uint32_t i = at; i > 0; i--) rest->nodes[i] = rest->nodes[i - 1];
    rest->nodes++;
    rest->count--;
}

static void match(struct rest *rest, int at) {
    if (at < 0) return;
    if ((uint32_t)at == rest->count) rest->last = NULL;
    else take_out(rest, (uint32_t)at);
}

static void append(struct hd_dpor *self, struct hd_wake **list, const struct rest *rest) {
    static const struct hd_foot nothing;
    while (*list) list = &(*list)->next;
    for (uint32_t i = 0; i < rest->count; i++) {
        const struct hd_node *node = &self->nodes[rest->nodes[i]];
        if (node->is_value) {
            *list = hd_wake_new(self, 0, &nothing);
            (*list)->is_value = true;
            (*list)->answer = node->answer;
        } else {
            *list = hd_wake_new(self, node->home, &node->foot);
            (*list)->thread = node->thread;
        }
        list = &(*list)->child;
    }
    if (!rest->last) return;
    *list = hd_wake_new(self, rest->last->home, &rest->last->foot);
    (*list)->thread = rest->last->thread;
}

static void insert(struct hd_dpor *self, struct hd_wake **list, struct rest *rest);
static void insert_below(struct hd_dpor *self, struct hd_wake **list, struct rest *rest, int at);

/* Answers follow their step, at once: those at `at` before all else. */
static void answers_first(struct hd_dpor *self, struct rest *rest, uint32_t at) {
    uint32_t *nodes = hd_passing((rest->count + 1) * sizeof *nodes);
    uint32_t count = 0, end = at;
    while (end < rest->count && self->nodes[rest->nodes[end]].is_value) {
        nodes[count++] = rest->nodes[end++];
    }
    for (uint32_t i = 0; i < at; i++) nodes[count++] = rest->nodes[i];
    for (uint32_t i = end; i < rest->count; i++) nodes[count++] = rest->nodes[i];
    rest->nodes = nodes;
}

static bool answer_at(const struct hd_dpor *self, const struct rest *rest, int at) {
    return at >= 0 && (uint32_t)at < rest->count && self->nodes[rest->nodes[at]].is_value;
}

static void insert_below_each(struct hd_dpor *self, struct hd_wake *list, const struct rest *rest) {
    for (; list; list = list->next) {
        struct rest copy = *rest;
        copy.nodes = hd_passing((rest->count + 1) * sizeof *copy.nodes);
        if (rest->count) memcpy(copy.nodes, rest->nodes, rest->count * sizeof *copy.nodes);
        insert_below(self, &list->child, &copy, NOT_THERE);
    }
}

/* A step was matched; if it got answers: below the same ones, if the sequence
 * has them at `at`; below each of them, if the step is not part of it.
 *
 * Where the tree ends, what follows would be tried anyway if every branch were
 * known not to lead where an earlier one does. Footprints of steps that are still
 * to be made say too much, so some do, and those who sleep there would keep
 * the sequence from being found again: it is put in. */
static void insert_below(struct hd_dpor *self, struct hd_wake **list, struct rest *rest, int at) {
    if (!*list) {
        if (answer_at(self, rest, at)) answers_first(self, rest, (uint32_t)at);
        append(self, list, rest);
        return;
    }
    if (!(*list)->is_value) { /* below any answer */
        while (answer_at(self, rest, at)) take_out(rest, (uint32_t)at);
        insert(self, list, rest);
        return;
    }
    if (at < 0) {
        insert_below_each(self, *list, rest);
        return;
    }
    if (!answer_at(self, rest, at)) return;
    int answer = self->nodes[rest->nodes[at]].answer;
    for (struct hd_wake *each = *list; each; each = each->next) {
        if (each->answer != answer) continue;
        take_out(rest, (uint32_t)at);
        insert_below(self, &each->child, rest, at);
        return;
    }
    /* An answer that is new here: it and its like come first, then the others. */
    answers_first(self, rest, (uint32_t)at);
    append(self, list, rest);
}

static void insert(struct hd_dpor *self, struct hd_wake **list, struct rest *rest) {
    for (struct hd_wake *branch = *list; branch; branch = branch->next) {
        int found = weak_initial(self, rest, branch->home, &branch->foot);
        if (found == NOT_FIRST) continue;
        bool whole = found >= 0 && (uint32_t)found == rest->count; /* the last one, no answers */
        match(rest, found);
        if (rest->count == 0 && !rest->last) return;
        if (whole && branch->child && branch->child->is_value) found = NOT_THERE;
        uint64_t added = self->added;
        insert_below(self, &branch->child, rest, found);
        if (self->added != added) branch->changed = self->runs;
        return;
    }
    append(self, list, rest);
}

/* A sequence whose first step is not possible at its node: try all that are. */
static void append_all(struct hd_dpor *self, struct hd_node *at) {
    static const struct hd_foot everything = {.all = true};
    struct hd_wake **list = &at->left;
    while (*list) list = &(*list)->next;
    for (uint64_t rest = at->enabled; rest; rest &= rest - 1) {
        unsigned thread = (unsigned)__builtin_ctzl(rest);
        if (thread == at->thread) continue;
        *list = hd_wake_new(self, self->homes ? self->homes[thread] : hd_rt->threads[thread]->home,
                            &everything);
        (*list)->thread = (uint16_t)thread;
        list = &(*list)->next;
    }
}

/* What a node of another process's way is told to try is for that one to decide. */
static bool written_down(const struct hd_dpor *self, const struct hd_node *at, uint32_t count,
                         const struct hd_late *event) {
    uint32_t index = (uint32_t)(at - self->nodes);
    if (!self->floor || index >= self->floor) return false;
    hd_dpor_write_down(self, hd_work_pen(), index, count, event);
    return true;
}

void hd_wake_insert(struct hd_dpor *self, struct hd_node *at, uint32_t count,
                    const struct hd_late *event) {
    struct rest rest = rest_of(self, count, event);
    unsigned first = count ? self->nodes[self->sequence[0]].thread : event->thread;
    bool possible = first >= 64 || at->enabled >> first & 1;
    for (uint32_t i = 0; possible && i < at->sleeper_count; i++) {
        const struct hd_asleep *sleeper = &self->sleepers[at->sleepers + i];
        if (weak_initial(self, &rest, sleeper->home, &sleeper->foot) != NOT_FIRST) return;
    }
    if (written_down(self, at, count, event)) return;
    if (possible) insert(self, &at->left, &rest);
    else append_all(self, at);
}
