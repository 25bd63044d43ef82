/* judge.c - what happened, as nodes and pairs (definition in judge.h). */
#include "checkers/judge_state.h"

#include <string.h>

void *hd_judge_get(struct hd_judge *j, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (j->full || size > j->size - j->used) {
        j->full = true;
        return NULL;
    }
    void *got = j->memory + j->used;
    j->used += size;
    memset(got, 0, size);
    return got;
}

struct hd_judge *hd_judge_new(void *memory, size_t size) {
    size_t odd = (16 - (uintptr_t)memory % 16) % 16;
    if (size < HD_JUDGE_LEAST) return NULL;
    struct hd_judge *j = (struct hd_judge *)((char *)memory + odd);
    memset(j, 0, sizeof *j);
    j->memory = (char *)j;
    j->size = size - odd;
    j->start = (sizeof *j + 15) & ~(size_t)15;
    hd_judge_reset(j);
    return j;
}

void hd_judge_reset(struct hd_judge *j) {
    struct hd_judge fresh = {.memory = j->memory, .size = j->size, .start = j->start};
    memcpy(j, &fresh, sizeof fresh);
    j->used = j->start;
    j->thread_room = 16;
    j->threads = hd_judge_get(j, j->thread_room * sizeof *j->threads);
    j->table_room = 64;
    j->table = hd_judge_get(j, j->table_room * sizeof *j->table);
}

bool hd_judge_full(const struct hd_judge *j) { return j->full; }

/* ---- names ------------------------------------------------------------------ */

struct thread *hd_judge_thread(struct hd_judge *j, uint32_t id) {
    if (id >= j->thread_room) {
        uint64_t room = j->thread_room;
        while (room <= id) room *= 2;
        struct thread *more =
            room > SIZE_MAX / sizeof *more ? NULL : hd_judge_get(j, room * sizeof *more);
        if (!more) {
            j->full = true;
            return NULL;
        }
        memcpy(more, j->threads, j->thread_room * sizeof *more);
        j->threads = more;
        j->thread_room = (uint32_t)room;
    }
    return &j->threads[id];
}

static size_t slot_of(const struct hd_judge *j, enum object_kind kind, uint64_t name) {
    uint64_t h = (name ^ (uint64_t)kind << 59) * 0x9e3779b97f4a7c15u;
    size_t slot = (h ^ h >> 32) & (j->table_room - 1);
    while (j->table[slot] && (j->table[slot]->name != name || j->table[slot]->kind != kind)) {
        slot = (slot + 1) & (j->table_room - 1);
    }
    return slot;
}

struct object *hd_judge_object(struct hd_judge *j, enum object_kind kind, uint64_t name) {
    if (j->full) return NULL;
    size_t slot = slot_of(j, kind, name);
    if (j->table[slot]) return j->table[slot];
    struct object *o = hd_judge_get(j, sizeof *o);
    if (!o) return NULL;
    o->kind = kind;
    o->name = name;
    if (kind == LOCK) {
        o->next_same = j->locks;
        j->locks = o;
    }
    if (++j->table_count * 2 > j->table_room) {
        struct object **old = j->table;
        size_t room = j->table_room;
        struct object **table = hd_judge_get(j, room * 2 * sizeof *table);
        if (!table) return NULL;
        j->table = table;
        j->table_room = room * 2;
        for (size_t i = 0; i < room; i++) {
            if (old[i]) j->table[slot_of(j, old[i]->kind, old[i]->name)] = old[i];
        }
        slot = slot_of(j, kind, name);
    }
    j->table[slot] = o;
    return o;
}

struct item *hd_judge_item(struct hd_judge *j) {
    struct item *item = j->spare;
    if (!item) return hd_judge_get(j, sizeof *item);
    j->spare = item->next;
    memset(item, 0, sizeof *item);
    return item;
}

void hd_judge_drop(struct hd_judge *j, struct object *o) {
    while (o->items) {
        struct item *item = o->items;
        o->items = item->next;
        item->next = j->spare;
        j->spare = item;
    }
    o->last = NULL;
}

void hd_judge_append(struct hd_judge *j, struct object *o, const struct hd_judge_point *point) {
    struct item *item = hd_judge_item(j);
    if (!item) return;
    item->point = *point;
    if (o->last) o->last->next = item;
    else o->items = item;
    o->last = item;
}

/* ---- operations ---------------------------------------------------------------- */

static struct node *new_node(struct hd_judge *j, uint32_t thread, uint64_t label, bool unary,
                             uint64_t step) {
    struct node *n = hd_judge_get(j, sizeof *n);
    if (!n) return NULL;
    n->thread = thread;
    n->label = label;
    n->unary = unary;
    n->begin = step;
    if (j->last_node) j->last_node->next = n;
    else j->nodes = n;
    j->last_node = n;
    return n;
}

struct pair *hd_judge_pair(struct hd_judge *j, const struct hd_judge_point *from,
                           struct node *to, uint64_t in) {
    if (!from->node || !to || from->node == to) return NULL;
    struct pair *p = hd_judge_get(j, sizeof *p);
    if (!p) return NULL;
    *p = (struct pair){from->node, to, from->step, in, from->node->out, to->in, false};
    from->node->out = p;
    to->in = p;
    return p;
}

