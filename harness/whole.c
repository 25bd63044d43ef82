/* whole.c - see whole.h.
 *
 * Another operation lies in between for good iff it comes after one of the instance
 * and before a later one, by a chain of operations that depend on each other: of one
 * thread, or on one object unless both only read it. For each instance the chains that
 * begin in it are followed to see whether one comes back. */
#include "whole.h"

#include "identity.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#define WORK 20000000UL /* operations looked at, all instances together */

struct op {
    bool part;       /* of the operation before it in the list */
    uint32_t object; /* granule; or a synchronisation object, numbered behind them */
    uint32_t txn;    /* of the transaction that is asked about; HD_NO_ID: another, or none */
    uint16_t thread;
    uint16_t other; /* fork, join: which thread */
    uint8_t kind;
    bool write;
};

struct collected {
    const struct hd_trace *trace;
    uint64_t identity;
    struct op *list;
    uint32_t count, room;
    uint8_t *where; /* by thread: enum where */
    uint32_t objects; /* numbers of objects are below this */
    uint32_t txns;    /* numbers of instances are below this */
};

/* Where a thread is, seen from the transaction. A wait or a barrier ends an instance, but
 * who never comes back from there has not come to the end of it. */
enum where { OUTSIDE, INSIDE, WAITS, LEFT, KEPT };

static void follow(struct collected *self, const struct hd_step *step, bool asked) {
    uint8_t *where = &self->where[step->thread];
    if (step->kind == HD_STEP_OPEN) {
        *where = asked ? INSIDE : OUTSIDE;
    } else if (step->kind == HD_STEP_CLOSE) {
        if (asked && !(step->marks & HD_MARK_INCOMPLETE)) *where = *where == WAITS ? KEPT : LEFT;
    } else if (step->kind == HD_WAIT && *where == INSIDE) {
        *where = WAITS;
    } else if (step->kind == HD_BARRIER && *where == LEFT) {
        *where = KEPT;
    } else if (*where == LEFT || (*where == KEPT && step->kind != HD_BLEAVE)) {
        *where = OUTSIDE;
    }
}

/* Did it come to its end in every thread but the one that made the program fail? */
static bool all_ended(const struct collected *self, const char *failing) {
    for (uint32_t t = 0; t < hd_trace_threads(self->trace); t++) {
        bool open = self->where[t] != OUTSIDE && self->where[t] != LEFT;
        if (open && !(failing && strcmp(hd_trace_thread(self->trace, t), failing) == 0)) return false;
    }
    return true;
}

static void add(struct collected *self, struct op op) {
    if (self->count == self->room) {
        self->room = self->room ? self->room * 2 : 256;
        self->list = realloc(self->list, self->room * sizeof *self->list);
        if (!self->list) abort();
    }
    self->list[self->count++] = op;
    if (op.object != HD_NO_ID && op.object >= self->objects) self->objects = op.object + 1;
}

static bool is_asked(const struct collected *self, const struct hd_front *front,
                     const struct hd_step *step) {
    return step->region != HD_NO_ID &&
           hd_identity_atomicity(self->trace, hd_front_region(front, step->region)) ==
               self->identity;
}

static void visit(void *argument, const struct hd_front *front, const struct hd_step *step) {
    struct collected *self = argument;
    if (!step) return;
    bool asked = is_asked(self, front, step);
    follow(self, step, asked);
    if (step->kind >= HD_KIND_COUNT) return;
    uint32_t granules = hd_trace_granules(self->trace);
    struct op op = {.part = hd_kind_is_access(step->kind) && (step->marks & HD_MARK_PART),
                    .object = HD_NO_ID,
                    .txn = HD_NO_ID,
                    .thread = step->thread,
                    .kind = step->kind,
                    .write = true};
    if (asked) {
        op.txn = step->txn;
        if (step->txn >= self->txns) self->txns = step->txn + 1;
    }
    if (hd_kind_is_access(step->kind)) {
        op.object = step->obj;
        op.write = hd_kind_writes(step->kind);
    } else if (step->kind == HD_FORK || step->kind == HD_JOIN) {
        op.other = (uint16_t)step->obj;
    } else if (step->kind == HD_TXBEGIN || step->kind == HD_TXEND) {
        op.object = granules + hd_front_tm(front); /* memory transactions share one lock */
    } else if (hd_kind_obj(step->kind) == HD_OPERAND_SYNC) {
        op.object = granules + step->obj;
        op.write = !(step->flags & HD_FLAG_READ);
        if (hd_kind_aux(step->kind) == HD_OPERAND_SYNC) { /* a wait: its lock, too */
            add(self, op);
            op.part = true;
            op.object = granules + step->aux;
        }
    } else {
        return;
    }
    add(self, op);
}

