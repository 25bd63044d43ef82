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
        struct hd_wake *gone = list, *last = gone->child;
        list = gone->next;
        if (last) { /* it may be a long way down: one after the other */
            while (last->next) last = last->next;
            last->next = list;
            list = gone->child;
        }
        if (gone->item) hd_work_drop(gone->item);
        gone->next = self->spare;
        self->spare = gone;
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
    struct hd_move *moves; /* each step followed by the answers it got */
    uint32_t count;
    const struct hd_late *last; /* NULL: matched too */
    uint64_t homes, sketch; /* bits of who and of what is in there, or was: footprint.h */
};

static uint64_t bit_of(uint32_t home) { return 1UL << (home & 63); }

static const struct hd_node *node_of(const struct hd_dpor *self, const struct rest *rest, uint32_t at) {
    return &self->nodes[rest->moves[at].node];
}

static bool is_answer(const struct rest *rest, uint32_t at) { return rest->moves[at].home == HD_ANSWER; }

static struct rest rest_of(const struct hd_dpor *self, uint32_t count, const struct hd_late *last) {
    struct rest rest = {self->sequence, count, last, bit_of(last->home), hd_foot_sketch(&last->foot)};
    for (uint32_t i = 0; i < count; i++) {
        if (is_answer(&rest, i)) continue;
        rest.homes |= bit_of(rest.moves[i].home);
        rest.sketch |= hd_foot_sketch(&node_of(self, &rest, i)->foot);
    }
    return rest;
}

/* Of steps of one thread in a row the first comes before whatever one of them does. */
static bool first_of_its_own(const struct hd_dpor *self, const struct rest *rest, uint32_t at) {
    const struct hd_node *node = node_of(self, rest, at);
    uint32_t last = HD_ANSWER;
    for (uint32_t i = 0; i < at; i++) {
        if (rest->moves[i].home == last || is_answer(rest, i)) continue;
        last = rest->moves[i].home;
        if (hd_node_before(node_of(self, rest, i), &node->clock)) return false;
    }
    return true;
}

static bool last_stands_free(const struct hd_dpor *self, const struct rest *rest) {
    for (uint32_t i = 0; i < rest->count; i++) {
        if (is_answer(rest, i)) continue;
        if (hd_node_known(self, rest->moves[i].node, rest->last->previous)) return false;
        if (hd_foot_conflict(&node_of(self, rest, i)->foot, &rest->last->foot)) return false;
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
        if (rest->moves[i].home == home) return first_of_its_own(self, rest, i) ? (int)i : NOT_FIRST;
    }
    if (rest->last && rest->last->home == home) {
        return last_stands_free(self, rest) ? (int)rest->count : NOT_FIRST;
    }
    if (rest->last && hd_foot_conflict(foot, &rest->last->foot)) return NOT_FIRST;
    for (uint32_t i = 0; i < rest->count; i++) {
        if (!is_answer(rest, i) && hd_foot_conflict(foot, &node_of(self, rest, i)->foot)) return NOT_FIRST;
    }
    return NOT_THERE;
}

