/* thread.h - one thread of the program: a fiber, what it waits for, its clock.
 *
 * Names do not depend on the schedule: a thread is (parent, nth child), printed
 * 0, 0.1, 0.2, 0.1.1. Its home is a number made from that name; heap and stack
 * addresses follow from it. Ids are given in the order of creation within one
 * execution and are what traces and strategies use. */
#ifndef HD_THREAD_H
#define HD_THREAD_H

#include "clock.h"
#include "fiber.h"
#include "place.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_thread_state {
    HD_THREAD_RUNNABLE, /* its next operation can be done now */
    HD_THREAD_BLOCKED,  /* its next operation cannot be done now */
    HD_THREAD_FINISHED,
};

/* What a thread is about to do. */
struct hd_op {
    struct hd_place *place; /* NULL: mode NONE */
    struct hd_place *also;  /* a second one that it writes; NULL: none */
    uint8_t kind;           /* enum hd_kind */
    uint8_t mode;           /* enum hd_mode */
    uint8_t yielding;       /* it would rather let others go first */
    uint8_t same;           /* what it writes is there already: nobody has to look again */
    void *pc;               /* where in the program */
};

/* An entered function. The stack pointer tells frames that a longjmp left. */
struct hd_call {
    void *pc; /* inside the function */
    uintptr_t sp;
    uintptr_t fp; /* the frame pointer register, whatever the function uses it for */
    bool divides; /* recorded: repeating an access says something new in it, and behind it */
};

/* The stack pointer of a call at its entry: the runtime's own frame there is a return
 * address and the frame pointer as it was. */
static inline uintptr_t hd_call_bottom(const struct hd_call *call) {
    return call->sp + 2 * sizeof(void *);
}

#define HD_NEVER UINT64_MAX /* a deadline that does not pass */

struct hd_spin_place;

/* Whether a thread goes round in circles: spin.h. */
struct hd_spin {
    uint64_t writes;  /* of the thread, when this began */
    void *anchor;     /* where in the code a circle may come back to, */
    struct hd_place *place; /* reading which place */
    uint32_t seen, next, visits;
    uint32_t count;   /* of places read since the last visit */
    struct hd_spin_place *places;
    uint64_t state;   /* at the last visit */
    uint32_t lowest;  /* the fewest locks that it held since an anchor was looked for */
    int32_t balance;  /* locks taken less those given back since the last visit */
    bool logging, repeating;
    uint8_t rounds;   /* times it was let go because nobody else could run */
    bool aside;       /* it is parked where it steps aside, and waits for no place */
    struct {          /* steps aside in a row, with no other operation in between */
        void *pc;
        uint64_t writes, state;
        uint32_t epoch, count;
    } yields;
};

struct hd_thread {
    /* First line: the event path. */
    uint64_t events; /* passed so far, including the one it stands before: count.h */
    uint64_t limit;  /* stop and ask when events gets beyond */
    uint64_t long_run; /* accesses until it has to let others have a look */
    uint32_t depth;  /* of the call stack below */
    uint16_t id;
    uint16_t slot;   /* component of clocks */
    uint32_t epoch;  /* own component of clock */
    uint32_t entered; /* calls that the trace already shows */
    uint32_t slots;   /* its slot twice, as the last reader and writer: shadow.h */
    struct hd_call *calls; /* the functions being executed, outermost first; calls[-1] is around all */
    uint32_t calls_room;
    bool shown;      /* the trace has its start */
    bool standing;   /* the last event counted is still to be done */
    bool watched;    /* at each access: circle.h */

    struct hd_clock clock;
    struct hd_op op;
    uint64_t hash;   /* class.h */
    uint64_t writes; /* what it did to others or to data, counted; see spin.h */
    uint64_t outside; /* that count, when it took the first of the locks that it holds */
    uint32_t holds;   /* how many locks */
    uint32_t tried;   /* how often it gave back one that others had tried */
    struct hd_spin spin;
    struct hd_place *also; /* for the next operation, see hd_also */

