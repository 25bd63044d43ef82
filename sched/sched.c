/* sched.c - points, and who goes on from them. See sched.h for the rules. */
#include "sched.h"

#include "circle.h"
#include "class.h"
#include "count.h"
#include "libc/files.h"
#include "pthread/block.h"
#include "report.h"
#include "record.h"
#include "runtime.h"
#include "shadow.h"
#include "spin.h"
#include "trace/event.h"

#include <string.h>

/* Accesses a thread may make between two points before it has to let the others
 * have a look: a loop that waits for a plain variable would otherwise never end. Most
 * who run long compute, so each look that changed nothing makes the next run
 * longer: threads that take turns on the same data say everything twice. */
#define LONG_RUN 100000
#define LONGEST_RUN 100000000

/* How often one who spins in vain may go on when nobody else can; and one of whom it is
 * not known what it waits for. */
#define ROUNDS 3
#define ROUNDS_ASIDE 200

/* ---- the list of runnable threads, ascending -------------------------------- */

static void list_insert(uint16_t id) {
    uint16_t *list = hd_rt->runnable;
    uint32_t at = hd_rt->runnable_count++;
    if (id < 64) hd_rt->runnable_first |= 1UL << id;
    while (at > 0 && list[at - 1] > id) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = id;
}

static void list_remove(uint16_t id) {
    uint16_t *list = hd_rt->runnable;
    uint32_t at = 0;
    while (list[at] != id) at++;
    if (id < 64) hd_rt->runnable_first &= ~(1UL << id);
    hd_rt->runnable_count--;
    memmove(list + at, list + at + 1, (hd_rt->runnable_count - at) * sizeof *list);
}

static void set_state(struct hd_thread *thread, enum hd_thread_state state) {
    if (thread->state == state) return;
    if (thread->state == HD_THREAD_RUNNABLE) list_remove(thread->id);
    if (state == HD_THREAD_RUNNABLE) list_insert(thread->id);
    thread->state = (uint8_t)state;
}

/* Whether a thread's deadline can pass depends on whether others with earlier
 * ones are able to go on: who changes something that such a one waits for has to
 * do with time. Whether that makes it able does not count: it may wait for two
 * things, and which of them comes last is no difference. */
static void time_looks(void) {
    if (hd_rt->current && hd_rt->current->op.place != hd_pseudo(HD_KEY_TIME)) {
        hd_touch(hd_pseudo(HD_KEY_TIME), HD_MODE_READ);
    }
}

/* Can it do what it stands before? */
static void ask(struct hd_thread *thread) {
    bool ready = !thread->parked &&
                 (!thread->ready || thread->ready(thread, thread->ready_argument));
    if (ready) thread->by_time = false;
    set_state(thread, ready ? HD_THREAD_RUNNABLE : HD_THREAD_BLOCKED);
}

void hd_changed_for(struct hd_thread *thread) {
    if (!thread->ready) return; /* it does not stand there yet */
    if (hd_unlikely(thread->deadline != HD_NEVER)) time_looks();
    ask(thread);
}

/* One who only reads a place changes nothing for others who do. */
void hd_changed(struct hd_place *place) {
    bool reads = hd_rt->current && hd_rt->current->op.mode == HD_MODE_READ;
    for (struct hd_thread *thread = place->pending; thread; thread = thread->next_pending) {
        if (reads && thread->op.mode == HD_MODE_READ) ask(thread);
        else hd_changed_for(thread);
    }
}

static void link_pending(struct hd_thread *thread) {
    thread->next_pending = thread->op.place->pending;
    thread->op.place->pending = thread;
}

static void unlink_pending(struct hd_thread *thread) {
    struct hd_thread **at = &thread->op.place->pending;
    while (*at != thread) at = &(*at)->next_pending;
    *at = thread->next_pending;
}

/* ---- spinning ---------------------------------------------------------------- */

static void park(struct hd_thread *thread) {
    thread->parked = true;
    hd_rt->parked_count++;
    set_state(thread, HD_THREAD_BLOCKED);
}

/* Those who spin go on if what they read has changed; or for once, when nobody
 * else can. */
static void unpark(bool in_vain) {
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (!thread->parked) continue;
        uint8_t most = thread->spin.aside ? ROUNDS_ASIDE : ROUNDS;
        if (in_vain ? thread->spin.rounds >= most : !hd_spin_changed(thread)) continue;
        if (in_vain) thread->spin.rounds++;
        thread->parked = false;
        hd_rt->parked_count--;
        ask(thread);
        if (!in_vain) thread->spin.rounds = 0;
    }
}