/* Most are taken near the front, of long ones: what is before it moves. */
static void take_out(struct rest *rest, uint32_t at) {
    for (uint32_t i = at; i > 0; i--) rest->moves[i] = rest->moves[i - 1];
    rest->moves++;
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
        const struct hd_node *node = node_of(self, rest, i);
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

/* Answers follow their step, at once: those at `at` before all else. */
static void answers_first(struct rest *rest, uint32_t at) {
    struct hd_move *moves = hd_passing((rest->count + 1) * sizeof *moves);
    uint32_t count = 0, end = at;
    while (end < rest->count && is_answer(rest, end)) moves[count++] = rest->moves[end++];
    for (uint32_t i = 0; i < at; i++) moves[count++] = rest->moves[i];
    for (uint32_t i = end; i < rest->count; i++) moves[count++] = rest->moves[i];
    rest->moves = moves;
}

static bool answer_at(const struct rest *rest, int at) {
    return at >= 0 && (uint32_t)at < rest->count && is_answer(rest, (uint32_t)at);
}

static void insert_below(struct hd_dpor *self, struct hd_wake **list, struct rest *rest, int at);

static void insert_below_each(struct hd_dpor *self, struct hd_wake *list, const struct rest *rest) {
    for (; list; list = list->next) {
        struct rest copy = *rest;
        copy.moves = hd_passing((rest->count + 1) * sizeof *copy.moves);
        if (rest->count) memcpy(copy.moves, rest->moves, rest->count * sizeof *copy.moves);
        insert_below(self, &list->child, &copy, NOT_THERE);
    }
}

/* A step was matched that got answers: below the same ones, if the sequence has them
 * at `at`; below each of them, if the step is not part of it. */
static void insert_below_answers(struct hd_dpor *self, struct hd_wake **list, struct rest *rest, int at) {
    if (at < 0) {
        insert_below_each(self, *list, rest);
        return;
    }
    if (!answer_at(rest, at)) return;
    int answer = node_of(self, rest, (uint32_t)at)->answer;
    for (struct hd_wake *each = *list; each; each = each->next) {
        if (each->answer != answer) continue;
        take_out(rest, (uint32_t)at);
        insert_below(self, &each->child, rest, at);
        return;
    }
    /* An answer that is new here: it and its like come first, then the others. */
    answers_first(rest, (uint32_t)at);
    append(self, list, rest);
}

/* The same for one that got none in the tree: what it got in the sequence, at `at`,
 * comes first in a tree that ends here, and one that goes on is for any answer. */
static void settle_answers(struct hd_wake *const *list, struct rest *rest, int at) {
    if (!*list && answer_at(rest, at)) answers_first(rest, (uint32_t)at);
    while (*list && answer_at(rest, at)) take_out(rest, (uint32_t)at);
}

static void insert_below(struct hd_dpor *self, struct hd_wake **list, struct rest *rest, int at) {
    if (*list && (*list)->is_value) {
        insert_below_answers(self, list, rest, at);
    } else {
        settle_answers(list, rest, at);
        insert(self, list, rest);
    }
}

/* The first branch that might as well make its step first; where the sequence has
 * that, as weak_initial says. */
static struct hd_wake *branch_for(const struct hd_dpor *self, struct hd_wake *list,
                                  const struct rest *rest, int *found) {
    for (; list; list = list->next) {
        bool next = rest->count && rest->moves[0].home == list->home;
        *found = next ? 0 : weak_initial(self, rest, list->home, &list->foot);
        if (*found != NOT_FIRST) break;
    }
    return list;
}

/* Down the tree as far as it goes the same way.
 *
 * Where the tree ends, what follows would be tried anyway if every branch were
 * known not to lead where an earlier one does. Footprints of steps that are still
 * to be made say too much, so some do, and those who sleep there would keep
 * the sequence from being found again: it is put in. */
static void insert(struct hd_dpor *self, struct hd_wake **list, struct rest *rest) {
    uint64_t added = self->added;
    struct hd_wake *way = NULL; /* the branches passed, the last one first */
    while (rest->count || rest->last) {
        int at;
        struct hd_wake *branch = branch_for(self, *list, rest, &at);
        if (!branch) {
            append(self, list, rest);
            break;
        }
        branch->back = way;
        way = branch;
        list = &branch->child;
        bool whole = at >= 0 && (uint32_t)at == rest->count; /* the last one, no answers */
        match(rest, at);
        if (rest->count == 0 && !rest->last) break;
        if (*list && (*list)->is_value) {
            insert_below_answers(self, list, rest, whole ? NOT_THERE : at);
            break;
        }
        settle_answers(list, rest, at);
    }
    if (self->added == added) return;
    for (; way; way = way->back) way->changed = self->runs;
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
    unsigned first = count ? self->nodes[self->sequence[0].node].thread : event->thread;
    bool possible = first >= 64 || at->enabled >> first & 1;
    for (uint32_t i = 0; possible && i < at->sleeper_count; i++) {
        const struct hd_asleep *sleeper = &self->sleepers[at->sleepers + i];
        if (weak_initial(self, &rest, sleeper->home, &sleeper->foot) != NOT_FIRST) return;
    }
    if (written_down(self, at, count, event)) return;
    if (possible) insert(self, &at->left, &rest);
    else append_all(self, at);
}
