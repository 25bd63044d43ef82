/* replay.c - what a schedule says.
 *
 * The plain form of a schedule: a line "NAME COUNT" lets that thread pass so
 * many events; a line "value N" answers the next other choice. Counts are of
 * all events, not only visible ones, so a schedule keeps its meaning when heddle
 * learns which data is shared; the thread's limit stops it at an access that is
 * no point otherwise.
 *
 * When the schedule has been used up the rest runs as round-robin would. When a
 * step cannot be done as it says, the run stops there: diverged. */
#include "sched/runtime.h"
#include "sched/strategy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int hd_round_robin_pick(const struct hd_choice *choice);

struct segment {
    char name[62];
    bool is_value;
    uint64_t count;
};

struct state {
    struct segment *list;
    uint32_t count;
    uint32_t at;      /* segment being run */
    uint32_t value;   /* next value to look for */
    struct hd_thread *thread; /* whose segment that is */
    uint64_t base;    /* events the thread had passed when its segment began */
    bool begun;
};

static int bad(char *why, size_t size, const char *path, unsigned line) {
    snprintf(why, size, "%s:%u: expected \"THREAD COUNT\" or \"value N\"", path, line);
    return -1;
}

static int parse(struct state *self, char *text, const char *path, char *why, size_t size) {
    unsigned line = 0;
    uint32_t room = 1;
    for (const char *c = text; *c; c++) room += *c == '\n';
    self->list = hd_lasting(room * sizeof *self->list);
    for (char *next; *text; text = next) {
        line++;
        next = text + strcspn(text, "\n");
        if (*next) *next++ = '\0';
        if (*text == '\0' || *text == '#') continue;
        struct segment *segment = &self->list[self->count];
        size_t name = strcspn(text, " ");
        char *end;
        if (text[name] != ' ' || name >= sizeof segment->name) return bad(why, size, path, line);
        if (text[name + 1] < '0' || text[name + 1] > '9') return bad(why, size, path, line);
        segment->count = strtoull(text + name + 1, &end, 10);
        if (*end) return bad(why, size, path, line);
        memcpy(segment->name, text, name);
        segment->is_value = strcmp(segment->name, "value") == 0;
        if (!segment->is_value && text[0] != '0') return bad(why, size, path, line);
        self->count++;
    }
    return 0;
}

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (!argument) {
        snprintf(why, size, "expected replay:FILE");
        return -1;
    }
    int fd = open(argument, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size > 1 << 30) {
        snprintf(why, size, "cannot read %s", argument);
        if (fd >= 0) close(fd);
        return -1;
    }
    char *text = hd_lasting((size_t)info.st_size + 1);
    ssize_t n = read(fd, text, (size_t)info.st_size);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    hd_rt->own_limits = true;
    return parse(self, text, argument, why, size);
}

static bool begin_run(uint64_t run) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    self->at = self->value = 0;
    self->begun = false;
    return run == 0;
}

static int diverge(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int diverge(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(hd_rt->outcome.message, sizeof hd_rt->outcome.message, format, args);
    va_end(args);
    hd_rt->outcome.diverged = true;
    return HD_PICK_STOP;
}

static uint64_t passed(const struct hd_thread *thread) {
    return thread->events - thread->standing;
}

/* The thread the present segment names, made ready to run that far. */
static int enter(struct state *self, const struct hd_choice *choice) {
    while (self->at < self->count && self->list[self->at].is_value) self->at++;
    if (self->at == self->count) {
        hd_rt->own_limits = false;
        return hd_round_robin_pick(choice);
    }
    const struct segment *segment = &self->list[self->at];
    struct hd_thread *thread = hd_thread_find(segment->name);
    if (!thread) {
        return diverge("choice %u: the schedule runs thread %s, which does not exist", self->at + 1,
                       segment->name);
    }
    if (thread->state != HD_THREAD_RUNNABLE) {
        return diverge("choice %u: the schedule runs thread %s, which %s", self->at + 1,
                       segment->name,
                       thread->state == HD_THREAD_BLOCKED ? "is blocked" : "has ended");
    }
    self->thread = thread;
    self->base = passed(thread);
    thread->limit = self->base + segment->count;
    return thread->id;
}

/* One who spins goes on when nobody else can run. Others may have to be begun for that,
 * and stand still before they pass an event, of which a schedule says nothing. */
static int begin_another(const struct hd_choice *choice) {
    for (size_t i = 0; i < choice->count; i++) {
        struct hd_thread *thread = hd_rt->threads[choice->runnable[i]];
        if (thread->events > 0) continue;
        thread->limit = 0;
        return thread->id;
    }
    return -1;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (!self->begun) { /* the first segment is main's, and main has run already */
        self->begun = true;
        enter(self, choice);
        self->base = 0;
        if (self->at < self->count) hd_rt->threads[0]->limit = self->list[self->at].count;
    }
    if (self->at >= self->count) return hd_round_robin_pick(choice);
    const struct hd_thread *thread = self->thread;
    if (passed(thread) < self->base + self->list[self->at].count) {
        if (thread->state == HD_THREAD_RUNNABLE) return thread->id;
        int another = thread->parked ? begin_another(choice) : -1;
        if (another >= 0) return another;
        if (thread->state == HD_THREAD_BLOCKED) {
            return diverge("choice %u: thread %s was to pass %lu events and blocks after %lu",
                           self->at + 1, self->list[self->at].name,
                           self->list[self->at].count, passed(thread) - self->base);
        }
        return diverge("choice %u: thread %s was to pass %lu events and ends after %lu",
                       self->at + 1, self->list[self->at].name, self->list[self->at].count,
                       passed(thread) - self->base);
    }
    self->at++;
    return enter(self, choice);
}

static int choose(int n) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    while (self->value < self->count && !self->list[self->value].is_value) self->value++;
    if (self->value == self->count) return 0;
    uint64_t answer = self->list[self->value++].count;
    return answer < (uint64_t)n ? (int)answer : n - 1;
}

const struct hd_strategy_ops hd_strategy_replay = {
    .name = "replay",
    .help = "replay:FILE, what a schedule says",
    .partial = true,
    .every = true,
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
};
