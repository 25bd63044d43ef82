/* oracle.c - what is possible next, and which transaction is whose. */
#include "checkers/tests/oracle.h"

#include <string.h>

void hd_oracle_facts(const struct hd_oracle_case *c, struct hd_oracle_facts *f) {
    memset(f, 0, sizeof *f);
    f->c = c;
    for (uint32_t t = 0; t < HD_ORACLE_THREADS; t++) f->forker[t] = -1;
    for (uint32_t t = 0; t < c->threads; t++) {
        uint8_t level[HD_ORACLE_OBJECTS] = {0};
        bool takes_part[HD_ORACLE_OBJECTS] = {false};
        for (uint32_t i = 0; i < c->count[t]; i++) {
            const struct hd_oracle_op *op = &c->op[t][i];
            uint16_t exclusive = f->exclusive[t][i], shared = f->shared[t][i];
            uint16_t bit = (uint16_t)(1u << (op->obj & 15));
            if (op->kind == HD_ACQUIRE && level[op->obj]++ == 0) {
                if (op->shared) shared |= bit;
                else exclusive |= bit;
            }
            if (op->kind == HD_RELEASE && --level[op->obj] == 0) {
                exclusive &= (uint16_t)~bit;
                shared &= (uint16_t)~bit;
            }
            if (op->kind == HD_FORK) {
                f->forker[op->obj] = (int)t;
                f->forked_at[op->obj] = (int)i;
            }
            if (op->kind == HD_BARRIER && !takes_part[op->obj]) {
                takes_part[op->obj] = true;
                f->taking_part[op->obj]++;
            }
            f->exclusive[t][i + 1] = exclusive;
            f->shared[t][i + 1] = shared;
        }
    }
}

bool hd_oracle_started(const struct hd_oracle_facts *f, const struct hd_oracle_state *s,
                       uint32_t thread) {
    int parent = f->forker[thread];
    return parent < 0 || s->pos[parent] > f->forked_at[thread];
}

/* How often the threads have done `kind` to `obj` so far. */
static int done(const struct hd_oracle_facts *f, const struct hd_oracle_state *s, uint8_t kind,
                uint8_t obj) {
    int n = 0;
    for (uint32_t t = 0; t < f->c->threads; t++) {
        for (uint32_t i = 0; i < s->pos[t]; i++) {
            n += f->c->op[t][i].kind == kind && f->c->op[t][i].obj == obj;
        }
    }
    return n;
}

bool hd_oracle_enabled(const struct hd_oracle_facts *f, const struct hd_oracle_state *s,
                       uint32_t thread) {
    const struct hd_oracle_case *c = f->c;
    uint32_t pos = s->pos[thread];
    if (pos >= c->count[thread] || !hd_oracle_started(f, s, thread)) return false;
    const struct hd_oracle_op *op = &c->op[thread][pos];
    switch (op->kind) {
    case HD_ACQUIRE: {
        uint16_t bit = (uint16_t)(1u << op->obj);
        for (uint32_t u = 0; u < c->threads; u++) {
            if (u == thread) continue;
            if (f->exclusive[u][s->pos[u]] & bit) return false;
            if (!op->shared && f->shared[u][s->pos[u]] & bit) return false;
        }
        return true;
    }
    case HD_JOIN:
        return hd_oracle_started(f, s, op->obj) && s->pos[op->obj] == c->count[op->obj];
    case HD_BLEAVE: return done(f, s, HD_BARRIER, op->obj) == f->taking_part[op->obj];
    case HD_PEND:
        return c->initial[op->obj] + done(f, s, HD_POST, op->obj) >
               done(f, s, HD_PEND, op->obj);
    default: return true;
    }
}

static bool cuts(uint8_t kind) {
    return kind == HD_FORK || kind == HD_JOIN || kind == HD_BARRIER || kind == HD_BLEAVE;
}

uint32_t hd_oracle_number(const struct hd_oracle_case *c, bool cut,
                          uint16_t txn[HD_ORACLE_THREADS][HD_ORACLE_OPS],
                          bool unary[HD_ORACLE_STEPS]) {
    uint32_t next = 0;
    for (uint32_t t = 0; t < c->threads; t++) {
        uint32_t depth = 0;
        bool open = false; /* the number in use goes on */
        for (uint32_t i = 0; i < c->count[t]; i++) {
            uint8_t kind = c->op[t][i].kind;
            bool alone = (depth == 0 && kind != HD_BEGIN) || (cut && cuts(kind));
            if (kind == HD_BEGIN) depth++;
            if (kind == HD_END && depth) depth--;
            if (alone || !open) next++;
            txn[t][i] = (uint16_t)(next - 1);
            unary[next - 1] = alone;
            open = !alone && depth > 0;
        }
    }
    return next;
}
