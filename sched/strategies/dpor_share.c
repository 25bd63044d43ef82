/* dpor_share.c - parts of the complete search that other processes do.
 *
 * What is offered is a branch that is next at some node of the way: the way to
 * it, who sleeps there, and what is left of the tree below it. All executions
 * below it follow from that, wherever they are run. Of what they find to be tried
 * elsewhere, at the nodes of the way, a worker writes down the sequences; here
 * they are put into the trees one after the other, in the order in which they
 * would have been found here. At last a worker writes down where it stands: the
 * nodes below the branch, with all that is left there, and the search goes on
 * with them.
 *
 * Until the search comes to the branch, sequences may have been added to it, or
 * an operation proved to touch other places than it was thought to: then the
 * description differs, and what was done ahead is thrown away (worker.h). */
#include "dpor.h"

#include "sched/work.h"

/* ---- writing and reading ------------------------------------------------------------- */

static void put_foot(struct hd_parcel *out, const struct hd_foot *foot) {
    hd_parcel_number(out, foot->count | (uint32_t)foot->all << 8);
    for (unsigned i = 0; i < foot->count; i++) {
        hd_parcel_put(out, &foot->key[i], sizeof foot->key[i]);
        hd_parcel_number(out, foot->mode[i]);
    }
}

static struct hd_foot get_foot(struct hd_parcel *in) {
    struct hd_foot foot = {0};
    uint32_t head = hd_parcel_get_number(in);
    for (unsigned i = 0; i < (head & 255); i++) {
        uint64_t key;
        hd_parcel_get(in, &key, sizeof key);
        hd_foot_add(&foot, key, hd_parcel_get_number(in));
    }
    foot.all = head >> 8;
    return foot;
}

static void put_tree(struct hd_parcel *out, const struct hd_wake *list) {
    for (; list; list = list->next) {
        hd_parcel_number(out, 1u | (uint32_t)list->is_value << 1 | (uint32_t)list->thread << 16);
        hd_parcel_number(out, list->is_value ? (uint32_t)list->answer : list->home);
        put_foot(out, &list->foot);
        put_tree(out, list->child);
    }
    hd_parcel_number(out, 0);
}

static struct hd_wake *get_tree(struct hd_dpor *self, struct hd_parcel *in) {
    struct hd_wake *first = NULL, **end = &first;
    for (uint32_t head; (head = hd_parcel_get_number(in)) != 0; end = &(*end)->next) {
        uint32_t which = hd_parcel_get_number(in);
        struct hd_foot foot = get_foot(in);
        *end = hd_wake_new(self, 0, &foot);
        (*end)->is_value = head >> 1 & 1;
        (*end)->thread = (uint16_t)(head >> 16);
        if ((*end)->is_value) (*end)->answer = (int)which;
        else (*end)->home = which;
        (*end)->child = get_tree(self, in);
    }
    return first;
}

static void put_sleeper(struct hd_parcel *out, uint16_t thread, uint32_t home,
                        const struct hd_foot *foot) {
    hd_parcel_number(out, thread);
    hd_parcel_number(out, home);
    put_foot(out, foot);
}

static void put_sleepers(const struct hd_dpor *self, struct hd_parcel *out,
                         const struct hd_node *node) {
    for (uint32_t i = 0; i < node->sleeper_count; i++) {
        const struct hd_asleep *sleeper = &self->sleepers[node->sleepers + i];
        put_sleeper(out, sleeper->thread, sleeper->home, &sleeper->foot);
    }
}

/* A node as it is between executions. */
static void put_node(const struct hd_dpor *self, struct hd_parcel *out,
                     const struct hd_node *node) {
    hd_parcel_number(out, node->thread | (uint32_t)node->is_value << 16);
    if (node->is_value) {
        hd_parcel_number(out, (uint32_t)node->answer);
        hd_parcel_number(out, (uint32_t)node->answers);
        return;
    }
    hd_parcel_number(out, node->home);
    hd_parcel_number(out, node->tried);
    hd_parcel_put(out, &node->enabled, sizeof node->enabled);
    put_foot(out, &node->foot);
    hd_parcel_number(out, node->sleeper_count);
    put_sleepers(self, out, node);
}

