/* once.c - pthread_once, and what call_once stands on.
 *
 * The control is four bytes. States:
 *
 *     0               nobody has begun
 *     tag             met; object->owner: the thread that runs the initialiser
 *     DONE | tag      the initialiser has run
 *
 * DONE is in the program's memory, so that what a constructor initialised
 * before the first execution stays initialised in every one of them. An
 * initialiser that is left by an exception or by cancellation has not run: the
 * next caller begins anew (the file is compiled with -fexceptions for that). */
#include "block.h"
#include "state.h"

#include <errno.h>

#define DONE 0x40000000u

struct attempt {
    struct hd_primitive *once;
    void *pc;
    bool complete;
};

/* Once it is done, callers only look and do not depend on each other. Which of
 * the two a caller will be is settled when its turn comes, not when it calls. */
static bool nobody_at_it(struct hd_thread *thread, void *argument) {
    const struct hd_primitive *self = argument;
    thread->op.mode = *self->tag & DONE ? HD_MODE_READ : HD_MODE_WRITE;
    return self->owner == 0;
}

static void leave(struct attempt *attempt) {
    struct hd_primitive *self = attempt->once;
    hd_step(HD_ONCE, &self->place, HD_MODE_WRITE, attempt->pc);
    if (attempt->complete) *self->tag |= DONE;
    self->owner = 0;
    hd_changed(&self->place);
    if (attempt->complete) hd_record_sync(HD_ONCE, self, 0, 0, attempt->pc);
}

static void run(struct hd_primitive *self, void (*routine)(void), void *pc) {
    __attribute__((cleanup(leave))) struct attempt attempt = {self, pc, false};
    self->owner = hd_me();
    self->where = pc;
    hd_changed(&self->place);
    routine();
    attempt.complete = true;
}

int hd_once(uint32_t *control, void (*routine)(void), void *pc) {
    if (!hd_booted) {
        if (!(*control & DONE)) routine();
        *control |= DONE;
        return 0;
    }
    struct hd_primitive *self;
    if (*control & DONE) {
        self = hd_primitive_numbered(*control & ~DONE, control);
        if (!self) return 0; /* done before this execution began */
    } else {
        self = hd_primitive_get(control, HD_SYNC_ONCE, pc);
    }
    if (self->owner == hd_me()) {
        if (!hd_inside()) return 0;
        hd_complain(HD_FAIL_DEADLOCK, self, pc,
                    "calls an initialiser once more from within itself, so it waits for itself");
    }
    hd_block(HD_ONCE, &self->place, HD_MODE_WRITE, pc, nobody_at_it, self, HD_NEVER, 0);
    if (*control & DONE) hd_record_sync(HD_ONCE, self, 0, HD_FLAG_TRY, pc);
    else run(self, routine, pc);
    return 0;
}

HD_TAKEN int pthread_once(pthread_once_t *control, void (*routine)(void)) {
    return hd_once((uint32_t *)control, routine, HD_PC());
}

HD_ALIAS(__pthread_once, pthread_once);