    uint8_t state;
    bool timed_out;   /* what ended the last timed wait */
    bool was_blocking; /* the operation being done could have had to wait */
    bool was_timed;   /* so was the last that could block, with a deadline */
    bool awaiting;    /* spins: its operation reads all that it waits for */
    bool looks;       /* whether it was signaled or is to end, with each of its operations */
    bool parked;      /* and nothing of that has changed */
    bool by_time;     /* runnable only because its deadline may pass */
    bool called;      /* it was sent a signal or a request to end */
    uint64_t circled;   /* circle.h: it was found going round when so much had been written, */
    uint32_t circles;   /* so many times, */
    void *circle_at;    /* here */
    bool goes_round;    /* it does nothing else any more */
    bool interrupted; /* a signal or an asynchronous cancellation waits: pthread/signal.c */
    bool leaving;     /* by pthread_exit or canceled: unwinding */
    bool freeing;    /* inside of free: meeting another one there is a double free */
    bool detached, joined, joinable_wait, canceled, cancel_disabled, cancel_async, exiting;
    uint64_t deadline; /* HD_NEVER, or virtual nanoseconds */
    bool (*ready)(struct hd_thread *self, void *argument); /* NULL: always */
    void *ready_argument;
    struct hd_thread *next_pending; /* in op.place->pending */

    uint64_t segment; /* value of events when it was last given the processor */
    uint64_t ran_at;  /* value of hd_rt->steps at its last operation */

    struct hd_fiber fiber;
    void *tp;            /* thread pointer */
    char *stack_low;
    size_t stack_size;
    uint32_t home;
    uint32_t parent;     /* id */
    uint32_t nth;        /* among the parent's children, from 1 */
    uint32_t children;
    uint64_t allocations; /* how many it has made */

    void *(*entry)(void *);
    void *argument;
    void *result;
    struct hd_place end;  /* joiners meet it here */
    int saved_errno;
    void *cleanup;        /* chain of cleanup handlers, pthread/cancel.c */
    void *pthread;        /* the pthread layer's own */
    uint64_t draws;       /* random numbers from outside: libc/random.c */
    struct hd_annotated *annotated; /* blocks being executed, innermost first: annotate.c */
    struct hd_clock final;
    char title[16];       /* pthread_setname_np */
};

/* The key of the place where requests to this thread arrive (pthread/cancel.c). */
static inline uint64_t hd_mailbox_key(const struct hd_thread *thread) {
    return (uintptr_t)thread->tp + 8;
}

struct hd_thread *hd_thread_new(struct hd_thread *parent, void *(*entry)(void *), void *argument,
                                size_t stack_size);
/* Room for so many calls, and for the one around them. */
struct hd_call *hd_calls_room(uint32_t room);
/* "0.2.1" into buffer; returns it. */
char *hd_thread_name(const struct hd_thread *thread, char *buffer, size_t size);
/* The thread of that name in this execution, or NULL. */
struct hd_thread *hd_thread_find(const char *name);

/* stack.c: a home's stack and thread block, mapped on first use, kept. */
int hd_home_of(uint32_t parent_home, uint32_t nth);
int hd_stack_get(struct hd_thread *thread, size_t size);
/* The thread on whose stack this is; NULL: none, main's, or memory of the program's own. */
struct hd_thread *hd_stack_owner(uintptr_t address);
/* Another thread gets at this one's stack; has any, ever? */
void hd_stack_meet(const struct hd_thread *owner);
bool hd_stack_met(const struct hd_thread *owner);
void *hd_stack_top(uint32_t home); /* of a home that has one */
void hd_stacks_settle(bool confined); /* the execution is over: its frames go */
void hd_stacks_copied(void);          /* this process is a copy of another */

/* tls.c: thread blocks. */
void hd_tls_boot(void);
size_t hd_tls_size(void);
void hd_tls_extent(char **low, char **high); /* of the main thread's block */
void *hd_tls_make(void *top); /* below `top`; the new thread pointer */
/* The bytes of a new block, and back to them; confined.h: what that execution was. */
struct hd_tls_image;
struct hd_tls_image *hd_tls_keep(void *tp);
void hd_tls_reset(void *tp, const struct hd_tls_image *image, bool confined);
void hd_tls_switch(void *tp);

#endif
