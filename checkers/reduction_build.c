/* reduction_build.c - tokens as the steps come.
 *
 * Reentrant lock operations leave no token, unless the rules for locks are off: a
 * lock that is held already is neither acquired nor released. */
#include "checkers/reduction_build.h"

static void append(struct hd_reduction_builder *b, struct hd_arena *arena,
                   const struct hd_step *step, uint32_t token) {
    struct hd_reduction_shape *shape = &b->shape;
    HD_ARENA_FIT(arena, shape->tokens, b->token_room, shape->count);
    HD_ARENA_FIT(arena, shape->samples, b->sample_room, shape->count);
    if (shape->count == 0) shape->seq = step->seq;
    uint64_t later = step->seq - shape->seq;
    shape->tokens[shape->count] = token;
    shape->samples[shape->count++] = (struct hd_reduction_sample){
        .later = later > UINT32_MAX ? UINT32_MAX : (uint32_t)later,
        .site = step->site,
        .function = step->function,
        .held = step->held,
        .kind = step->kind,
        .flags = step->flags,
    };
}

static void on_access(struct hd_reduction_builder *b,
                      struct hd_reduction_classes *classes, struct hd_arena *arena,
                      const struct hd_step *step) {
    if (classes->escape && !(step->marks & HD_MARK_ESCAPED)) return;
    hd_reduction_access(classes, step);
    if (!b->open) return;
    uint32_t *times = hd_blocks_map_get(arena, &b->seen, step->obj, 0);
    if (*times == 2) return; /* a third access is no worse than a second */
    ++*times;
    unsigned what =
        hd_kind_is_plain(step->kind) ? HD_REDUCTION_ACCESS : HD_REDUCTION_ATOMIC;
    append(b, arena, step, HD_REDUCTION_TOKEN(what, step->obj));
}

static void on_lock(struct hd_reduction_builder *b, struct hd_reduction_classes *classes,
                    const struct hd_pass *pass, const struct hd_step *step) {
    struct hd_reduction_op op;
    if (!hd_reduction_op_of(pass, step, &op)) return;
    bool inner = step->marks & HD_MARK_REENTRANT;
    if (!inner) hd_reduction_lock(classes, step, &op);
    if (!b->open) {
        hd_reduction_crosses(classes, op.lock); /* held around single events */
    } else if (!inner || !classes->lock_rules) {
        unsigned what = op.release ? HD_REDUCTION_RELEASE : HD_REDUCTION_ACQUIRE;
        append(b, pass->arena, step, HD_REDUCTION_TOKEN(what, op.lock));
        hd_blocks_map_clear(&b->seen);
    }
}

bool hd_reduction_build(struct hd_reduction_builder *b,
                        struct hd_reduction_classes *classes, const struct hd_pass *pass,
                        const struct hd_step *step) {
    if (hd_kind_is_access(step->kind)) {
        on_access(b, classes, pass->arena, step);
    } else if (step->kind == HD_STEP_OPEN) {
        b->open = true;
        b->shape.count = 0;
        b->shape.region = step->region;
        b->shape.txn = step->txn;
        b->shape.thread = step->thread;
        hd_blocks_map_clear(&b->seen);
        hd_reduction_boundary(classes, step->holds);
    } else if (step->kind == HD_STEP_CLOSE) {
        bool was = b->open;
        b->open = false;
        b->shape.incomplete = step->marks & HD_MARK_INCOMPLETE;
        hd_reduction_boundary(classes, step->holds);
        return was;
    } else {
        on_lock(b, classes, pass, step);
    }
    return false;
}
