/* runtime.h - all mutable state of heddle inside the program under test.
 *
 * One struct at a fixed address in a mapping of its own (layout.h). libheddle.a
 * has no other writable data but one word that never changes after the start
 * (hd_booted), so putting the program's data segments back between executions
 * cannot hurt it. */
#ifndef HD_RUNTIME_H
#define HD_RUNTIME_H

#include "layout.h"
#include "memory_map.h"
#include "real.h"
#include "rng.h"
#include "sched.h"
#include "strategy.h"
#include "thread.h"

#include "trace/bug.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_failure_kind {
    HD_OK,
    HD_FAIL_ASSERTION,
    HD_FAIL_CRASH,
    HD_FAIL_DEADLOCK,
    HD_FAIL_LIVELOCK,
    HD_FAIL_EXIT,
    HD_FAIL_MISUSE,
    HD_FAIL_TIMEOUT,
};

/* How one execution ended. */
struct hd_outcome {
    int failure; /* enum hd_failure_kind */
    int status;  /* exit status, or the signal's number + 128 */
    bool diverged; /* a schedule could not be followed; the message says where */
    bool blocked; /* the search found it redundant before its end */
    int answer;  /* of a unit test: library.h */
    bool cut;    /* --steps reached with progress still being made, or a strategy stopped it */
    uint16_t thread; /* who failed */
    void *pc;        /* where, or NULL */
    char message[1024];
    char about[600]; /* of threads that stand still: what tells it from others (stuck.c) */
};

#define HD_TOUCHES 40 /* places that one operation touches */

struct hd_segment { /* this thread passed so many events */
    uint16_t thread;
    uint64_t events;
};

struct hd_config {
    uint64_t seed;
    uint64_t steps;      /* visible operations in one execution */
    uint64_t executions; /* how many, with explore */
    uint64_t first;      /* number of the first one */
    uint64_t milliseconds; /* stop exploring after so long; 0: no limit */
    uint64_t after;        /* executions that do not count against that: they are done again */
    uint64_t memory;     /* bytes of lasting memory at which exploring stops; 0: no limit */
    uint64_t stamps;     /* this many, then they are renewed: for tests; 0: as many as there are */
    uint64_t telling;    /* milliseconds between two tellings of how far it is; 0: none */
    uint64_t jobs;       /* processes that explore; 0 or 1: one */
    uint64_t watchdog;   /* processor seconds without any event; 0: none */
    char strategy[512];
    char trace[512];    /* file for the trace; empty: none */
    char schedule[512]; /* file for the schedule in plain form; empty: none */
    bool warnings;
    int result_fd;      /* where structured results go; -1: nowhere */
    bool every_access;
    bool every_call;    /* calls of static functions divide, too: linkage.h */
    bool values;
    bool globals;       /* what is left in static data is part of the outcome: globals.h */
    bool spurious;
    bool quiet;
    bool explore;
    bool unit;          /* with explore: a unit test, enough is known at the first failure */
    bool same;          /* with explore: every execution draws the same chance */
    bool eager;         /* with jobs: share out whatever can be, small pieces, at once (for tests) */
    bool each;          /* with explore: tell every execution, and its trace if asked for */
    bool verify;        /* with explore: what confined.h says is looked at, every time */
    bool fork;          /* with explore: a process of its own for every execution */
};

#define HD_LANES 4
#define HD_SHARED_MADE 32
#define HD_CHILDREN 32 /* processes of one execution that are looked for at its end */

struct hd_runtime {
    /* First line: the event path. */
    struct hd_thread *current;
    int64_t left[HD_LANES];  /* events that it may still pass, and ... */
    uint64_t lent;           /* ... what they were together: count.h */
    uint64_t stamp; /* changes whenever repeating an access says something new: shadow.h */
    struct hd_coder *coder; /* record.c: NULL if nothing is recorded */

    bool recording;
    bool running;    /* inside an execution (or a constructor), scheduling on */
    bool shared;     /* all this is the same memory in the processes of a search */
    bool ending;     /* the execution is over: who stands still now does so for ever */
    bool entered;    /* libc or the kernel was called: confined.h */
    uint8_t closed_depth; /* > 0: libc holds a lock of its own; what it frees is no point */
    uint8_t quiet_depth; /* > 0: runtime code runs; malloc serves heddle, events are not counted */
    uint32_t generation; /* of executions, from 1 */
    uint32_t simple;     /* of variables to which an access may be simple (access.h); 0: of none */

