/* twins.c - see twins.h.
 *
 * The past of an operation is told by a number: that of its thread before it, and of
 * each object it touches the last write and the sum of the reads since (as the class
 * of an execution is told, sched/class.h). What the object is does not go in: that a
 * thread knows by what it has read. Clocks over the same pairs say whether two accesses are
 * neighbours. */
#include "twins.h"

#include "identity.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 64          /* more: not looked at */
#define EVENTS 2000000UL    /* likewise */
#define TOUCHES 16          /* objects of one operation; an access to more of them is one to these */

struct touch { /* the latest of a thread on an object */
    uint64_t before; /* number of its thread, before it */
    uint64_t added;  /* to the reads of each object */
    uint64_t given;  /* what it found on all objects that it touched */
    uint64_t place;
    uint32_t clock[THREADS]; /* its thread's, with it */
    uint16_t thread;
    bool atomic;
};

struct object {
    struct touch write, *reads; /* one read a thread, the latest */
    uint32_t read_count, read_room;
    uint64_t write_hash, read_hashes;
    uint64_t old_write, old_reads; /* as the last write found it */
    bool written;
};

struct running {
    uint64_t name, hash;
    uint32_t clock[THREADS];
    uint32_t sure[THREADS]; /* what forks and joins put before it */
    uint32_t open; /* its last operation that may change places with one after it */
    bool forked, joined;
};

/* The two orders of a case that this execution has one of. */
struct seen {
    struct seen *next;
    uint64_t variable, past;
    uint32_t clock[THREADS]; /* up to here everything comes before the two, or is they */
    bool swapped;
};

struct looking {
    struct hd_twins *twins;
    const struct hd_trace *trace;
    struct running threads[THREADS];
    struct object *objects; /* granules, then synchronisation, two for each, then memory transactions */
    uint32_t granules, count;
    uint32_t outcome, failure;
    bool cut; /* before its end */
    struct seen *seen;
};

/* ---- the table ---------------------------------------------------------------------- */

static struct hd_twin *find(struct hd_twins *self, uint64_t variable, uint64_t past) {
    if (self->count * 2 >= self->room) {
        struct hd_twins old = *self;
        self->room = old.room ? old.room * 2 : 64;
        self->table = calloc(self->room, sizeof *self->table);
        if (!self->table) abort();
        self->count = 0;
        for (uint32_t i = 0; i < old.room; i++) {
            if (old.table[i].variable) *find(self, old.table[i].variable, old.table[i].past) = old.table[i];
        }
        free(old.table);
    }
    uint32_t at = (uint32_t)hd_identity_mix(variable, past) & (self->room - 1);
    struct hd_twin *it = &self->table[at];
    for (; it->variable && (it->variable != variable || it->past != past); it = &self->table[at]) {
        at = (at + 1) & (self->room - 1);
    }
    if (!it->variable) {
        it->number = self->count++;
        it->variable = variable;
        it->past = past;
    }
    return it;
}

static void put(const struct looking *self, uint64_t variable, uint64_t past, bool swapped,
                const uint64_t places[2]) {
    struct hd_twin *it = find(self->twins, variable, past);
    struct hd_outcomes *set = &it->came[swapped];
    it->places[0] = places[swapped];
    it->places[1] = places[!swapped];
    hd_outcomes_put(set, self->outcome);
    if (self->failure != HD_NO_ID) hd_outcomes_put(set, HD_OUTCOME_FAILURE | self->failure);
}

/* ---- one operation ------------------------------------------------------------------- */

struct op {
    uint16_t thread;
    bool access, atomic;
    uint64_t place;
    uint32_t touched[TOUCHES]; /* objects */
    bool writes[TOUCHES];
    uint32_t count;
};

static void add(struct op *op, uint32_t object, bool write) {
    if (op->count == TOUCHES) return;
    op->touched[op->count] = object;
    op->writes[op->count++] = write;
}

static bool same(const struct touch *a, const struct touch *b) {
    return a->thread == b->thread && a->clock[a->thread] == b->clock[b->thread];
}

