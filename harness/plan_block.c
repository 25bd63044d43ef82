/* plan_block.c - ways to break a transaction that the trace itself suggests.
 *
 * A checker that knows only that a transaction is not reducible names no other
 * thread. The trace does: of every two accesses of an instance, what can come in
 * between? One access of another thread that conflicts with both, or two of them
 * in the order that closes the cycle. One variable first, since most violations are
 * of one (Lu et al. 2008). Last, accesses that do not conflict as they were seen: who
 * looks while the other is held may go on to write where it did not before. */
#include "plan_inner.h"

#define INSTANCES 4 /* of the transaction, of each thread */
#define ACCESSES 40 /* of one instance */
#define REACH 65536 /* points that are looked through for the rest of an instance */
#define OTHERS 6    /* accesses of other threads to one variable */
#define THREADS 64

typedef const struct hd_plan_point point;

static bool conflict(point *a, point *b) {
    return a->thread != b->thread && a->obj == b->obj &&
           (hd_kind_writes(a->kind) || hd_kind_writes(b->kind));
}

enum way { ONE_VARIABLE, TWO_VARIABLES, LOOKING, WAYS };

/* What others do to the same variable: one access of each place and thread. */
static uint32_t others(const struct hd_plan_book *book, point *mine, bool looking,
                       uint32_t *list) {
    uint32_t count, found = 0;
    const uint32_t *all = hd_plan_accesses(book, mine->obj, &count);
    for (uint32_t i = 0; i < count && found < OTHERS; i++) {
        point *it = &book->points[all[i]];
        bool fresh = looking ? it->thread != mine->thread : conflict(mine, it);
        for (uint32_t k = 0; fresh && k < found; k++) {
            point *known = &book->points[list[k]];
            fresh = known->site != it->site || known->thread != it->thread;
        }
        if (fresh) list[found++] = all[i];
    }
    return found;
}

struct block {
    struct hd_plans *out;
    const struct hd_plan_book *book;
    uint32_t list[ACCESSES]; /* its accesses, in order */
    uint32_t count;
};

static void one_variable(const struct block *self, uint32_t p, uint32_t q, bool looking) {
    const struct hd_plan_book *book = self->book;
    uint32_t list[OTHERS];
    uint32_t count = others(book, &book->points[p], looking, list);
    for (uint32_t i = 0; i < count; i++) {
        if (!looking && !conflict(&book->points[q], &book->points[list[i]])) continue;
        uint32_t order[3] = {p, list[i], q};
        hd_plan_order(self->out, book, order, 3);
    }
}

static void two_variables(const struct block *self, uint32_t p, uint32_t q) {
    const struct hd_plan_book *book = self->book;
    uint32_t left[OTHERS], right[OTHERS];
    uint32_t m = others(book, &book->points[p], false, left);
    uint32_t n = others(book, &book->points[q], false, right);
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t k = 0; k < n; k++) {
            point *f = &book->points[left[i]], *g = &book->points[right[k]];
            if (f->thread != g->thread) continue;
            bool forward = f->seq < g->seq;
            if (!forward && f->txn != g->txn) continue; /* no way from the one to the other */
            uint32_t order[4] = {p, forward ? left[i] : right[k], forward ? right[k] : left[i], q};
            hd_plan_order(self->out, book, order, 4);
        }
    }
}

static void pairs(const struct block *self, enum way way) {
    for (uint32_t i = 0; i < self->count; i++) {
        for (uint32_t k = i + 1; k < self->count; k++) {
            uint32_t p = self->list[i], q = self->list[k];
            bool same = self->book->points[p].obj == self->book->points[q].obj;
            if (same && way != TWO_VARIABLES) one_variable(self, p, q, way == LOOKING);
            if (!same && way == TWO_VARIABLES) two_variables(self, p, q);
        }
    }
}

void hd_plan_block(struct hd_plans *out, const struct hd_plan_book *book, uint64_t identity) {
    for (enum way way = ONE_VARIABLE; way < WAYS; way++) {
        uint8_t seen[THREADS] = {0};
        for (uint32_t i = 0; i < book->count && out->count < HD_PLANS; i++) {
            point *first = &book->points[i];
            if (first->region != identity || first->thread >= THREADS) continue;
            bool begins = true; /* is it the instance's first? */
            for (uint32_t k = i; begins && k > 0 && i - k < 4 * ACCESSES; k--) {
                begins = book->points[k - 1].thread != first->thread ||
                         book->points[k - 1].txn != first->txn;
            }
            if (!begins || seen[first->thread]++ >= INSTANCES) continue;
            struct block block = {.out = out, .book = book};
            for (uint32_t k = i; k < book->count && k - i < REACH && block.count < ACCESSES; k++) {
                point *it = &book->points[k];
                if (it->txn != first->txn) continue;
                if (it->kind != HD_ACQUIRE && it->shared) block.list[block.count++] = k;
            }
            pairs(&block, way);
        }
    }
}
