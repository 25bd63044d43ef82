/* exits.c - exit, abort, assert, and what runs before a process ends.
 *
 * Exit handlers are kept here rather than in libc's list, because an execution
 * ends without ending the process. exit() does what libc's does: handlers in
 * reverse order, destructors of the program, output flushed; the other threads
 * may go on meanwhile, as they do in reality. */
#include "exits.h"

#include "libc/stream.h"

#include "heap.h"
#include "module.h"
#include "runtime.h"
#include "taken.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct handler {
    void (*call)(void *);
    void *argument;
    void *dso;
    bool with_status; /* on_exit: call(status, argument) */
};

struct hd_exit_state {
    struct handler *list;
    uint32_t count, room;
    uint32_t mark;
    uint32_t generation;
    void (**fini)(void); /* destructors of the executable (and .fini), which libc would run in exit */
    size_t fini_count;
    bool fini_known;
};

static struct hd_exit_state *state(void) {
    if (!hd_rt->exits) hd_rt->exits = hd_lasting(sizeof *hd_rt->exits);
    struct hd_exit_state *self = hd_rt->exits;
    if (self->generation != hd_rt->generation) {
        self->generation = hd_rt->generation;
        if (self->mark) self->count = self->mark - 1;
    }
    return self;
}

void hd_exits_mark(void) { state()->mark = state()->count + 1; }

static int add(struct handler handler) {
    if (!hd_booted) hd_boot_memory();
    struct hd_exit_state *self = state();
    if (self->count == self->room) {
        uint32_t room = self->room ? self->room * 2 : 64;
        struct handler *more = hd_lasting(room * sizeof *more);
        if (self->count) memcpy(more, self->list, self->count * sizeof *more);
        self->list = more;
        self->room = room;
    }
    self->list[self->count++] = handler;
    return 0;
}

HD_TAKEN int __cxa_atexit(void (*call)(void *), void *argument, void *dso) {
    return add((struct handler){call, argument, dso, false});
}

HD_TAKEN int on_exit(void (*call)(int, void *), void *argument) {
    return add((struct handler){(void (*)(void *))(void *)call, argument, NULL, true});
}

static void run_handlers(int status) {
    struct hd_exit_state *self = state();
    while (self->count > 0) {
        struct handler handler = self->list[--self->count];
        if (!handler.call) continue;
        if (handler.with_status) {
            ((void (*)(int, void *))(void *)handler.call)(status, handler.argument);
        } else {
            handler.call(handler.argument);
        }
    }
}

/* A library being unloaded: its handlers now. */
HD_TAKEN void __cxa_finalize(void *dso) {
    if (!hd_booted || !dso || !hd_rt->running) return;
    struct hd_exit_state *self = state();
    for (uint32_t i = self->count; i-- > 0;) {
        if (self->list[i].dso != dso || !self->list[i].call) continue;
        struct handler handler = self->list[i];
        self->list[i].call = NULL;
        handler.call(handler.argument);
    }
}

static int find_fini(struct dl_phdr_info *info, size_t size, void *data) {
    struct hd_exit_state *self = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_FINI_ARRAY) self->fini = (void *)(info->dlpi_addr + entry->d_un.d_ptr);
            if (entry->d_tag == DT_FINI_ARRAYSZ) self->fini_count = entry->d_un.d_val / sizeof *self->fini;
        }
    }
    return 1; /* the executable comes first; no other */
}

static void run_fini(void) {
    struct hd_exit_state *self = state();
    if (!self->fini_known) dl_iterate_phdr(find_fini, self);
    self->fini_known = true;
    for (size_t i = self->fini ? self->fini_count : 0; i-- > 0;) self->fini[i]();
}

static void flush(void) { hd_stdio_flush(); }

HD_TAKEN void exit(int status) {
    if (!hd_booted || !hd_rt->running) {
        hd_rt->real.exit(status);
    }
    struct hd_thread *self = hd_rt->current;
    if (self->exiting) hd_failure(HD_FAIL_MISUSE, HD_PC(), "exit called again by an exit handler");
    self->exiting = true;
    hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC());
    uint64_t steps = hd_rt->steps;
    if (hd_thread_farewell) hd_thread_farewell();
    run_handlers(status);
    run_fini();
    if (hd_rt->steps != steps) { /* others may see what was done before all is over */
        hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC());
    }
    flush();
    hd_rt->outcome.status = status & 0xff;
    hd_end_execution();
}

HD_TAKEN void _exit(int status) {
    if (hd_booted && hd_rt->running) {
        hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC());
        hd_rt->outcome.status = status & 0xff;
        hd_end_execution();
    }
    hd_rt->real._exit(status);
    __builtin_unreachable();
}

HD_TAKEN void _Exit(int status) { _exit(status); }

HD_TAKEN void quick_exit(int status) { _exit(status); }

HD_TAKEN void abort(void) {
    if (!hd_booted || !hd_rt->running) hd_rt->real.abort();
    hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC());
    hd_rt->outcome.status = 134;
    hd_failure(HD_FAIL_CRASH, HD_PC(), "abort() was called");
}

static void assertion(const char *expression, const char *file, unsigned line,
                      const char *function, void *pc) {
    extern char *program_invocation_short_name;
    char text[700];
    snprintf(text, sizeof text, "%s:%u: %s%sAssertion `%s' failed.", file, line,
             function ? function : "", function ? ": " : "", expression);
    flush();
    char whole[900];
    int n = snprintf(whole, sizeof whole, "%s: %s\n", program_invocation_short_name, text);
    if (HD_ENTER(write)(2, whole, (size_t)n) < 0) n = 0;
    if (!hd_rt->running) hd_rt->real.abort();
    hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    hd_rt->outcome.status = 134;
    hd_failure(HD_FAIL_ASSERTION, pc, "%s", text);
}

HD_TAKEN void __assert_fail(const char *expression, const char *file, unsigned line,
                            const char *function) {
    assertion(expression, file, line, function, HD_PC());
    __builtin_unreachable();
}

HD_TAKEN void __assert(const char *expression, const char *file, int line) {
    assertion(expression, file, (unsigned)line, NULL, HD_PC());
    __builtin_unreachable();
}

HD_TAKEN void __stack_chk_fail(void) {
    if (hd_rt->running) hd_failure(HD_FAIL_CRASH, HD_PC(), "stack smashing detected");
    hd_rt->real.abort();
    __builtin_unreachable();
}