static bool after(const struct touch *earlier, const uint32_t *clock) {
    return earlier->clock[earlier->thread] <= clock[earlier->thread];
}

/* What an operation finds: each thing once, wherever in its bytes. How many objects
 * these are differs from trace to trace (a string that is not written yet is shorter). */
struct found {
    uint64_t list[2 * TOUCHES], sum;
    uint32_t count;
};

static void find_one(struct found *self, uint64_t hash) {
    if (!hash) return;
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i] == hash) return;
    }
    self->list[self->count++] = hash;
    self->sum += hd_identity_mix(hash, 1);
}

/* ... as if `without` had not been. */
static uint64_t given(const struct looking *self, const struct op *op, const struct touch *without) {
    struct found found = {.sum = 0};
    for (uint32_t i = 0; i < op->count; i++) {
        const struct object *o = &self->objects[op->touched[i]];
        uint64_t write = o->write_hash, reads = o->read_hashes;
        if (without && o->written && same(&o->write, without)) {
            write = o->old_write;
            reads = o->old_reads;
        }
        for (uint32_t k = 0; without && k < o->read_count; k++) {
            if (same(&o->reads[k], without)) reads -= without->added;
        }
        find_one(&found, write);
        if (op->writes[i]) find_one(&found, reads ? ~reads : 0);
    }
    return found.sum;
}

/* All that `op` comes directly after, on any of its objects; each once. */
static uint32_t earlier(const struct looking *self, const struct op *op, const struct touch **list,
                        uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < op->count; i++) {
        const struct object *o = &self->objects[op->touched[i]];
        for (uint32_t k = 0; k <= (op->writes[i] ? o->read_count : 0); k++) {
            const struct touch *it = k ? &o->reads[k - 1] : &o->write;
            bool fresh = (k || o->written) && it->thread != op->thread && count < most;
            for (uint32_t n = 0; fresh && n < count; n++) fresh = !same(list[n], it);
            if (fresh) list[count++] = it;
        }
    }
    return count;
}

static void note_seen(struct looking *self, const struct op *op, const struct touch *a,
                      uint64_t variable, uint64_t past, bool swapped) {
    const uint32_t *mine = self->threads[op->thread].clock;
    struct seen *it = malloc(sizeof *it);
    if (!it) abort();
    *it = (struct seen){.next = self->seen, .variable = variable, .past = past, .swapped = swapped};
    for (uint32_t t = 0; t < THREADS; t++) it->clock[t] = mine[t] > a->clock[t] ? mine[t] : a->clock[t];
    it->clock[op->thread]++; /* it itself */
    self->seen = it;
}

static void pair(struct looking *self, const struct op *op, const struct touch *a) {
    const struct running *mine = &self->threads[op->thread], *other = &self->threads[a->thread];
    bool swapped = mine->name < other->name;
    uint64_t one = hd_identity_mix(a->before, a->given);
    uint64_t two = hd_identity_mix(mine->hash, given(self, op, a));
    uint64_t past = swapped ? hd_identity_mix(two, one) : hd_identity_mix(one, two);
    uint64_t told = 0, places[2] = {a->place, op->place};
    for (uint32_t i = 0; i < op->count; i++) { /* the objects that they share */
        const struct object *o = &self->objects[op->touched[i]];
        bool shared = o->written && same(&o->write, a);
        for (uint32_t k = 0; op->writes[i] && k < o->read_count; k++) {
            shared = shared || same(&o->reads[k], a);
        }
        uint64_t variable = hd_identity_variable(self->trace, op->touched[i]);
        if (shared && variable != told) {
            put(self, variable, past, swapped, places);
            note_seen(self, op, a, variable, past, swapped);
        }
        if (shared) told = variable;
    }
}

static void neighbours(struct looking *self, const struct op *op) {
    const struct touch *list[4 * THREADS];
    uint32_t count = earlier(self, op, list, 4 * THREADS);
    const uint32_t *clock = self->threads[op->thread].clock;
    for (uint32_t i = 0; i < count; i++) {
        bool direct = !after(list[i], clock) && !(list[i]->atomic && op->atomic);
        for (uint32_t k = 0; direct && k < count; k++) direct = k == i || !after(list[i], list[k]->clock);
        if (direct) pair(self, op, list[i]);
    }
}

