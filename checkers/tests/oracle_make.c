/* oracle_make.c - random cases, and random runs of them. */
#include "checkers/tests/oracle.h"

#include <stdio.h>
#include <string.h>

uint64_t hd_oracle_random(struct hd_oracle_rng *rng) {
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t hd_oracle_below(struct hd_oracle_rng *rng, uint32_t n) {
    return n ? (uint32_t)((hd_oracle_random(rng) >> 32) * n >> 32) : 0;
}

static bool chance(struct hd_oracle_rng *rng, uint32_t percent) {
    return hd_oracle_below(rng, 100) < percent;
}

/* ---- one thread ---------------------------------------------------------- */

struct making {
    struct hd_oracle_case *c;
    const struct hd_oracle_shape *shape;
    struct hd_oracle_rng *rng;
    uint32_t thread;
    uint8_t held[HD_ORACLE_OPS], mode[HD_ORACLE_OPS]; /* oldest first */
    uint32_t depth;
};

/* Leaves room for what must still close, and for what is inserted later. */
static bool room(const struct making *m) {
    return m->c->count[m->thread] + m->depth + 16 < HD_ORACLE_OPS;
}

static void put(struct making *m, uint8_t kind, uint32_t obj, uint8_t shared) {
    uint32_t *count = &m->c->count[m->thread];
    if (*count >= HD_ORACLE_OPS) return;
    m->c->op[m->thread][(*count)++] = (struct hd_oracle_op){kind, (uint8_t)obj, shared};
}

static void let_go(struct making *m, bool any) {
    uint32_t at = any ? hd_oracle_below(m->rng, m->depth) : m->depth - 1;
    /* The innermost hold of a lock goes first. */
    for (uint32_t i = m->depth; i-- > at;) {
        if (m->held[i] == m->held[at]) {
            at = i;
            break;
        }
    }
    put(m, HD_RELEASE, m->held[at], m->mode[at]);
    for (uint32_t i = at; i + 1 < m->depth; i++) {
        m->held[i] = m->held[i + 1];
        m->mode[i] = m->mode[i + 1];
    }
    m->depth--;
}

static void take(struct making *m) {
    uint8_t lock = (uint8_t)hd_oracle_below(m->rng, m->shape->locks);
    uint8_t shared = m->shape->readers && chance(m->rng, 40);
    for (uint32_t i = 0; i < m->depth; i++) {
        if (m->held[i] == lock) {
            if (!m->shape->reentrant || m->mode[i] || shared) return;
        }
    }
    if (!room(m)) return;
    put(m, HD_ACQUIRE, lock, shared);
    m->held[m->depth] = lock;
    m->mode[m->depth++] = shared;
}

static void touch(struct making *m) {
    const struct hd_oracle_shape *s = m->shape;
    bool locking = s->locking != HD_ORACLE_NO_LOCKS && s->locks;
    bool any = s->locking != HD_ORACLE_NESTED;
    if (!room(m)) return;
    if (locking && chance(m->rng, s->guarded)) take(m);
    bool write = chance(m->rng, s->writes);
    bool atomic = s->atomics && chance(m->rng, 30);
    uint8_t kind = atomic ? (write ? HD_VWRITE : HD_VREAD) : (write ? HD_WRITE : HD_READ);
    if (atomic && chance(m->rng, 25)) kind = HD_VRMW;
    put(m, kind, hd_oracle_below(m->rng, s->variables), 0);
    if (locking && m->depth && chance(m->rng, 55)) let_go(m, any);
}

static void make_thread(struct making *m) {
    const struct hd_oracle_shape *s = m->shape;
    bool across = s->locking == HD_ORACLE_ACROSS;
    uint32_t txns = 1 + hd_oracle_below(m->rng, s->txns);
    for (uint32_t n = 0; n < txns; n++) {
        while (chance(m->rng, s->outside)) {
            touch(m);
            while (m->depth && !across) let_go(m, false);
        }
        if (!room(m)) break;
        put(m, HD_BEGIN, n, 0);
        uint32_t accesses = 1 + hd_oracle_below(m->rng, s->accesses);
        bool inner = s->nested && chance(m->rng, 30);
        for (uint32_t a = 0; a < accesses; a++) {
            if (inner && a == accesses / 2) put(m, HD_BEGIN, 10 + n, 0);
            touch(m);
        }
        if (inner) put(m, HD_END, 0, 0);
        while (m->depth && !(across && chance(m->rng, 40))) {
            let_go(m, s->locking != HD_ORACLE_NESTED);
        }
        put(m, HD_END, 0, 0);
    }
    while (chance(m->rng, s->outside)) touch(m);
    while (m->depth) let_go(m, s->locking != HD_ORACLE_NESTED);
}

/* ---- between threads ----------------------------------------------------- */

/* A place in a thread from `from` on: outside of transactions unless `inside`. */
static uint32_t place(struct hd_oracle_case *c, struct hd_oracle_rng *rng, uint32_t thread,
                      uint32_t from, bool inside) {
    uint32_t fit[HD_ORACLE_OPS + 1], count = 0, depth = 0;
    for (uint32_t i = 0; i <= c->count[thread]; i++) {
        if (i >= from && (inside || depth == 0)) fit[count++] = i;
        if (i == c->count[thread]) break;
        if (c->op[thread][i].kind == HD_BEGIN) depth++;
        if (c->op[thread][i].kind == HD_END) depth--;
    }
    return count ? fit[hd_oracle_below(rng, count)] : c->count[thread];
}

static bool insert(struct hd_oracle_case *c, uint32_t thread, uint32_t at, uint8_t kind,
                   uint32_t obj) {
    uint32_t *count = &c->count[thread];
    if (*count >= HD_ORACLE_OPS) return false;
    memmove(&c->op[thread][at + 1], &c->op[thread][at],
            (*count - at) * sizeof c->op[thread][0]);
    c->op[thread][at] = (struct hd_oracle_op){kind, (uint8_t)obj, 0};
    ++*count;
    return true;
}

void hd_oracle_make(struct hd_oracle_case *c, const struct hd_oracle_shape *shape,
                    struct hd_oracle_rng *rng) {
    memset(c, 0, sizeof *c);
    c->threads = shape->threads;
    for (uint32_t t = 0; t < c->threads; t++) {
        struct making m = {.c = c, .shape = shape, .rng = rng, .thread = t};
        make_thread(&m);
    }
    bool inside = shape->fork_inside;
    bool forked[HD_ORACLE_THREADS] = {false};
    for (uint32_t u = 1; u < c->threads; u++) {
        if (!chance(rng, shape->forks)) continue;
        uint32_t t = hd_oracle_below(rng, u);
        uint32_t at = place(c, rng, t, 0, inside);
        if (!insert(c, t, at, HD_FORK, u)) continue;
        forked[u] = true;
        if (chance(rng, shape->joins)) {
            insert(c, t, place(c, rng, t, at + 1, inside), HD_JOIN, u);
        }
    }
    for (uint32_t s = 0; s < shape->semaphores; s++) {
        c->initial[s] = (uint8_t)hd_oracle_below(rng, 2);
        for (uint32_t n = 1 + hd_oracle_below(rng, 2); n-- > 0;) {
            uint32_t t = hd_oracle_below(rng, c->threads);
            uint32_t u = hd_oracle_below(rng, c->threads);
            insert(c, t, place(c, rng, t, 0, true), HD_POST, s);
            insert(c, u, place(c, rng, u, 0, true), HD_PEND, s);
        }
    }
    if (shape->barriers) { /* last: nothing may come between the two */
        for (uint32_t t = 0; t < c->threads; t++) {
            if (forked[t]) continue;
            uint32_t at = place(c, rng, t, 0, inside);
            if (insert(c, t, at, HD_BLEAVE, 0)) insert(c, t, at, HD_BARRIER, 0);
        }
    }
}

/* ---- runs ------------------------------------------------------------------ */

void hd_oracle_run_random(const struct hd_oracle_case *c, struct hd_oracle_rng *rng,
                          struct hd_oracle_run *run) {
    struct hd_oracle_facts facts;
    struct hd_oracle_state state = {{0}};
    hd_oracle_facts(c, &facts);
    run->count = 0;
    for (;;) {
        uint32_t can[HD_ORACLE_THREADS], count = 0;
        for (uint32_t t = 0; t < c->threads; t++) {
            if (hd_oracle_enabled(&facts, &state, t)) can[count++] = t;
        }
        if (!count) break;
        uint32_t t = can[hd_oracle_below(rng, count)];
        run->thread[run->count] = (uint8_t)t;
        run->pos[run->count++] = state.pos[t]++;
    }
    run->complete = true;
    for (uint32_t t = 0; t < c->threads; t++) {
        if (state.pos[t] < c->count[t]) run->complete = false;
    }
}

uint32_t hd_oracle_text(const struct hd_oracle_case *c, const struct hd_oracle_run *run,
                        char *buffer, uint32_t size) {
    static const char *const letter[] = {
        [HD_OPERAND_VARIABLE] = "x", [HD_OPERAND_SYNC] = "m", [HD_OPERAND_THREAD] = "T",
        [HD_OPERAND_LABEL] = "f",
    };
    uint32_t used = 0;
    buffer[0] = 0;
    for (uint32_t i = 0; i < HD_ORACLE_OBJECTS; i++) {
        if (!c->initial[i]) continue;
        used += (uint32_t)snprintf(buffer + used, size - used, "%%sync s%u kind=sem initial=%u\n",
                                   i, c->initial[i]);
    }
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t t = run->thread[i];
        const struct hd_oracle_op *op = &c->op[t][run->pos[i]];
        const char *word = hd_kind_word(op->kind);
        const char *prefix = letter[hd_kind_obj(op->kind)];
        if (op->kind == HD_POST || op->kind == HD_PEND) prefix = "s";
        if (op->kind == HD_BARRIER || op->kind == HD_BLEAVE) prefix = "b";
        int n = prefix ? snprintf(buffer + used, size - used, "T%u %s %s%u", t, word, prefix,
                                  op->obj)
                       : snprintf(buffer + used, size - used, "T%u %s", t, word);
        if (n < 0 || used + (uint32_t)n + 8 > size) break;
        used += (uint32_t)n;
        if (op->kind == HD_BEGIN) used += (uint32_t)sprintf(buffer + used, "_%u", t);
        if (op->kind == HD_BARRIER || op->kind == HD_BLEAVE) {
            used += (uint32_t)sprintf(buffer + used, " 0");
        }
        if (op->shared) used += (uint32_t)sprintf(buffer + used, " read");
        buffer[used++] = '\n';
        buffer[used] = 0;
    }
    return used;
}