/* ---- time ------------------------------------------------------------------- */

uint64_t hd_now(void) { return hd_rt->now; }

/* Of the threads that wait with a deadline, those with the earliest may go on
 * because it passes; no other may. */
static void let_time_pass(void) {
    uint64_t first = HD_NEVER;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread->by_time) {
            thread->by_time = false;
            set_state(thread, HD_THREAD_BLOCKED);
        }
        if (thread->state == HD_THREAD_BLOCKED && thread->deadline < first) {
            first = thread->deadline;
        }
    }
    if (first == HD_NEVER) return;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread->state == HD_THREAD_BLOCKED && thread->deadline == first) {
            set_state(thread, HD_THREAD_RUNNABLE);
            thread->by_time = true;
        }
    }
}

/* ---- who is next ------------------------------------------------------------ */

static void note_segment(struct hd_thread *thread) {
    uint64_t passed = thread->events - thread->standing - thread->segment;
    if (passed == 0) return;
    if (hd_rt->segment_count > 0 &&
        hd_rt->segments[hd_rt->segment_count - 1].thread == thread->id) {
        hd_rt->segments[hd_rt->segment_count - 1].events += passed;
    } else {
        if (hd_rt->segment_count == hd_rt->segment_room) {
            uint32_t room = hd_rt->segment_room ? hd_rt->segment_room * 2 : 256;
            struct hd_segment *more = hd_passing_as_it_is(room * sizeof *more);
            if (hd_rt->segment_count) {
                memcpy(more, hd_rt->segments, hd_rt->segment_count * sizeof *more);
            }
            hd_rt->segments = more;
            hd_rt->segment_room = room;
        }
        hd_rt->segments[hd_rt->segment_count++] = (struct hd_segment){thread->id, passed};
    }
    thread->segment += passed;
}

static void give(struct hd_thread *self, struct hd_thread *next) {
    note_segment(self);
    if (hd_unlikely(hd_rt->recording)) hd_record_leave();
    hd_become(next);
    hd_tls_switch(next->tp);
    hd_fiber_switch(&self->fiber, &next->fiber);
}

static struct hd_thread *pick(struct hd_thread *self, bool yielding, bool forced) {
    if (hd_unlikely(hd_rt->timed_count > 0)) let_time_pass();
    if (hd_unlikely(hd_rt->runnable_count == 0 && hd_rt->parked_count > 0)) unpark(true);
    if (hd_unlikely(hd_rt->runnable_count == 0) && !hd_files_outside()) hd_report_stuck();
    if (hd_rt->runnable_count == 1 && !hd_rt->strategy->every) {
        return hd_rt->threads[hd_rt->runnable[0]];
    }
    struct hd_choice choice = {
        .runnable = hd_rt->runnable,
        .count = hd_rt->runnable_count,
        .current = self->id,
        .current_runnable = self->state == HD_THREAD_RUNNABLE,
        .yielding = yielding,
        .forced = forced,
    };
    int id = hd_rt->strategy->pick(&choice);
    if (hd_unlikely(id == HD_PICK_STOP)) {
        hd_rt->outcome.cut = true;
        hd_end_execution();
    }
    HD_BUG_ON((unsigned)id >= hd_rt->thread_count ||
                  hd_rt->threads[id]->state != HD_THREAD_RUNNABLE,
              "pick gave thread %d, which cannot run (%s, seed %lu, step %lu)", id,
              hd_rt->strategy->name, hd_rt->config.seed, hd_rt->steps);
    return hd_rt->threads[id];
}

static void schedule(struct hd_thread *self, bool yielding, bool forced) {
    hd_collect(self);
    struct hd_thread *next = pick(self, yielding, forced);
    if (next == self) return;
    bool asked = !yielding || (forced && hd_rt->own_limits); /* a schedule stops it there */
    if (self->state == HD_THREAD_RUNNABLE && asked && !self->by_time) hd_rt->preemptions++;
    give(self, next);
}

/* ---- operations ------------------------------------------------------------- */