/* Whoever it comes after, and forks and joins do not say so, might come after it. */
static void leave_open(struct looking *self, const struct op *op) {
    const struct touch *list[4 * THREADS];
    uint32_t count = earlier(self, op, list, 4 * THREADS);
    const uint32_t *sure = self->threads[op->thread].sure;
    for (uint32_t i = 0; i < count; i++) {
        struct running *other = &self->threads[list[i]->thread];
        uint32_t at = list[i]->clock[list[i]->thread];
        if (at > sure[list[i]->thread] && at > other->open) other->open = at;
    }
}

/* What may come otherwise by itself: who is woken, which permit, what is chosen. */
static void leave_open_itself(struct running *self, uint16_t thread) {
    self->open = self->clock[thread] + 1;
}

static void learn(uint32_t *clock, const uint32_t *from) {
    for (uint32_t t = 0; t < THREADS; t++) clock[t] = clock[t] > from[t] ? clock[t] : from[t];
}

static void note_read(struct object *o, const struct touch *it) {
    uint32_t k = 0;
    while (k < o->read_count && o->reads[k].thread != it->thread) k++;
    if (k == o->read_room) {
        o->read_room = o->read_room ? o->read_room * 2 : 2;
        o->reads = realloc(o->reads, o->read_room * sizeof *o->reads);
        if (!o->reads) abort();
    }
    if (k == o->read_count) o->read_count++;
    o->reads[k] = *it;
    o->read_hashes += it->added;
}

static void happen(struct looking *self, const struct op *op, uint64_t what) {
    struct running *mine = &self->threads[op->thread];
    if (op->access) neighbours(self, op);
    leave_open(self, op);
    struct touch it = {.before = mine->hash, .given = given(self, op, NULL),
                       .thread = op->thread, .atomic = op->atomic, .place = op->place};
    it.added = mine->hash = hd_identity_mix(hd_identity_mix(mine->hash, what), it.given);
    for (uint32_t i = 0; i < op->count; i++) {
        const struct object *o = &self->objects[op->touched[i]];
        if (o->written) learn(mine->clock, o->write.clock);
        for (uint32_t k = 0; op->writes[i] && k < o->read_count; k++) {
            learn(mine->clock, o->reads[k].clock);
        }
    }
    mine->clock[op->thread]++;
    memcpy(it.clock, mine->clock, sizeof it.clock);
    for (uint32_t i = 0; i < op->count; i++) {
        struct object *o = &self->objects[op->touched[i]];
        if (!op->writes[i]) {
            note_read(o, &it);
            continue;
        }
        o->old_write = o->write_hash;
        o->old_reads = o->read_hashes;
        o->write = it;
        o->written = true;
        o->write_hash = mine->hash;
        o->read_hashes = o->read_count = 0;
    }
}

/* ---- events ---------------------------------------------------------------------------- */

static uint32_t sync_object(const struct looking *self, uint32_t sync, uint32_t which) {
    return self->granules + 2 * sync + (which & 1);
}

/* What the events of a trace touch, and how. Arrivals at a barrier do not depend on
 * each other, departures do on all of them; so for signals, and those who wait. */