    struct hd_region lasting, passing, vars, vars_at, vars_more, shadow, words; /* and that of hd_own, in itself */
    uintptr_t aside; /* memory_map.c: the next of those mappings; 0: none yet */
    uint32_t var_count, var_room;

    struct hd_config config;
    struct hd_real real;

    /* threads of this execution */
    struct hd_thread *threads[65536];
    uint32_t thread_count;
    uint16_t runnable[65536]; /* ids, ascending */
    uint32_t runnable_count;
    uint64_t runnable_first; /* of the first 64 threads, a bit each */
    uint32_t timed_count;     /* blocked threads with a deadline */
    uint32_t finished_count;
    struct {
        struct hd_place *place;
        enum hd_mode mode;
    } touches[HD_TOUCHES];    /* of the operation under way */
    uint32_t touch_count;
    uint32_t parked_count;    /* threads that spin in vain */
    uint16_t slot_owner[65536]; /* thread id that used the slot last */
    struct hd_spare *spare_clocks; /* clock.c */
    uint32_t slot_count, slot_found; /* how many there are; the one given out last */
    uint64_t stop_at; /* real nanoseconds: exploring ends then, also inside an execution; 0: never */
    uint64_t now; /* virtual time */
    uint64_t start_time;
    uint64_t steps; /* visible operations so far */
    uint64_t preemptions; /* switches away from somebody who could have gone on */
    uint64_t progress_step; /* step of the last operation that changed something */

    struct hd_segment *segments;
    uint32_t segment_count, segment_room;
    int *values;
    uint32_t value_count, value_room;

    const struct hd_strategy_ops *strategy;
    const struct hd_strategy_ops *chosen; /* for executions; constructors have their own */
    const char *strategy_argument;
    void *strategy_state;
    struct hd_rng rng;
    uint64_t run; /* number of the execution, from 0 */

    struct hd_place pseudo[HD_KEY_PSEUDO_END];

    struct hd_fiber root;
    void *root_tp;
    struct hd_outcome outcome;

    int argc;
    char **argv;
    char **envp;
    const char *options; /* HEDDLE_OPTIONS, or NULL */
    int (*main)(int, char **, char **);
    size_t main_stack; /* bytes; 0: not asked yet */
    size_t tls_used;   /* bytes of a thread block below its pointer that have variables */
    bool wrfsbase, wide_registers; /* what the processor has */
    uint32_t shown;  /* variables that became visible, ever */
    /* What an execution did that a restore must undo; mapped: perhaps, in libc. */
    bool moved, opened, replaced, loaded, mapped, extended;
    uint32_t child_count; /* beyond.h */
    int children[HD_CHILDREN], pipes;
    bool alone;         /* every execution has a process of its own */
    const char *beyond; /* what cannot be undone: beyond.h */
    bool foreign; /* the program calls what heddle does not know: libc/known.h */
    bool ends_locally; /* some execution ended in a step that no other thread sees: strategies/local.h */
    bool cancels, signals, makes_keys; /* some execution did: pthread/cancel.c, signal.c, key.c */
    bool ever_loaded; /* some execution, or a constructor, loaded a library */
    char *observed;          /* heddle_observe: "name=value" lines */
    size_t observed_length;
    uint64_t class_hash; /* of the last execution: equal for equivalent ones (class.h) */
    bool incomplete; /* something happened that the search cannot answer for */
    struct { /* pthread/timer.c: what timers would send, in the execution of `generation` */
        uint32_t generation;
        bool thread;      /* start one, rather */
        uint64_t signals; /* by bit number - 1 */
    } timers;
    int voice;       /* where heddle itself speaks, if standard error is caught; 0: there */
    bool new_class;  /* the last execution was of a class not seen before */
    bool came_back;  /* an execution in a process of its own ended as executions do */
    bool restarted; /* the search began again: what was counted does not count */
    bool own_limits; /* the strategy sets threads' limits itself */

