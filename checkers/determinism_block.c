/* determinism_block.c - blocks, transactions and their members (determinism_block.h). */
#include "checkers/determinism_block.h"

void hd_blocks_begin(struct hd_blocks *b, struct hd_arena *arena, uint32_t threads) {
    b->arena = arena;
    b->block_count = 1;
    b->txn_free = HD_NO_ID;
    b->members = hd_arena_array(arena, threads, sizeof *b->members);
    HD_ARENA_FIT(arena, b->blocks, b->block_room, 63);
}

static uint32_t new_txn(struct hd_blocks *b) {
    uint32_t id = b->txn_free;
    if (id != HD_NO_ID) {
        b->txn_free = b->txns[id].next;
    } else {
        id = b->txn_count++;
        HD_ARENA_FIT(b->arena, b->txns, b->txn_room, id);
        b->txns[id].generation = 1;
    }
    struct hd_txn *txn = &b->txns[id];
    txn->members = 1;
    txn->blocks = txn->count = 0;
    txn->node = 0;
    txn->forked = txn->blamed = false;
    return id;
}

bool hd_blocks_open(struct hd_blocks *b, uint32_t thread, uint32_t region) {
    struct hd_member *m = &b->members[thread];
    bool outermost = !m->txn;
    if (outermost) {
        m->txn = new_txn(b) + 1;
        m->block = m->own = m->closed = 0;
    }
    uint32_t id = m->closed;
    if (b->txns[m->txn - 1].count > HD_BLOCKS_MANY && id && b->blocks[id].above == m->block &&
        b->blocks[id].region == region) {
        m->block = id;
        m->own++;
        return outermost;
    }
    id = b->block_free;
    if (id) {
        b->block_free = b->blocks[id].next;
    } else {
        id = b->block_count++;
        HD_ARENA_FIT(b->arena, b->blocks, b->block_room, id);
    }
    struct hd_txn *txn = &b->txns[m->txn - 1];
    uint32_t depth = m->block ? b->blocks[m->block].depth + 1 : 1;
    b->blocks[id] = (struct hd_block){m->block, region, depth, txn->blocks};
    txn->blocks = id;
    txn->count++;
    m->block = id;
    m->own++;
    return outermost;
}

bool hd_blocks_close(struct hd_blocks *b, uint32_t thread) {
    struct hd_member *m = &b->members[thread];
    if (!m->own) return false;
    bool outermost = b->blocks[m->block].depth == 1;
    m->own--;
    m->closed = m->block;
    m->block = b->blocks[m->block].above;
    return outermost;
}

void hd_blocks_fork(struct hd_blocks *b, uint32_t thread, uint32_t child) {
    const struct hd_member *m = &b->members[thread];
    struct hd_member *c = &b->members[child];
    if (!m->txn || c->txn) return;
    c->txn = m->txn;
    c->block = m->block;
    c->own = c->closed = 0;
    b->txns[m->txn - 1].members++;
    b->txns[m->txn - 1].forked = true;
}

struct hd_txn *hd_blocks_leave(struct hd_blocks *b, uint32_t thread) {
    struct hd_member *m = &b->members[thread];
    if (!m->txn) return NULL;
    struct hd_txn *txn = &b->txns[m->txn - 1];
    m->txn = m->block = m->own = m->closed = 0;
    return --txn->members ? NULL : txn;
}

void hd_blocks_free(struct hd_blocks *b, struct hd_txn *txn) {
    while (txn->blocks) {
        uint32_t id = txn->blocks;
        txn->blocks = b->blocks[id].next;
        b->blocks[id].next = b->block_free;
        b->block_free = id;
    }
    txn->generation++;
    txn->next = b->txn_free;
    b->txn_free = (uint32_t)(txn - b->txns);
}

uint32_t hd_blocks_common(const struct hd_blocks *b, uint32_t one, uint32_t other) {
    while (one != other) {
        if (!one || !other) return 0;
        if (b->blocks[one].depth >= b->blocks[other].depth) one = b->blocks[one].above;
        else other = b->blocks[other].above;
    }
    return one;
}