static void visit(struct looking *self, const struct hd_event *event) {
    struct op op = {.thread = event->thread, .place = hd_identity_site(self->trace, event->site)};
    uint64_t what = hd_identity_mix(event->kind, op.place);
    const uint32_t *granules;
    uint32_t count;
    switch (event->kind) {
    case HD_READ:
    case HD_WRITE:
    case HD_VREAD:
    case HD_VWRITE:
    case HD_VRMW:
        op.access = true;
        op.atomic = !hd_kind_is_plain(event->kind);
        granules = hd_trace_variable_granules(self->trace, event->obj, &count);
        for (uint32_t i = 0; i < count; i++) add(&op, granules[i], hd_kind_writes(event->kind));
        break;
    case HD_LOOK:
    case HD_ACQUIRE:
    case HD_RELEASE: add(&op, sync_object(self, event->obj, 0), !(event->flags & HD_FLAG_READ)); break;
    case HD_TXBEGIN:
    case HD_TXEND: add(&op, self->count - 1, true); break;
    case HD_SLEEP:
    case HD_YIELD: leave_open_itself(&self->threads[event->thread], event->thread); return;
    case HD_BARRIER: leave_open_itself(&self->threads[event->thread], event->thread); add(&op, sync_object(self, event->obj, event->aux), false); break;
    case HD_BLEAVE: {
        leave_open_itself(&self->threads[event->thread], event->thread);
        struct object *episode = &self->objects[sync_object(self, event->obj, event->aux)];
        struct running *mine = &self->threads[event->thread];
        for (uint32_t i = 0; i < episode->read_count; i++) {
            learn(mine->clock, episode->reads[i].clock);
        }
        mine->hash = hd_identity_mix(mine->hash, episode->read_hashes);
        break;
    }
    case HD_NOTIFY:
    case HD_NOTIFYALL:
        leave_open_itself(&self->threads[event->thread], event->thread);
        add(&op, sync_object(self, event->obj, 0), false); break;
    case HD_WAIT:
    case HD_WAKE:
        leave_open_itself(&self->threads[event->thread], event->thread);
        add(&op, sync_object(self, event->obj, 0), true);
        if (event->aux != HD_NO_ID) add(&op, sync_object(self, event->aux, 0), true);
        break;
    case HD_ONCE: add(&op, sync_object(self, event->obj, 0), !(event->flags & HD_FLAG_TRY)); break;
    case HD_POST:
    case HD_PEND:
    case HD_OUTPUT: add(&op, sync_object(self, event->obj, 0), true); break;
    case HD_FORK:
        if (event->obj >= THREADS) return;
        happen(self, &op, what);
        self->threads[event->obj].hash = self->threads[event->thread].hash;
        learn(self->threads[event->obj].clock, self->threads[event->thread].clock);
        learn(self->threads[event->obj].sure, self->threads[event->thread].sure);
        self->threads[event->obj].sure[event->thread] = self->threads[event->thread].clock[event->thread];
        self->threads[event->obj].forked = true;
        return;
    case HD_JOIN:
        if (event->obj >= THREADS) return;
        learn(self->threads[event->thread].clock, self->threads[event->obj].clock);
        learn(self->threads[event->thread].sure, self->threads[event->obj].sure);
        self->threads[event->thread].sure[event->obj] = self->threads[event->obj].clock[event->obj];
        self->threads[event->obj].joined = true;
        what = hd_identity_mix(what, self->threads[event->obj].hash);
        break;
    case HD_CHOOSE:
        leave_open_itself(&self->threads[event->thread], event->thread);
        what = hd_identity_mix(what, event->obj); break;
    default: return;
    }
    happen(self, &op, what);
}

/* Which of the cases does this execution settle? */
static void settle(struct looking *self) {
    bool whole = self->failure == HD_NO_ID && !self->cut;
    for (uint32_t t = 0; t < THREADS; t++) {
        whole = whole && self->threads[t].forked == self->threads[t].joined;
    }
    for (struct seen *it = self->seen, *next; it; it = next) {
        bool settles = whole;
        for (uint32_t t = 0; settles && t < THREADS; t++) {
            settles = self->threads[t].open <= it->clock[t];
        }
        struct hd_twin *twin = find(self->twins, it->variable, it->past);
        twin->settled[it->swapped] = twin->settled[it->swapped] || settles;
        next = it->next;
        free(it);
    }
}

