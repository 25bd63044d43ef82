/* barrier.c - barriers.
 *
 * Waiting is two visible operations: to arrive, and to leave once all have
 * arrived. Arrivals do not depend on each other as long as no more threads use
 * the barrier than it has participants: whatever their order, everyone leaves
 * after everyone arrived, and that order is in the clocks (`gathered`), not in
 * the place. With more threads it matters who meets whom: once that has been
 * seen, arrivals at this barrier are writes.
 *
 * PTHREAD_BARRIER_SERIAL_THREAD goes to the thread with the smallest name, not
 * to the last that came, so that the order of arrival has no effect at all.
 *
 * In the program's memory: the tag, and behind it the number of participants. */
#include "block.h"
#include "state.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

struct arrivals { /* primitive->more */
    struct hd_clock gathered; /* of this episode's arrivals so far */
    struct hd_clock settled;  /* of the last complete episode's */
    uint32_t chosen;          /* thread id: smallest name so far */
    uint32_t serial;          /* thread id: of the last complete episode */
    uint32_t users;           /* threads that came and were not over before the last */
    uint32_t room;
    uint16_t *user;
};

struct ticket {
    const struct hd_primitive *barrier;
    uint32_t episode;
};

static struct hd_primitive *barrier_of(pthread_barrier_t *barrier, void *pc) {
    struct hd_primitive *self = hd_primitive_get(barrier, HD_SYNC_BARRIER, pc);
    if (hd_unlikely(!self->more)) {
        self->more = hd_passing(sizeof(struct arrivals));
        self->initial = ((uint32_t *)(void *)barrier)[1];
        if (self->initial == 0) {
            hd_complain(HD_FAIL_MISUSE, self, pc,
                        "waits at a barrier that pthread_barrier_init has not prepared");
        }
    }
    return self;
}

/* Compare names in an order that does not depend on the schedule. */
static bool name_before(uint32_t left, uint32_t right) {
    char a[128], b[128];
    hd_thread_name(hd_rt->threads[left], a, sizeof a);
    hd_thread_name(hd_rt->threads[right], b, sizeof b);
    size_t i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return (unsigned char)a[i] < (unsigned char)b[i];
}

static bool known(const struct arrivals *arrivals, uint32_t id) {
    for (uint32_t i = 0; i < arrivals->users; i++) {
        if (arrivals->user[i] == id) return true;
    }
    return false;
}

/* Threads whose end the new one has seen cannot have come in its place. */
static void forget_predecessors(struct arrivals *arrivals, const struct hd_thread *thread) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < arrivals->users; i++) {
        const struct hd_thread *user = hd_rt->threads[arrivals->user[i]];
        bool before = user->state == HD_THREAD_FINISHED &&
                      hd_clock_get(&thread->clock, user->slot) >= user->epoch;
        if (!before) arrivals->user[kept++] = arrivals->user[i];
    }
    arrivals->users = kept;
}

static void remember(struct arrivals *arrivals, uint32_t id) {
    forget_predecessors(arrivals, hd_rt->threads[id]);
    if (arrivals->users == arrivals->room) {
        uint32_t room = arrivals->room ? arrivals->room * 2 : 8;
        uint16_t *more = hd_passing(room * sizeof *more);
        for (uint32_t i = 0; i < arrivals->users; i++) more[i] = arrivals->user[i];
        arrivals->user = more;
        arrivals->room = room;
    }
    arrivals->user[arrivals->users++] = (uint16_t)id;
}

/* Barriers (by key) that more threads came to than take part: known for the rest
 * of the process, as data is that turned out to be visible. */
struct hd_crowded {
    uint64_t key;
    struct hd_crowded *next;
};

static bool is_crowded(const struct hd_primitive *self) {
    const struct hd_crowded *at = hd_pthread_state()->crowded;
    while (at && at->key != self->place.key) at = at->next;
    return at != NULL;
}

static void crowd(const struct hd_primitive *self) {
    struct hd_crowded *made = hd_lasting(sizeof *made);
    made->key = self->place.key;
    made->next = hd_pthread_state()->crowded;
    hd_pthread_state()->crowded = made;
    hd_rt->shown++; /* a search that took arrivals for independent starts over */
}

static bool all_came(struct hd_thread *thread, void *argument) {
    (void)thread;
    const struct ticket *ticket = argument;
    return ticket->barrier->episode != ticket->episode;
}

static void arrive(struct hd_primitive *self, struct hd_thread *thread) {
    struct arrivals *arrivals = self->more;
    if (self->count == 0) arrivals->gathered.count = 0;
    hd_clock_join(&arrivals->gathered, &thread->clock);
    if (self->count == 0 || name_before(thread->id, arrivals->chosen)) {
        arrivals->chosen = thread->id;
    }
    if (++self->count < self->initial) return;
    hd_clock_copy(&arrivals->settled, &arrivals->gathered);
    arrivals->serial = arrivals->chosen;
    self->count = 0;
    self->episode++;
    hd_changed(&self->place);
}

HD_TAKEN int pthread_barrier_wait(pthread_barrier_t *barrier) {
    if (!hd_inside()) return 0;
    void *pc = HD_PC();
    struct hd_primitive *self = barrier_of(barrier, pc);
    struct hd_thread *thread = hd_rt->current;
    struct arrivals *arrivals = self->more;
    if (hd_rt->explore && self->episode == 0) {
        hd_note("which thread a barrier calls serial is not explored");
    }
    hd_step(HD_BARRIER, &self->place, is_crowded(self) ? HD_MODE_WRITE : HD_MODE_READ, pc);
    hd_still_there(self, pc);
    if (!known(arrivals, thread->id)) remember(arrivals, thread->id);
    if (arrivals->users > self->initial && !is_crowded(self)) crowd(self);
    struct ticket ticket = {self, self->episode};
    hd_record_sync(HD_BARRIER, self, ticket.episode, 0, pc);
    arrive(self, thread);

    hd_block(HD_BLEAVE, &self->place, HD_MODE_READ, pc, all_came, &ticket, HD_NEVER, 0);
    hd_clock_join(&thread->clock, &arrivals->settled);
    hd_touch(&self->place, HD_MODE_READ); /* with the clock as it is now */
    hd_record_sync(HD_BLEAVE, self, ticket.episode, 0, pc);
    return arrivals->serial == thread->id ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

HD_TAKEN int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
                                  unsigned count) {
    int shared = 0;
    if (count == 0 || count > INT32_MAX) return EINVAL;
    if (attr) pthread_barrierattr_getpshared(attr, &shared);
    if (shared == PTHREAD_PROCESS_SHARED && hd_booted) {
        hd_note("process-shared barriers: only the threads of this process are seen");
    }
    memset((char *)barrier + 4, 0, sizeof *barrier - 4);
    ((uint32_t *)(void *)barrier)[1] = count;
    if (!hd_booted) return 0;
    struct hd_primitive *self = hd_primitive_new(barrier, HD_SYNC_BARRIER);
    self->initial = count;
    self->more = hd_passing(sizeof(struct arrivals));
    return 0;
}

HD_TAKEN int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    if (!hd_booted) return 0;
    struct hd_primitive *self = barrier_of(barrier, HD_PC());
    hd_step(HD_NONE, &self->place, HD_MODE_WRITE, HD_PC());
    hd_still_there(self, HD_PC());
    if (self->count > 0 && hd_inside()) {
        hd_complain(HD_FAIL_MISUSE, self, HD_PC(),
                    "destroys a barrier at which threads still wait");
    }
    hd_primitive_destroy(self);
    return 0;
}
