/* watch.c - see watch.h. */
#include "watch.h"

#include "count.h"
#include "module.h"
#include "pthread/kernel.h"
#include "report.h"
#include "runtime.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#define PATIENCE 3 /* seconds in one system call before it is looked at */
#define SECOND 1000000000L
#define MOMENT 50000000L /* to reach an access in, when the time is over */

struct look { /* what had happened when a timer last looked */
    uint64_t steps, events;
    uint32_t generation, ticks;
    struct hd_thread *thread;
};

struct watch {
    struct look busy, asleep, late;
    int timer; /* real time; negative: none */
};

/* How many looks in a row saw the same. */
static uint32_t unchanged(struct look *look) {
    struct hd_thread *self = hd_rt->current;
    hd_collect(self);
    if (look->thread != self || look->steps != hd_rt->steps || look->events != self->events ||
        look->generation != hd_rt->generation) {
        *look = (struct look){hd_rt->steps, self->events, hd_rt->generation, 0, self};
    } else {
        look->ticks++;
    }
    return look->ticks;
}

/* Does this code wait in the kernel? A signal leaves it behind the instruction,
 * or before it if it will be entered again. */
static bool in_system_call(const unsigned char *pc) {
#if defined(__x86_64__)
    return (pc[0] == 0x0f && pc[1] == 0x05) || (pc[-2] == 0x0f && pc[-1] == 0x05);
#elif defined(__aarch64__)
    static const unsigned char svc[4] = {0x01, 0x00, 0x00, 0xd4};
    return memcmp(pc, svc, 4) == 0 || memcmp(pc - 4, svc, 4) == 0;
#else
    (void)pc;
    return false;
#endif
}

static bool is_libc(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strncmp(name, "libc.", 5) == 0 || strncmp(name, "libc-", 5) == 0 ||
           strncmp(name, "ld-", 3) == 0;
}

static void asleep(struct watch *watch, uintptr_t pc) {
    int module = hd_module_of(pc);
    if (module < 0 || !in_system_call((const unsigned char *)pc)) return;
    if (unchanged(&watch->asleep) != PATIENCE) return;
    char name[128], where[300];
    const char *path = hd_module_at(module)->path, *slash = strrchr(path, '/');
    hd_thread_name(hd_rt->current, name, sizeof name);
    if (is_libc(path) || pc - (uintptr_t)hd_kernel < 64) {
        hd_say("thread %s has waited in a system call for %d seconds, and all threads with it (%s)",
               name, PATIENCE, hd_describe_pc(hd_program_pc((void *)pc), where, sizeof where));
        return;
    }
    hd_give_up("thread %s waits in %s by a system call of its own, where no other thread can "
               "wake it: heddle does not control that library",
               name, slash ? slash + 1 : path);
}

/* The next look is then, and one every second after it. */
static void look_in(const struct watch *watch, uint64_t nanoseconds) {
    struct itimerspec then = {{1, 0}, {0, (long)nanoseconds}};
    if (watch->timer >= 0) hd_kernel(SYS_timer_settime, watch->timer, 0, (long)&then, 0, 0, 0);
}

/* The time for exploring is over: who goes on is stopped at his next access, who
 * makes none at once. */
static void late(struct watch *watch) {
    if (!hd_rt->stop_at) return;
    uint64_t now = hd_real_now();
    bool same = unchanged(&watch->late) > 0;
    if (now < hd_rt->stop_at) {
        uint64_t left = hd_rt->stop_at - now;
        if (left < SECOND - 1) look_in(watch, left + 1);
        return;
    }
    hd_rt->current->limit = 0;
    hd_lend(hd_rt->current);
    if (same) hd_report_late();
    look_in(watch, MOMENT);
}

static void tick(int number, siginfo_t *info, void *context) {
    (void)number;
    struct watch *watch = hd_rt->watch;
    struct hd_thread *self = hd_rt->current;
    if (!hd_rt->running || !self) return;
    void *pc = hd_context_pc(context);
    if (info->si_code == SI_TIMER) {
        late(watch);
        asleep(watch, (uintptr_t)pc - 1); /* that is one beyond, as return addresses are */
        return;
    }
    if (unchanged(&watch->busy) < hd_rt->config.watchdog) return;
    watch->busy.ticks = 0;
    char name[128];
    hd_failure(HD_FAIL_TIMEOUT, hd_program_pc(pc),
               "thread %s computed for %lu seconds without any event",
               hd_thread_name(self, name, sizeof name), hd_rt->config.watchdog);
}

void hd_watch_start(void) {
    if (!hd_rt->config.watchdog) return;
    struct sigaction action = {.sa_sigaction = tick,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigemptyset(&action.sa_mask);
    hd_rt->real.sigaction(SIGPROF, &action, NULL);
    struct itimerval second = {{1, 0}, {1, 0}};
    setitimer(ITIMER_PROF, &second, NULL);
    /* The program's own timers are virtual (pthread/timer.c): ask the kernel. */
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    struct itimerspec every = {{1, 0}, {1, 0}};
    int timer = -1;
    if (hd_kernel(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&timer, 0, 0, 0) == 0) {
        hd_kernel(SYS_timer_settime, timer, 0, (long)&every, 0, 0, 0);
    }
    ((struct watch *)hd_rt->watch)->timer = timer;
}

void hd_watch_boot(void) {
    hd_rt->watch = hd_lasting(sizeof(struct watch));
    hd_watch_start();
}