static void get_node(struct hd_dpor *self, struct hd_parcel *in, struct hd_node *node) {
    uint32_t head = hd_parcel_get_number(in);
    *node = (struct hd_node){.thread = (uint16_t)head, .is_value = head >> 16,
                             .sleepers = self->sleeper_count};
    if (node->is_value) {
        node->answer = (int)hd_parcel_get_number(in);
        node->answers = (int)hd_parcel_get_number(in);
        return;
    }
    node->home = hd_parcel_get_number(in);
    node->tried = (uint16_t)hd_parcel_get_number(in);
    hd_parcel_get(in, &node->enabled, sizeof node->enabled);
    node->foot = get_foot(in);
    for (uint32_t count = hd_parcel_get_number(in); count > 0; count--) {
        uint16_t thread = (uint16_t)hd_parcel_get_number(in);
        uint32_t home = hd_parcel_get_number(in);
        struct hd_foot foot = get_foot(in);
        hd_dpor_sleeps(self, node, thread, home, &foot);
    }
}

/* ---- describing a branch ---------------------------------------------------------------- */

/* Is this search one of several that have their turns? */
static bool mixed(void) { return hd_rt->strategy->share != &hd_dpor_share; }

static void put_way(const struct hd_dpor *self, struct hd_parcel *out, uint32_t count) {
    hd_parcel_number(out, self->timed | (uint32_t)mixed() << 1);
    hd_parcel_number(out, count + 1);
    for (uint32_t i = 0; i < count; i++) put_node(self, out, &self->nodes[i]);
}

/* The branch that is next at this node, as it will be when its turn has come: who
 * goes from there now sleeps there then. */
static void put_next(const struct hd_dpor *self, struct hd_parcel *out, uint32_t index) {
    const struct hd_node *node = &self->nodes[index];
    const struct hd_wake *branch = node->left;
    put_way(self, out, index);
    hd_parcel_number(out, branch->thread);
    hd_parcel_number(out, branch->home);
    hd_parcel_number(out, node->tried + 1u);
    hd_parcel_put(out, &node->enabled, sizeof node->enabled);
    put_foot(out, &(struct hd_foot){0});
    hd_parcel_number(out, node->sleeper_count + 1);
    put_sleepers(self, out, node);
    put_sleeper(out, node->thread, node->home, &node->foot);
    put_tree(out, branch->child);
}

/* The same when its turn has come. */
static void put_present(const struct hd_dpor *self, struct hd_parcel *out) {
    put_way(self, out, self->depth - 1);
    put_node(self, out, &self->nodes[self->depth - 1]);
    put_tree(out, self->guide);
}

#define SETTLED 16 /* executions without a change, after which it may stay so */
#define SOON 24 /* executions: what comes sooner is not worth giving away */

static bool can_be_next(const struct hd_dpor *self, const struct hd_node *node) {
    const struct hd_wake *next = node->left;
    if (node->is_value || !next || hd_work_given(next->item)) return false;
    if (next->thread == node->thread) return false;
    if (self->runs - next->changed < SETTLED && !hd_rt->config.eager) return false;
    return !hd_dpor_sleeps_at(self, node, next->thread);
}

/* The branch that comes soonest, but not too soon, by what branches at the nodes
 * below have cost so far; else the one that comes last. */
static bool offer(uint32_t id, bool near, struct hd_parcel *task) {
    struct hd_dpor *self = hd_dpor_self();
    uint64_t ahead = 0;
    uint32_t best = UINT32_MAX;
    /* Of the branch that is being taken it is not known yet what its first step does. */
    for (uint32_t i = self->taking ? self->depth - 1 : self->depth; i-- > 0;) {
        const struct hd_node *node = &self->nodes[i];
        if (near && node->left && hd_work_given(node->left->item)) break;
        if (can_be_next(self, node)) {
            best = i;
            if (ahead >= SOON || hd_rt->config.eager) break;
        }
        if (node->is_value) continue;
        uint64_t each = (self->runs - node->since) / (node->tried + 1u) + 1;
        for (const struct hd_wake *left = node->left; left; left = left->next) ahead += each;
    }
    if (best == UINT32_MAX) return false;
    put_next(self, task, best);
    self->nodes[best].left->item = id;
    return true;
}