enum { MINE_READ = 1, MINE_WROTE = 2, AFTER_READ = 4, AFTER_WROTE = 8 };

struct chains {
    uint8_t *marks;  /* by object: who was there, the instance or somebody after it */
    uint8_t *threads; /* what they do from now on comes after an operation of the instance */
};

static bool is_after(const struct op *op, const struct chains *to) {
    uint8_t mark = op->object == HD_NO_ID ? 0 : to->marks[op->object];
    return (mark & (MINE_WROTE | AFTER_WROTE)) || (op->write && mark) ||
           (op->kind == HD_JOIN && to->threads[op->other]);
}

/* Follows one instance from its first operation to its last; true if a chain comes
 * back. */
static bool comes_back(const struct collected *self, uint32_t first, uint32_t last,
                       struct chains *to) {
    uint32_t txn = self->list[first].txn;
    uint16_t owner = self->list[first].thread;
    for (uint32_t i = first; i <= last; i++) {
        const struct op *op = &self->list[i];
        uint8_t none = 0, *mark = op->object == HD_NO_ID ? &none : &to->marks[op->object];
        if (op->thread == owner) {
            if (op->txn != txn) { /* what stands between two parts of it */
                if (op->kind == HD_JOIN && to->threads[op->other]) to->threads[owner] = 1;
                continue;
            }
            if (to->threads[owner] || (*mark & AFTER_WROTE) || (op->write && (*mark & AFTER_READ))) {
                return true;
            }
            *mark |= op->write ? MINE_WROTE : MINE_READ;
            continue;
        }
        /* Of one that touches several objects all come after, or none. */
        for (uint32_t k = i; !op->part && k <= last && (k == i || self->list[k].part); k++) {
            if (is_after(&self->list[k], to)) to->threads[op->thread] = 1;
        }
        if (!to->threads[op->thread]) continue;
        *mark |= op->write ? AFTER_WROTE : AFTER_READ;
        if (op->kind == HD_FORK) to->threads[op->other] = 1;
    }
    return false;
}

static void forget(const struct collected *self, uint32_t first, uint32_t last,
                   struct chains *to, size_t threads) {
    for (uint32_t i = first; i <= last; i++) {
        if (self->list[i].object != HD_NO_ID) to->marks[self->list[i].object] = 0;
    }
    memset(to->threads, 0, threads);
}

bool hd_whole(struct hd_trace *trace, const char *transactions, uint64_t identity,
              const char *failing, struct hd_error *err) {
    size_t threads = hd_trace_threads(trace) + 1;
    struct collected self = {.trace = trace, .identity = identity, .where = calloc(threads, 1)};
    if (!self.where) abort();
    bool whole = hd_walk(trace, transactions, HD_NEED_TRANSACTIONS, visit, &self, err) == 0 &&
                 all_ended(&self, failing);
    uint64_t work = 0;
    struct chains to = {calloc(self.objects + 1, 1), calloc(threads, 1)};
    uint32_t *last = calloc(self.txns + 1, sizeof *last); /* of each instance, plus one */
    if (!to.marks || !to.threads || !last) abort();
    for (uint32_t i = 0; i < self.count; i++) {
        if (self.list[i].txn != HD_NO_ID) last[self.list[i].txn] = i + 1;
    }
    for (uint32_t i = 0; whole && i < self.count; i++) {
        uint32_t txn = self.list[i].txn;
        if (txn == HD_NO_ID || last[txn] == 0) continue; /* 0: it has been followed */
        uint32_t end = last[txn] - 1;
        last[txn] = 0;
        work += end - i;
        whole = work <= WORK && !comes_back(&self, i, end, &to);
        forget(&self, i, end, &to, threads);
    }
    free(last);
    free(to.marks);
    free(to.threads);
    free(self.list);
    free(self.where);
    return whole;
}