/* What comes before this thread's operation comes before whoever meets it here. */
static inline __attribute__((always_inline)) void leave_clock(const struct hd_thread *self, struct hd_place *place, enum hd_mode mode) {
    if (mode == HD_MODE_WRITE) {
        hd_clock_copy(&place->wrote, &self->clock);
        place->writer = self->slot;
        place->when = self->epoch;
        place->touched.count = 0; /* they come before it */
    } else {
        hd_clock_join(&place->touched, &self->clock);
    }
}

/* To take a lock and to give it back writes nothing, in the end: spin.h. */
static bool is_lock_op(const struct hd_op *op) {
    return (op->kind == HD_ACQUIRE || op->kind == HD_RELEASE) && op->place->gate != HD_NO_GATE;
}

void hd_gate_take(struct hd_place *place, bool alone) {
    struct hd_thread *self = hd_rt->current;
    int32_t waiters = hd_gate_waiters(place->gate) * HD_GATE_WAITER;
    place->gate = alone ? waiters - 1 : place->gate + 1;
    if (!self) return;
    if (self->holds++ == 0) self->outside = self->writes;
    self->spin.balance++;
    if (hd_unlikely(self->spin.logging)) hd_spin_log(self, place, true);
}

void hd_gate_give(struct hd_place *place) {
    struct hd_thread *self = hd_rt->current;
    place->gate += hd_gate_holders(place->gate) < 0 ? 1 : -1;
    if (!self) return;
    self->holds--;
    self->tried += self->op.mode == HD_MODE_READ ? place->tried_alone : place->tried;
    if (--self->spin.balance < 0) hd_spin_leaves(self);
    else if (hd_unlikely(self->spin.logging)) hd_spin_log(self, place, true);
    if (self->writes == self->outside) return;
    place->news++;
    if (hd_unlikely(hd_rt->parked_count > 0)) unpark(false);
}

void hd_gate_try(struct hd_place *place) {
    const struct hd_thread *self = hd_rt->current;
    place->tried_alone |= !self || self->op.mode == HD_MODE_WRITE;
    if (place->tried) return;
    place->tried = true;
    if (hd_unlikely(hd_rt->parked_count > 0)) unpark(false);
}

void hd_touch(struct hd_place *place, enum hd_mode mode) {
    struct hd_thread *self = hd_rt->current;
    if (mode == HD_MODE_NONE) return;
    if (hd_rt->strategy->touch) hd_rt->strategy->touch(self, place, mode);
    if (hd_clock_get(&self->clock, place->writer) < place->when) { /* else it is known */
        hd_clock_join(&self->clock, &place->wrote);
    }
    if (mode == HD_MODE_WRITE) hd_clock_join(&self->clock, &place->touched);
    leave_clock(self, place, mode);
    /* An operation is one: what it learns at one place holds at all of them. */
    for (uint32_t i = 0; i < hd_rt->touch_count; i++) {
        leave_clock(self, hd_rt->touches[i].place, hd_rt->touches[i].mode);
    }
    if (hd_likely(hd_rt->touch_count < HD_TOUCHES)) {
        hd_rt->touches[hd_rt->touch_count].place = place;
        hd_rt->touches[hd_rt->touch_count++].mode = mode;
    }
    hd_class_touch(self, place, mode);
    if (mode == HD_MODE_WRITE && place == self->op.place && self->op.same) {
        if (hd_unlikely(self->spin.logging)) hd_spin_log(self, place, false);
    } else if (mode == HD_MODE_WRITE) {
        if (place != self->op.place || !is_lock_op(&self->op)) {
            self->writes++;
            place->news++;
        }
        place->version++;
        if (hd_unlikely(hd_rt->parked_count > 0)) unpark(false);
    } else if (hd_unlikely(self->spin.logging)) {
        hd_spin_log(self, place, false);
    }
}

/* It is this thread's turn and its operation takes place now. */
static void settle(struct hd_thread *self) {
    self->standing = false;
    self->ran_at = hd_rt->steps;
    self->was_blocking = self->ready != NULL;
    hd_rt->touch_count = 0;
    self->epoch++;
    hd_clock_set(&self->clock, self->slot, self->epoch);
    hd_stamp();
    self->long_run = LONG_RUN;
    hd_collect(self);
    if (!hd_rt->own_limits) self->limit = self->events + LONG_RUN;
    hd_lend(self);
    hd_class_step(self);
    if (hd_rt->strategy->step) hd_rt->strategy->step(self);
    if (self->op.mode != HD_MODE_NONE) hd_touch(self->op.place, self->op.mode);
    if (self->op.also) hd_touch(self->op.also, HD_MODE_WRITE);
    if (hd_unlikely(self->looks)) hd_cancel_look(self);
    if (hd_unlikely(self->awaiting)) {
        self->awaiting = false;
        hd_spin_read_all(self);
        if (!is_lock_op(&self->op)) hd_spin_log(self, self->op.place, false);
    }
}

