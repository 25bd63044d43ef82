/* stale_flow.c - where values go (rules in stale.c). */
#include "checkers/stale.h"

static struct hd_stale_value *value_of(struct hd_stale *s, uint32_t thread, uint32_t id) {
    struct hd_stale_thread *t = &s->threads[thread];
    if (id >= s->registers) {
        return NULL;
    }
    if (!t->values) {
        t->values = hd_arena_array(s->pass->arena, s->registers, sizeof *t->values);
    }
    return &t->values[id];
}

/* True: it was stale, and that has been said. */
static bool use(struct hd_stale *s, const struct hd_stale_value *value,
                const struct hd_step *step, struct hd_warnings *out) {
    if (!value || !value->block || !hd_stale_is(s, step->thread, value->block)) {
        return false;
    }
    hd_stale_report(s, &value->load, step, out);
    return true;
}

static void finish(struct hd_stale *s, const struct hd_step *step) {
    struct hd_stale_thread *t = &s->threads[step->thread];
    struct hd_stale_value *result = value_of(s, step->thread, t->result);
    if (result) {
        *result = t->warned && s->reset ? (struct hd_stale_value){0} : t->best;
    }
    t->result = HD_NO_ID;
}

static void operation(struct hd_stale *s, const struct hd_step *step) {
    struct hd_stale_thread *t = &s->threads[step->thread];
    t->result = step->kind == HD_OP ? step->obj : HD_NO_ID;
    t->operands = step->aux;
    t->warned = false;
    t->best = (struct hd_stale_value){0};
    if (!t->operands) {
        finish(s, step);
    }
}

static void operand(struct hd_stale *s, const struct hd_step *step, struct hd_warnings *out) {
    struct hd_stale_thread *t = &s->threads[step->thread];
    if (!t->operands) {
        return; /* belongs to nothing */
    }
    const struct hd_stale_value *value = value_of(s, step->thread, step->obj);
    bool stale = use(s, value, step, out);
    if (stale || (value && !t->warned && value->block > t->best.block)) {
        t->best = *value; /* the block that ended, else the one that ends first */
    }
    t->warned |= stale;
    if (!--t->operands) {
        finish(s, step);
    }
}

void hd_stale_flow(struct hd_stale *s, const struct hd_step *step, struct hd_warnings *out) {
    struct hd_stale_value *value;
    if (step->marks & HD_MARK_PART) {
        return;
    }
    switch (step->kind) {
    case HD_READ:
        value = value_of(s, step->thread, step->aux);
        if (value) {
            uint64_t block = step->marks & HD_MARK_ESCAPED ? hd_stale_now(s, step->thread) : 0;
            *value = (struct hd_stale_value){block, hd_access_of(step)};
        }
        break;
    case HD_WRITE: use(s, value_of(s, step->thread, step->aux), step, out); break;
    case HD_MOV: {
        const struct hd_stale_value *from = value_of(s, step->thread, step->aux);
        value = value_of(s, step->thread, step->obj);
        bool warned = use(s, from, step, out);
        if (value) {
            *value = !from || (warned && s->reset) ? (struct hd_stale_value){0} : *from;
        }
        break;
    }
    case HD_OP:
    case HD_USE: operation(s, step); break;
    case HD_ARG: operand(s, step, out); break;
    }
}

void hd_stale_split(struct hd_stale *s, const struct hd_step *step, struct hd_warnings *out) {
    struct hd_stale_thread *t = &s->threads[step->thread];
    uint64_t block = hd_stale_now(s, step->thread);
    if (!hd_kind_is_access(step->kind) || !(step->marks & HD_MARK_ESCAPED) || !block) {
        return;
    }
    if (!t->read) {
        t->read = hd_arena_array(s->pass->arena, s->granules, sizeof *t->read);
    }
    struct hd_stale_value *read = &t->read[step->obj];
    if (hd_kind_reads(step->kind)) {
        *read = (struct hd_stale_value){block, hd_access_of(step)};
    } else if (read->block) {
        if (hd_stale_is(s, step->thread, read->block)) {
            hd_stale_report(s, &read->load, step, out);
        }
        read->block = 0; /* one update, one warning */
    }
}