static void accept(struct hd_parcel *task) {
    struct hd_dpor *self = hd_dpor_self();
    for (uint32_t i = 0; i < self->depth; i++) hd_wake_free(self, self->nodes[i].left);
    hd_wake_free(self, self->guide);
    self->depth = self->sleeper_count = self->taking = 0;
    uint32_t how = hd_parcel_get_number(task);
    self->timed = how & 1;
    self->mixed = how >> 1;
    self->floor = hd_parcel_get_number(task);
    while (self->depth < self->floor) get_node(self, task, hd_dpor_push(self));
    self->guide = get_tree(self, task);
    self->ready = true;
}

/* ---- what is to be tried above the branch -------------------------------------------------- */

static void put_clock(struct hd_parcel *out, const struct hd_clock *clock) {
    hd_parcel_number(out, clock->count);
    hd_parcel_put(out, clock->at, clock->count * (uint32_t)sizeof *clock->at);
}

static struct hd_clock get_clock(struct hd_parcel *in) {
    struct hd_clock clock = {.count = hd_parcel_get_number(in)};
    clock.room = clock.count;
    clock.at = hd_parcel_next(in, clock.count * (uint32_t)sizeof *clock.at);
    return clock;
}

enum { STAND, INSERT }; /* what follows */

void hd_dpor_write_down(const struct hd_dpor *self, struct hd_parcel *out, uint32_t at,
                        uint32_t count, const struct hd_late *event) {
    hd_parcel_number(out, INSERT);
    hd_parcel_number(out, at);
    hd_parcel_number(out, count);
    hd_parcel_number(out, event->thread);
    hd_parcel_number(out, event->home);
    put_foot(out, &event->foot);
    hd_parcel_number(out, event->previous != 0);
    if (event->previous) put_clock(out, &self->nodes[event->previous - 1].clock);
    for (uint32_t i = 0; i < count; i++) {
        const struct hd_node *node = &self->nodes[self->sequence[i].node];
        hd_parcel_number(out, node->thread | (uint32_t)node->is_value << 16);
        if (node->is_value) {
            hd_parcel_number(out, (uint32_t)node->answer);
            continue;
        }
        hd_parcel_number(out, node->home);
        hd_parcel_number(out, node->slot);
        hd_parcel_number(out, node->epoch);
        put_clock(out, &node->clock);
        put_foot(out, &node->foot);
    }
    for (uint64_t rest = self->nodes[at].enabled; rest; rest &= rest - 1) {
        hd_parcel_number(out, hd_rt->threads[__builtin_ctzl(rest)]->home);
    }
}

/* Put it into the tree of its node. The nodes of the sequence stand in for those of
 * the execution, in their order; behind them is what the last one's thread did
 * before, of which the clock is asked for. */
