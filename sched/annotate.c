/* annotate.c - what heddle.h promises.
 *
 * Blocks are a stack per thread. Each knows how deep the machine stack was when
 * it began, so that one which a longjmp left without a word is ended when the
 * thread is next heard of. A transaction is a lock that nobody can name. */
#include "annotate.h"

#include "access.h"
#include "primitive.h"
#include "record.h"
#include "runtime.h"

#define __HEDDLE__ 1 /* the declarations, not their absence */
#include "include/heddle.h"

#define SEEN __attribute__((visibility("default")))
#define OBSERVED (1u << 20) /* bytes of observations that one execution may make */

struct hd_annotated { /* one block being executed */
    struct hd_annotated *outer;
    uintptr_t sp;
    bool transaction;
};

struct hd_annotate_state {
    uint32_t generation;
    uint32_t tag;                /* of the transactions' lock */
    struct hd_primitive *lock;
    size_t room;                 /* for observations */
};

static struct hd_annotate_state *state(void) {
    if (!hd_rt->annotate) hd_rt->annotate = hd_lasting(sizeof *hd_rt->annotate);
    struct hd_annotate_state *self = hd_rt->annotate;
    if (self->generation != hd_rt->generation) {
        self->generation = hd_rt->generation;
        self->lock = NULL;
        self->room = 0;
        hd_rt->observed_length = 0;
    }
    return self;
}

static bool inside(void) { return hd_booted && hd_rt->running && hd_rt->current; }

static void open_block(uintptr_t sp, bool transaction) {
    struct hd_thread *self = hd_rt->current;
    struct hd_annotated *block = hd_passing(sizeof *block);
    *block = (struct hd_annotated){self->annotated, sp, transaction};
    self->annotated = block;
}

/* ---- the transactions' lock -------------------------------------------------- */

static struct hd_primitive *the_lock(void) {
    struct hd_annotate_state *self = state();
    if (!self->lock) {
        self->lock = hd_primitive_new(&self->tag, HD_SYNC_MUTEX);
        self->lock->place.key = HD_KEY_TRANSACTION;
        self->lock->place.gate = HD_NO_GATE; /* who has it takes it again */
    }
    return self->lock;
}

static bool is_free(struct hd_thread *self, void *argument) {
    const struct hd_primitive *lock = argument;
    return lock->owner == 0 || lock->owner == self->id + 1u;
}

static void let_go(void *pc) {
    struct hd_primitive *lock = the_lock();
    hd_record_region(HD_TXEND, NULL, 0, pc);
    if (--lock->count > 0) return;
    lock->owner = 0;
    hd_touch(&lock->place, HD_MODE_WRITE);
    hd_changed(&lock->place);
}

/* ---- blocks ------------------------------------------------------------------ */

static void close_block(struct hd_thread *self, void *pc) {
    bool transaction = self->annotated->transaction;
    self->annotated = self->annotated->outer;
    if (transaction) {
        let_go(pc);
    } else {
        hd_record_region(HD_END, NULL, 0, pc);
    }
}

void hd_annotate_leave(struct hd_thread *self, uintptr_t sp, void *pc) {
    while (hd_unlikely(self->annotated && self->annotated->sp < sp)) close_block(self, pc);
}

SEEN void heddle_begin_(const char *name, int deterministic) {
    if (!inside()) return;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    hd_annotate_leave(hd_rt->current, sp, HD_PC());
    open_block(sp, false);
    hd_record_region(HD_BEGIN, name, deterministic ? HD_FLAG_DETERMINISTIC : 0, HD_PC());
}

SEEN void heddle_end_(void *scope) {
    (void)scope;
    if (!inside()) return;
    hd_annotate_leave(hd_rt->current, (uintptr_t)__builtin_frame_address(0), HD_PC());
    if (hd_rt->current->annotated) close_block(hd_rt->current, HD_PC());
}

SEEN void heddle_transaction_begin_(void) {
    if (!inside()) return;
    struct hd_thread *self = hd_rt->current;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    hd_annotate_leave(self, sp, HD_PC());
    struct hd_primitive *lock = the_lock();
    if (lock->owner != self->id + 1u) {
        hd_point_until(HD_TXBEGIN, &lock->place, HD_MODE_WRITE, HD_PC(), is_free, lock,
                       HD_NEVER);
        lock->owner = self->id + 1u;
        lock->where = HD_PC();
        hd_changed(&lock->place); /* whoever stood before it was free can no longer begin */
    }
    lock->count++;
    open_block(sp, true);
    hd_record_region(HD_TXBEGIN, NULL, 0, HD_PC());
}

