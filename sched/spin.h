/* spin.h - threads that go round and round without getting anywhere.
 *
 * A thread that waits in a loop (while (!flag), a test-and-set lock, trylock
 * again and again) would make every search endless. If it comes back to the
 * same place in its code with the same registers and the same stack, having
 * written nothing in between, its state is the same: going on changes nothing
 * until somebody writes what it read on its last way round. So it is parked until
 * then. What it does next is one operation that reads all of those places
 * together: that is what it depends on.
 *
 * A lock that it took and gave back on the way changes nothing either, unless it
 * held it at the beginning: who polls under a lock is parked where it would take
 * it. Data that no race is known of can only have changed if somebody else held
 * one of these locks and wrote something meanwhile (place->news). That the lock was
 * taken for a round shows to nobody but those who try it (place->tried); between
 * two who find it taken one long round is as good as many, unless somebody else
 * had it in between: where locks are tried, that counts too.
 *
 * Rules:
 *   (1) What a thread does to others, or to its own data outside of its stack,
 *       counts in thread->writes; a count that moved means no parking.
 *   (2) A parked thread is no deadlock. When nobody else can run it goes on, a
 *       few times, in case there is hidden state after all; if that leads
 *       nowhere it is a livelock.
 *   (3) One call may read many places in a row (memcmp), and how far it has come is
 *       not in the program's registers: back means at the same place, too.
 *   (4) Places without an address (the clock, files) are not waited for: they
 *       change from outside.
 *   (5) Who only steps aside (sched_yield) on his way round and reads nothing that
 *       others can see is parked there, until nobody else can run: should anybody write
 *       what it reads, that is a race, and the data is visible from then on. */
#ifndef HD_SPIN_H
#define HD_SPIN_H

#include "place.h"
#include "thread.h"

/* Before anything runs: the unwinder prepares itself on its first use, once, which
 * the program would otherwise see or not, depending on who comes first. */
void hd_spin_boot(void);

/* The current thread stands before an operation that may turn out to only read.
 * True if it has been here before in the very same state: then it waits. */
bool hd_spin_again(struct hd_thread *self);

/* The current thread steps aside. True if it has done nothing else since it last did so, in
 * the very same state: rule (5). */
bool hd_spin_yields(struct hd_thread *self);

/* It looks at something outside: rules (4) and (5). */
static inline void hd_spin_outside(struct hd_thread *self) { self->spin.yields.pc = NULL; }

/* A number for the registers and the stack of the current thread where it called heddle
 * (op.pc); 0: not to be found out. */
uint64_t hd_spin_state(const struct hd_thread *self);

/* Has anything changed that it read on its last way round? */
bool hd_spin_changed(const struct hd_thread *self);

/* It goes on: its operation reads all that. */
void hd_spin_read_all(struct hd_thread *self);

/* It reads this place on its way round, or takes this lock or gives it back. */
void hd_spin_log(struct hd_thread *self, struct hd_place *place, bool lock);

/* It gave back a lock that it had before the circle began: where it holds that is no
 * place to wait. */
static inline void hd_spin_leaves(struct hd_thread *self) {
    struct hd_spin *spin = &self->spin;
    spin->lowest = self->holds;
    spin->balance = 0;
    spin->anchor = NULL;
    spin->next = spin->seen;
    spin->visits = 0;
    spin->logging = spin->repeating = false;
}

/* Cheap enough to be asked at every such operation. */
static inline bool hd_spin_look(struct hd_thread *self) {
    struct hd_spin *spin = &self->spin;
    if (self->op.place->key < HD_KEY_PSEUDO_END) {
        self->writes++; /* rule (4) */
        return false;
    }
    if (spin->writes != self->writes) {
        spin->writes = self->writes;
        spin->anchor = self->op.pc;
        spin->place = self->op.place;
        spin->seen = 1;
        spin->next = 2;
        spin->visits = 0;
        spin->balance = 0;
        spin->lowest = self->holds;
        spin->logging = false;
        return false;
    }
    spin->seen++;
    if (self->holds < spin->lowest) spin->lowest = self->holds;
    if (self->op.pc == spin->anchor && self->op.place == spin->place) {
        spin->next = spin->seen * 2;
        return hd_spin_again(self);
    }
    if (spin->seen >= spin->next) {
        /* The loop may begin later than thought, or be one inside of it: look for a
         * later anchor when this one was not met for as long as all before (Brent's
         * cycle detection). Not where it holds more than it did on its way here: that is
         * no place to wait. */
        bool inside = self->holds > spin->lowest;
        spin->next = spin->seen * 2;
        spin->lowest = self->holds;
        if (inside) return false;
        spin->anchor = self->op.pc;
        spin->place = self->op.place;
        spin->visits = 0;
        spin->balance = 0;
        spin->logging = spin->repeating = false;
    }
    return false;
}

#endif