    /* owned by their files */
    struct hd_stack_state *stacks;
    struct hd_heap_state *heap;
    struct hd_record_state *record;
    struct hd_ids_state *ids;
    struct hd_frame_state *frames;
    struct hd_callee *callees;
    struct hd_linkage *linkage;
    struct hd_object_state *objects;
    struct hd_exit_state *exits;
    struct hd_snapshot_state *snapshot;
    struct hd_confined_state *confined;
    struct hd_action_state *actions;
    struct hd_note_state *notes;
    struct hd_explore_state *explore;
    struct hd_output_state *output;
    struct hd_workers *workers;   /* worker.c: those of this process */
    struct hd_there *there;       /* worker_there.c: this is one */
    struct hd_numbered *numbered;
    uint32_t member; /* whose work is described, of a strategy that stands on others */
    uint32_t explore_notes; /* how many there were when exploring began */
    struct hd_pthread_state *pthread_state;
    struct hd_stdio_state *stdio;
    struct hd_search_state *search;
    struct hd_module_state *modules;
    struct hd_annotate_state *annotate;
    int shared_made[HD_SHARED_MADE]; /* segments of System V that this execution made */
    uint32_t shared_count;
    struct hd_told *told; /* results of libc/users.c */
    void *libc[512]; /* libc/names.def: its own definitions, found so far */
    struct hd_files_state *files;
    struct hd_descriptor_state *descriptors;
    struct hd_limit_state *limits;
    struct hd_circle *circle;
    struct hd_attribute_state *attributes;
    struct hd_mapping_state *mappings;
    void *watch;
    struct hd_library_state *library;
};

#define hd_rt ((struct hd_runtime *)HD_AT_RUNTIME)

/* The same, as something that the compiler has in a register: then what is near to it
 * is an offset away, and not another constant of ten bytes. */
static inline char *hd_rt_base(void) {
    char *base = (char *)HD_AT_RUNTIME;
    __asm__("" : "+r"(base));
    return base;
}
#define hd_near(at) (hd_rt_base() + ((at) - HD_AT_RUNTIME))

/* Passing memory for who writes all of it before he reads it. */
static inline void *hd_passing_as_it_is(size_t size) {
    struct hd_region *region = &hd_rt->passing;
    uintptr_t at = region->next, next = at + ((size + 15) & ~(size_t)15);
    if (__builtin_expect(next > region->peak || next < at, 0)) return hd_passing_more(size);
    region->next = next;
    return (void *)at;
}

/* A copy that stays as it is. */
static inline void hd_clock_keep(struct hd_clock *clock, const struct hd_clock *other) {
    clock->at = hd_passing_as_it_is(other->count * sizeof *clock->at);
    clock->room = other->count;
    hd_clock_copy(clock, other);
}

extern bool hd_booted; /* the mapping is there; never changes again */

void hd_boot_memory(void);
void hd_shadow_boot(void);
void hd_users_boot(void);
void hd_crash_boot(void);
void hd_run_boot(void);
void hd_strategy_open(void); /* what the configuration says */
bool hd_strategy_ready(char *why, size_t size); /* the same; false: it cannot be */
int hd_main(int argc, char **argv, char **envp);

/* heddle cannot go on with this process: say why, exit 3. */
void hd_give_up(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The program is wrong: this execution ends here. `pc` may be NULL. */
void hd_failure(enum hd_failure_kind kind, void *pc, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* Of this thread, which stands still, whoever ran last. */
void hd_failure_of(const struct hd_thread *thread, enum hd_failure_kind kind, const char *format,
                   ...) __attribute__((format(printf, 3, 4), noreturn));

/* The execution is over; go to the root. */
void hd_end_execution(void) __attribute__((noreturn));

/* Something heddle does not see or control: said once per text. */
void hd_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

const char *hd_note_at(uint32_t index); /* NULL: no more */

/* pthread/timer.c: one is set that would run a handler, start a thread, or be waited for. */
bool hd_timers_matter(void);

/* A line on standard error, by write(2). */
void hd_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A function of libc that may write to libc's own data, or write at all. */
#define HD_ENTER(name) (hd_rt->entered = true, hd_rt->real.name)

#define HD_PC() __builtin_extract_return_addr(__builtin_return_address(0))
#define hd_likely(x) __builtin_expect(!!(x), 1)
#define hd_unlikely(x) __builtin_expect(!!(x), 0)

#endif