static void insert(struct hd_dpor *self, struct hd_parcel *in) {
    struct hd_node *at = &self->nodes[hd_parcel_get_number(in)], *way = self->nodes;
    struct hd_move *sequence = self->sequence;
    uint32_t count = hd_parcel_get_number(in);
    struct hd_node *nodes = hd_passing((count + 1) * sizeof *nodes);
    struct hd_late event = {.node = UINT32_MAX};
    event.thread = (uint16_t)hd_parcel_get_number(in);
    event.home = hd_parcel_get_number(in);
    event.foot = get_foot(in);
    if (hd_parcel_get_number(in)) {
        event.previous = count + 1;
        nodes[count].clock = get_clock(in);
    }
    self->sequence = hd_passing((count + 1) * sizeof *self->sequence);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t head = hd_parcel_get_number(in);
        self->sequence[i] = (struct hd_move){i, HD_ANSWER};
        nodes[i].thread = (uint16_t)head;
        nodes[i].is_value = head >> 16;
        if (nodes[i].is_value) {
            nodes[i].answer = (int)hd_parcel_get_number(in);
            continue;
        }
        nodes[i].home = self->sequence[i].home = hd_parcel_get_number(in);
        nodes[i].slot = (uint16_t)hd_parcel_get_number(in);
        nodes[i].epoch = hd_parcel_get_number(in);
        nodes[i].clock = get_clock(in);
        nodes[i].foot = get_foot(in);
    }
    uint32_t homes[64];
    for (uint64_t rest = at->enabled; rest; rest &= rest - 1) {
        homes[__builtin_ctzl(rest)] = hd_parcel_get_number(in);
    }
    self->nodes = nodes;
    self->homes = homes;
    hd_wake_insert(self, at, count, &event);
    self->nodes = way;
    self->homes = NULL;
    self->sequence = sequence;
}

/* ---- where a worker stands ------------------------------------------------------------------ */

static void put_stand(const struct hd_dpor *self, struct hd_parcel *out) {
    hd_parcel_number(out, self->timed);
    hd_parcel_number(out, self->depth + 1 - self->floor);
    for (uint32_t i = self->floor - 1; i < self->depth; i++) {
        const struct hd_node *node = &self->nodes[i];
        put_node(self, out, node);
        hd_parcel_number(out, (uint32_t)(self->runs - node->since));
        put_tree(out, i < self->floor ? NULL : node->left);
    }
}

static void rest(struct hd_parcel *out) { put_stand(hd_dpor_self(), out); }

void hd_dpor_write_stand(const struct hd_dpor *self, struct hd_parcel *out) {
    hd_parcel_number(out, STAND);
    put_stand(self, out);
}

/* Go on from there: the branch's own node keeps what is left there. */
static void adopt(struct hd_dpor *self, struct hd_parcel *in) {
    self->timed = hd_parcel_get_number(in);
    uint32_t count = hd_parcel_get_number(in);
    struct hd_node *node = &self->nodes[self->depth - 1];
    struct hd_wake *left = node->left;
    uint64_t since = node->since;
    self->sleeper_count = node->sleepers;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) node = hd_dpor_push(self);
        get_node(self, in, node);
        node->since = self->runs - hd_parcel_get_number(in);
        node->left = get_tree(self, in);
        if (i > 0) continue;
        node->left = left;
        node->since = since;
    }
}

/* The next execution of what is being taken; false: it is over. */
bool hd_dpor_take(struct hd_dpor *self) {
    struct hd_parcel own;
    if (hd_work_next(self->taking, &own)) {
        while (own.used < own.room && hd_parcel_get_number(&own) == INSERT) insert(self, &own);
        self->stand = own;
        return true;
    }
    self->taking = 0;
    adopt(self, &own);
    return false;
}

bool hd_dpor_done_ahead(struct hd_dpor *self, uint32_t item) {
    struct hd_parcel task = {.at = hd_passing_as_it_is(HD_WORK_ROOM / 4),
                             .room = HD_WORK_ROOM / 4};
    put_present(self, &task);
    if (!hd_work_open(item, &task)) return false;
    self->taking = item;
    hd_wake_free(self, self->guide);
    self->guide = NULL;
    return true;
}

/* What was being taken is no longer true: go on here after what was taken of it. */
static void forget(void) {
    struct hd_dpor *self = hd_dpor_self();
    if (self->taking && self->stand.room > self->stand.used) adopt(self, &self->stand);
    self->taking = 0;
}

/* The way, and beside every node of it about a branch that is left. */
static uint64_t held(uint64_t longest) {
    return longest * (sizeof(struct hd_node) + sizeof(struct hd_wake) + sizeof(struct hd_asleep));
}

const struct hd_share_ops hd_dpor_share = {
    .offer = offer,
    .accept = accept,
    .rest = rest,
    .forget = forget,
    .held = held,
};