struct node *hd_judge_node(struct hd_judge *j, uint32_t thread, uint64_t step, bool fresh) {
    struct thread *t = hd_judge_thread(j, thread);
    if (!t) return NULL;
    struct node *n = t->now;
    if (!n && t->parts && t->last.step == step) return t->last.node;
    t->parts = false;
    if (!n && !fresh && t->seen && t->last.node && t->last.node->unary) n = t->last.node;
    if (!n) {
        n = new_node(j, thread, HD_JUDGE_NO_LABEL, true, step);
        if (!n) return NULL;
        hd_judge_pair(j, &t->last, n, step);
    }
    t->last = (struct hd_judge_point){n, step, thread};
    t->seen = true;
    return n;
}

struct hd_judge_point hd_judge_point_for(struct hd_judge *j, uint32_t thread, uint64_t step) {
    struct node *n = hd_judge_node(j, thread, step, false);
    return (struct hd_judge_point){n, step, thread};
}

void hd_judge_parts(struct hd_judge *j, uint32_t thread, uint64_t step) {
    struct thread *t = hd_judge_thread(j, thread);
    if (!t || t->now || (t->parts && t->last.step == step)) return;
    t->parts = hd_judge_node(j, thread, step, true) != NULL;
}

static void boundary(struct thread *t) {
    for (struct section *s = t->open; s; s = s->next) s->across = true;
}

void hd_judge_begin(struct hd_judge *j, uint32_t thread, uint64_t label, uint64_t step) {
    struct thread *t = hd_judge_thread(j, thread);
    if (!t || t->depth++) return;
    boundary(t);
    struct node *n = new_node(j, thread, label, false, step);
    if (!n) return;
    hd_judge_pair(j, &t->last, n, step);
    t->now = n;
    t->last = (struct hd_judge_point){n, step, thread};
    t->seen = true;
}

void hd_judge_end(struct hd_judge *j, uint32_t thread, uint64_t step) {
    struct thread *t = hd_judge_thread(j, thread);
    if (!t || !t->depth || --t->depth) return;
    boundary(t);
    t->now = NULL;
    t->last.step = step;
}

static struct item *reader_of(struct object *o, uint32_t thread) {
    for (struct item *item = o->items; item; item = item->next) {
        if (item->point.thread == thread) return item;
    }
    return NULL;
}

void hd_judge_access(struct hd_judge *j, uint32_t thread, uint64_t variable, bool write,
                     uint64_t step) {
    struct object *o = hd_judge_object(j, VARIABLE, variable);
    if (!o) return;
    struct item *mine = reader_of(o, thread);
    bool foreign = write && o->items && (o->items != mine || mine->next);
    bool after_write = o->write.node && o->write.thread != thread && (write ? !o->items : !mine);
    struct node *n = hd_judge_node(j, thread, step, foreign || after_write);
    if (!n) return;
    if (after_write) hd_judge_pair(j, &o->write, n, step);
    struct hd_judge_point point = {n, step, thread};
    if (!write) {
        if (mine) mine->point = point;
        else hd_judge_append(j, o, &point);
        return;
    }
    for (struct item *item = o->items; item; item = item->next) {
        if (item != mine) hd_judge_pair(j, &item->point, n, step);
    }
    hd_judge_drop(j, o);
    o->write = point;
}

/* ---- locks: only noted; their pairs are made when all sections are known -------- */

static struct section *open_section(struct thread *t, const struct object *lock) {
    struct section *s = t->open;
    while (s && s->lock != lock) s = s->next;
    return s;
}

static void add_turn(struct hd_judge *j, struct object *o, struct section *s, bool takes) {
    struct turn *turn = hd_judge_get(j, sizeof *turn);
    if (!turn) return;
    turn->section = s;
    turn->takes = takes;
    if (o->last_turn) o->last_turn->next = turn;
    else o->turns = turn;
    o->last_turn = turn;
}

void hd_judge_lock(struct hd_judge *j, uint32_t thread, uint64_t lock, bool shared,
                   uint64_t step) {
    struct object *o = hd_judge_object(j, LOCK, lock);
    struct thread *t = hd_judge_thread(j, thread);
    if (!o || !t) return;
    struct section *s = open_section(t, o);
    if (s) {
        s->level++;
        return;
    }
    s = hd_judge_get(j, sizeof *s);
    struct node *n = hd_judge_node(j, thread, step, true);
    if (!s || !n) return;
    s->lock = o;
    s->level = 1;
    s->shared = shared;
    s->taken = (struct hd_judge_point){n, step, thread};
    s->next = t->open;
    t->open = s;
    add_turn(j, o, s, true);
}

void hd_judge_unlock(struct hd_judge *j, uint32_t thread, uint64_t lock, uint64_t step) {
    struct object *o = hd_judge_object(j, LOCK, lock);
    struct thread *t = hd_judge_thread(j, thread);
    if (!o || !t) return;
    struct section *s = open_section(t, o);
    if (!s || --s->level) return;
    for (struct section **link = &t->open; *link; link = &(*link)->next) {
        if (*link == s) {
            *link = s->next;
            break;
        }
    }
    s->given = hd_judge_point_for(j, thread, step);
    add_turn(j, o, s, false);
}