static void count_step(void) {
    if (hd_unlikely((hd_rt->steps & 1023) == 1023 && hd_rt->stop_at)) hd_report_late();
    if (hd_unlikely(++hd_rt->steps > hd_rt->config.steps)) hd_report_steps();
}

void hd_also(struct hd_place *place) { hd_rt->current->also = place; }

/* Handlers run before a thread takes its stand: nothing may come between a
 * point and its operation. They have points of their own. */
static void run_handlers(struct hd_thread *self) {
    struct hd_place *also = self->also;
    self->also = NULL;
    hd_interrupt_run(self);
    self->also = also;
}

/* A signal came while it stood there: the handler runs before the operation, as if it had
 * not got there yet. */
static void step_back(struct hd_thread *self) {
    struct hd_op op = self->op;
    self->events--;
    self->standing = self->awaiting = false;
    hd_interrupt_run(self);
    self->events++;
    self->standing = true;
    self->op = op;
    count_step();
}

void hd_point_begin(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(self->interrupted)) run_handlers(self);
    self->events++;
    self->standing = true;
    self->op = (struct hd_op){.place = place, .also = self->also, .kind = (uint8_t)kind,
                              .mode = (uint8_t)mode, .pc = pc};
    self->also = NULL;
    count_step();
    if ((mode == HD_MODE_READ && kind != HD_RELEASE) || kind == HD_VRMW || kind == HD_ACQUIRE ||
        kind == HD_PEND) {
        self->awaiting = hd_spin_look(self);
        if (hd_unlikely(self->awaiting && !hd_spin_changed(self))) park(self);
    }
    while (hd_rt->runnable_count > 1 || hd_rt->strategy->every || hd_rt->timed_count > 0 ||
           self->parked) {
        schedule(self, false, false);
        if (hd_likely(!self->interrupted)) break;
        step_back(self);
    }
}

void hd_point_settle(enum hd_mode mode) {
    struct hd_thread *self = hd_rt->current;
    self->op.mode = (uint8_t)mode;
    settle(self);
}

void hd_point(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc) {
    hd_point_begin(kind, place, mode, pc);
    settle(hd_rt->current);
}

bool hd_point_until(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc,
                    bool (*ready)(struct hd_thread *self, void *argument), void *argument,
                    uint64_t deadline) {
    struct hd_thread *self = hd_rt->current;
    self->events++;
    self->standing = true;
    self->op = (struct hd_op){.place = place, .also = self->also, .kind = (uint8_t)kind,
                              .mode = (uint8_t)mode, .pc = pc};
    self->also = NULL;
    count_step();
    self->ready = ready;
    self->ready_argument = argument;
    self->deadline = deadline;
    self->was_timed = deadline != HD_NEVER;
    if (deadline != HD_NEVER) hd_rt->timed_count++;
    link_pending(self);
    if (kind == HD_ACQUIRE && place->gate != HD_NO_GATE && deadline == HD_NEVER) {
        self->awaiting = hd_spin_look(self);
        if (hd_unlikely(self->awaiting && !hd_spin_changed(self))) park(self);
    }
    ask(self);
    schedule(self, false, false);
    unlink_pending(self);
    bool in_time = !self->by_time;
    if (deadline != HD_NEVER) {
        hd_rt->timed_count--;
        self->deadline = HD_NEVER;
        if (self->by_time) {
            self->by_time = false;
            if (deadline > hd_rt->now) hd_rt->now = deadline;
            settle(self);
            self->ready = NULL;
            if (self->op.place != hd_pseudo(HD_KEY_TIME)) {
                hd_touch(hd_pseudo(HD_KEY_TIME), HD_MODE_WRITE);
            }
            return false;
        }
    }
    settle(self);
    self->ready = NULL;
    return in_time;
}

void hd_yield(void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (hd_unlikely(self->interrupted)) run_handlers(self);
    self->events++;
    self->standing = true;
    self->op = (struct hd_op){.kind = HD_YIELD, .mode = HD_MODE_NONE, .yielding = true, .pc = pc};
    count_step();
    if (hd_unlikely(hd_spin_yields(self))) park(self);
    schedule(self, true, false);
    settle(self);
}