SEEN void heddle_transaction_end_(void *scope) {
    if (!inside()) return;
    struct hd_thread *self = hd_rt->current;
    hd_annotate_leave(self, (uintptr_t)__builtin_frame_address(0), HD_PC());
    (void)scope;
    if (!self->annotated) return;
    if (the_lock()->count == 1) {
        hd_point(HD_TXEND, &the_lock()->place, HD_MODE_WRITE, HD_PC());
    }
    close_block(self, HD_PC());
}

/* ---- lock disciplines ---------------------------------------------------------- */

/* A lock is told by its size; nothing else is known of the pointer. */
static struct hd_primitive *lock_of(const volatile void *lock, size_t size, void *pc) {
    enum hd_sync_kind kind = size == 56 ? HD_SYNC_RWLOCK
                             : size == 4 ? HD_SYNC_SPINLOCK
                                         : HD_SYNC_MUTEX;
    return hd_primitive_get((void *)(uintptr_t)lock, kind, pc);
}

SEEN void heddle_guarded_by_(const volatile void *variable, size_t size,
                             const volatile void *lock, size_t lock_size) {
    if (!inside() || !hd_rt->recording) return;
    struct hd_primitive *primitive = lock_of(lock, lock_size, HD_PC());
    uintptr_t at = (uintptr_t)variable;
    while (size > 0) {
        unsigned piece = 8 - (at & 7);
        if (piece > size) piece = (unsigned)size;
        hd_record_guarded(hd_var_get(at, piece), primitive, HD_PC());
        at += piece;
        size -= piece;
    }
}

SEEN void heddle_requires_(const volatile void *lock, size_t lock_size) {
    if (!inside() || !hd_rt->recording) return;
    hd_record_sync(HD_REQUIRES, lock_of(lock, lock_size, HD_PC()), HD_NO_ID, 0, HD_PC());
}

/* ---- choices and outcomes ------------------------------------------------------- */

SEEN int heddle_choose(int n) {
    if (!inside()) return 0;
    if (n < 1) hd_failure(HD_FAIL_MISUSE, HD_PC(), "heddle_choose(%d): nothing to choose from", n);
    hd_count(HD_PC()); /* an event: a schedule tells whose answer comes first */
    int answer = hd_choose(n);
    hd_record_plain(HD_CHOOSE, (uint32_t)answer, (uint32_t)n, 0, HD_PC());
    return answer;
}

void hd_observed_add(const char *text, size_t length) {
    struct hd_annotate_state *self = state();
    size_t used = hd_rt->observed_length;
    if (used + length > OBSERVED) {
        hd_note("more than %u bytes of observations; the rest is left out", OBSERVED);
        return;
    }
    if (used + length > self->room) {
        size_t room = self->room ? self->room * 2 : 256;
        while (room < used + length) room *= 2;
        char *more = hd_passing(room);
        if (used) memcpy(more, hd_rt->observed, used);
        hd_rt->observed = more;
        self->room = room;
    }
    memcpy(hd_rt->observed + used, text, length);
    hd_rt->observed_length += length;
}

static void observe(const char *name, const char *text, void *pc) {
    hd_point(HD_NONE, hd_pseudo(HD_KEY_OBSERVED), HD_MODE_WRITE, pc);
    hd_observed_add(name, strlen(name));
    hd_observed_add("=", 1);
    hd_observed_add(text, strlen(text));
    hd_observed_add(";", 1);
}

SEEN void heddle_observe(const char *name, long long value) {
    if (!inside()) return;
    char digits[24], *at = digits + sizeof digits;
    unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value
                                        : (unsigned long long)value;
    *--at = '\0';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0) *--at = '-';
    observe(name, at, HD_PC());
}

SEEN void heddle_observe_text(const char *name, const char *text) {
    if (inside()) observe(name, text ? text : "(null)", HD_PC());
}

SEEN void heddle_yield(void) {
    if (!inside()) return;
    hd_yield(HD_PC());
    hd_record_plain(HD_YIELD, 0, 0, 0, HD_PC());
}