void hd_twins_note(struct hd_twins *self, struct hd_trace *trace, uint32_t outcome,
                   uint32_t failure, bool cut, struct hd_error *err) {
    if (hd_trace_threads(trace) > THREADS || hd_trace_length(trace) > EVENTS) {
        self->blind = true;
        return;
    }
    struct looking *one = calloc(1, sizeof *one);
    if (!one) abort();
    one->twins = self;
    one->trace = trace;
    one->outcome = outcome;
    one->failure = failure;
    one->cut = cut;
    one->granules = hd_trace_granules(trace);
    one->count = one->granules + 2 * hd_trace_syncs(trace) + 1;
    one->objects = calloc(one->count, sizeof *one->objects);
    if (!one->objects) abort();
    for (uint32_t t = 0; t < hd_trace_threads(trace); t++) {
        one->threads[t].name = hd_thread_identity(trace, t);
        one->threads[t].hash = one->threads[t].name;
    }
    const struct hd_event *events;
    size_t count;
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) visit(one, &events[i]);
    }
    settle(one);
    for (uint32_t i = 0; i < one->count; i++) free(one->objects[i].reads);
    free(one->objects);
    free(one);
}

/* ---- what came of it ------------------------------------------------------------------- */

/* Which of two outcomes tells more? What comes of threads that do not get in each other's
 * way is mostly seen early. Never the order in which cases are looked at. */
static bool worse(const bool *failed, uint32_t one, uint32_t than) {
    if (than == HD_NO_ID || failed[one] != failed[than]) return than == HD_NO_ID || failed[one];
    return one > than;
}

/* Not all that came of this order came of the other. Of cases that tell the same the first
 * that was met is told: the table's order is one of addresses. */
static bool only(const struct hd_twin *it, int which, const bool *failed,
                 struct hd_twins_told *told) {
    const struct hd_outcomes *set = &it->came[which], *other = &it->came[!which];
    uint32_t most = HD_NO_ID, least = HD_NO_ID;
    bool some = false;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t one = set->list[i];
        if (hd_outcomes_has(other, one)) continue;
        some = true;
        if (!(one & HD_OUTCOME_FAILURE) && worse(failed, one, most)) most = one;
    }
    for (uint32_t i = 0; i < other->count; i++) {
        uint32_t one = other->list[i];
        if (one & HD_OUTCOME_FAILURE) continue;
        if (least == HD_NO_ID || worse(failed, least, one)) least = one;
    }
    if (most == HD_NO_ID || least == HD_NO_ID) return some;
    bool better = told->only == HD_NO_ID || worse(failed, most, told->only) ||
                  (most == told->only && worse(failed, told->other, least)) ||
                  (most == told->only && least == told->other && it->number < told->number);
    if (better) {
        *told = (struct hd_twins_told){
            .only = most, .other = least, .places = {it->places[0], it->places[1]}, .number = it->number};
    }
    return some;
}

enum hd_twins_word hd_twins_say(const struct hd_twins *self, uint64_t variable,
                                const bool *failed, struct hd_twins_told *told) {
    enum hd_twins_word word = HD_TWINS_NONE;
    *told = (struct hd_twins_told){.only = HD_NO_ID, .other = HD_NO_ID};
    for (uint32_t i = 0; i < self->room; i++) {
        const struct hd_twin *it = &self->table[i];
        if (it->variable != variable || !it->came[0].count || !it->came[1].count) continue;
        bool first = only(it, 0, failed, told);
        bool second = only(it, 1, failed, told);
        if (first || second) word = HD_TWINS_DIFFER;
        else if (word == HD_TWINS_NONE) word = HD_TWINS_ALIKE;
    }
    return word;
}

bool hd_twins_settled(const struct hd_twins *self, uint64_t variable, const bool *failed,
                      struct hd_twins_told *told) {
    bool differ = false;
    *told = (struct hd_twins_told){.only = HD_NO_ID, .other = HD_NO_ID};
    for (uint32_t i = 0; i < self->room; i++) {
        const struct hd_twin *it = &self->table[i];
        bool both = it->settled[0] && it->settled[1];
        if (it->variable != variable || !both) continue;
        if (it->came[0].count != 1 || it->came[1].count != 1) continue; /* something is not seen */
        differ = only(it, 0, failed, told) || differ;
        differ = only(it, 1, failed, told) || differ;
    }
    return differ;
}

void hd_twins_free(struct hd_twins *self) {
    for (uint32_t i = 0; i < self->room; i++) {
        free(self->table[i].came[0].list);
        free(self->table[i].came[1].list);
    }
    free(self->table);
    *self = (struct hd_twins){0};
}