void hd_limit(struct hd_thread *self, void *pc) {
    if (!hd_rt->running) {
        self->limit = UINT64_MAX;
        return;
    }
    if (self->watched) {
        self->watched = hd_circle_watch(self, pc);
        if (!hd_rt->own_limits) self->limit = self->events + (self->watched ? 0 : self->long_run);
        return;
    }
    if (hd_rt->stop_at) hd_report_late();
    bool very_long = self->long_run > LONG_RUN && !hd_rt->own_limits;
    struct hd_op op = self->op;
    self->standing = true;
    self->op = (struct hd_op){.kind = HD_NONE, .mode = HD_MODE_NONE, .yielding = true, .pc = pc};
    if (self->long_run < LONGEST_RUN) self->long_run *= 8;
    if (!hd_rt->own_limits) self->limit = self->events + self->long_run;
    schedule(self, true, true);
    self->standing = false;
    self->op = op;
    if (very_long && hd_circle_begin(self, pc)) {
        self->watched = true;
        self->limit = self->events;
    }
}

void hd_count_late(unsigned lane, void *pc) {
    struct hd_thread *self = hd_rt->current;
    hd_rt->left[lane] = 0; /* it went below */
    hd_collect(self);
    if (++self->events > self->limit) hd_limit(self, pc);
    hd_lend(self);
}

int hd_choose(int n) {
    int answer = hd_rt->strategy->choose && n > 1 ? hd_rt->strategy->choose(n) : 0;
    if (hd_rt->value_count == hd_rt->value_room) {
        uint32_t room = hd_rt->value_room ? hd_rt->value_room * 2 : 64;
        int *more = hd_passing_as_it_is(room * sizeof *more);
        if (hd_rt->value_count) memcpy(more, hd_rt->values, hd_rt->value_count * sizeof *more);
        hd_rt->values = more;
        hd_rt->value_room = room;
    }
    hd_rt->values[hd_rt->value_count++] = answer;
    hd_rt->current->writes++;
    hd_rt->current->hash = hd_mix(hd_rt->current->hash, (uint64_t)answer + 1);
    return answer;
}

struct hd_place *hd_pseudo(enum hd_hidden key) {
    hd_rt->pseudo[key].key = (uint64_t)key;
    return &hd_rt->pseudo[key];
}

const char *hd_hidden_name(uint64_t key) {
    static const char *const names[HD_KEY_PSEUDO_END] = {
        [HD_KEY_NONE] = "nothing",    [HD_KEY_TIME] = "time",       [HD_KEY_RANDOM] = "random",
        [HD_KEY_ENVIRON] = "environ", [HD_KEY_LOCALE] = "locale",
        [HD_KEY_FILES] = "files",     [HD_KEY_PROCESS] = "process", [HD_KEY_TRANSACTION] = "@TM",
        [HD_KEY_OBSERVED] = "observed", [HD_KEY_STDIN] = "stdin",   [HD_KEY_STDOUT] = "stdout",
        [HD_KEY_STDERR] = "stderr",   [HD_KEY_HSEARCH] = "hsearch",
    };
    return key < HD_KEY_PSEUDO_END ? names[key] : NULL;
}

/* ---- birth and end ---------------------------------------------------------- */

void hd_thread_started(struct hd_thread *thread) {
    thread->looks = hd_rt->signals;
    thread->state = HD_THREAD_BLOCKED;
    thread->long_run = LONG_RUN;
    if (!hd_rt->own_limits) thread->limit = LONG_RUN;
    set_state(thread, HD_THREAD_RUNNABLE);
}

void hd_begin(void) {
    struct hd_thread *self = hd_rt->current;
    if (self->op.mode != HD_MODE_NONE) settle(self);
}

void hd_finish(void) {
    struct hd_thread *self = hd_rt->current;
    self->epoch++;
    hd_clock_set(&self->clock, self->slot, self->epoch);
    leave_clock(self, &self->end, HD_MODE_WRITE);
    self->end.touched.count = 0;
    set_state(self, HD_THREAD_FINISHED);
    hd_rt->finished_count++;
    hd_changed(&self->end);
    schedule(self, false, false);
    __builtin_unreachable();
}

void hd_leave_segment(void) {
    if (!hd_rt->current) return;
    hd_collect(hd_rt->current);
    note_segment(hd_rt->current);
}
