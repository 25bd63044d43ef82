/* explore.c - many executions in one process.
 *
 * Begin, run, look at how it ended, put everything back, again. Outcomes and
 * failures are told apart by content and counted; each is reported once, when
 * it is first seen, together with its schedule, as lines on the result
 * descriptor (result.c), so that whatever happens to this process later, what
 * was found is known. Totals come at the end. */
#define _GNU_SOURCE
#include "class.h"
#include "module.h"
#include "report.h"
#include "run.h"
#include "runtime.h"
#include "snapshot.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FINDS 4096       /* distinct outcomes and failures that are told apart */
#define OUTPUT (1u << 16) /* of a program's output kept for one outcome */

struct find {
    uint64_t hash;
    uint64_t count;
};

/* A set of 64-bit hashes: open addressing, grows by doubling. */
struct set {
    uint64_t *at;
    uint64_t room, count;
};

struct hd_explore_state {
    struct find finds[FINDS];
    uint32_t find_count;
    struct set classes;
    struct set endings; /* classes with their outcomes: more, and a dependence is not known */
    int out, err;       /* where the program's output is caught */
    uint64_t events, steps, threads, cut;
    uint64_t executions, blocked;
    char text[OUTPUT];
};

static bool set_add(struct set *set, uint64_t hash) {
    if (hash == 0) hash = 1;
    if (set->count * 2 >= set->room) {
        struct set old = *set;
        set->room = old.room ? old.room * 2 : 1024;
        set->at = hd_lasting(set->room * sizeof *set->at);
        set->count = 0;
        for (uint64_t i = 0; i < old.room; i++) {
            if (old.at[i]) set_add(set, old.at[i]);
        }
    }
    uint64_t i = hash & (set->room - 1);
    while (set->at[i]) {
        if (set->at[i] == hash) return false;
        i = (i + 1) & (set->room - 1);
    }
    set->at[i] = hash;
    set->count++;
    return true;
}

static int catch_output(int fd, const char *name) {
    int memory = (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC);
    if (memory < 0) return -1;
    int high = fcntl(memory, F_DUPFD_CLOEXEC, 900);
    close(memory);
    if (high >= 0) dup2(high, fd);
    return high;
}

/* What was written to a caught descriptor, and a clean sheet for the next. */
static size_t taken(int memory, char *text, size_t size) {
    if (memory < 0) return 0;
    off_t length = lseek(memory, 0, SEEK_CUR);
    if (length <= 0) return 0;
    ssize_t n = pread(memory, text, (size_t)length < size ? (size_t)length : size, 0);
    if (ftruncate(memory, 0) < 0 || lseek(memory, 0, SEEK_SET) < 0) return 0;
    return n > 0 ? (size_t)n : 0;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *at = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3UL;
    return hash;
}

static uint64_t monotonic(void) {
    struct timespec now;
    hd_rt->real.clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000UL + (uint64_t)now.tv_nsec;
}

/* How it ended, as far as anybody can see. */
static uint64_t outcome_hash(const char *text, size_t length) {
    const struct hd_outcome *outcome = &hd_rt->outcome;
    uint64_t hash = 0xcbf29ce484222325UL;
    hash = hash_bytes(hash, &outcome->status, sizeof outcome->status);
    hash = hash_bytes(hash, &outcome->failure, sizeof outcome->failure);
    hash = hash_bytes(hash, &outcome->pc, sizeof outcome->pc);
    hash = hash_bytes(hash, outcome->message, strlen(outcome->message));
    hash = hash_bytes(hash, hd_rt->observed, hd_rt->observed_length);
    return hash_bytes(hash, text, length);
}

/* Count this execution with those that ended alike; true if it is the first. */
static bool first_of_its_kind(struct hd_explore_state *self, uint64_t hash, uint32_t *which) {
    for (uint32_t i = 0; i < self->find_count; i++) {
        if (self->finds[i].hash == hash) {
            self->finds[i].count++;
            *which = i;
            return false;
        }
    }
    if (self->find_count == FINDS) {
        hd_note("more than %d different outcomes; the rest is not told apart", FINDS);
        *which = FINDS - 1;
        self->finds[FINDS - 1].count++;
        return false;
    }
    *which = self->find_count;
    self->finds[self->find_count++] = (struct find){hash, 1};
    return true;
}

static bool failed(void) { return hd_rt->outcome.failure || hd_rt->outcome.status; }

static void look(struct hd_explore_state *self) {
    static const char empty[1] = "";
    char *text = self->text;
    size_t length = taken(self->out, text, OUTPUT);
    self->executions++;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) self->events += hd_rt->threads[i]->events;
    self->steps += hd_rt->steps;
    if (hd_rt->thread_count > self->threads) self->threads = hd_rt->thread_count;
    if (hd_rt->outcome.blocked) {
        self->executions--;
        self->blocked++;
        return;
    }
    if (hd_rt->outcome.cut) self->cut++;
    hd_rt->class_hash = 0;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        hd_rt->class_hash += hd_mix(thread->home, thread->hash);
    }
    hd_rt->new_class = set_add(&self->classes, hd_rt->class_hash);
    uint32_t which;
    uint64_t hash = outcome_hash(length ? text : empty, length);
    set_add(&self->endings, hd_mix(hd_rt->class_hash, hash));
    bool first = first_of_its_kind(self, hash, &which);
    if (!first && !hd_rt->config.each) return;
    if (hd_rt->config.unit && which > 0 && !failed()) return;
    if (hd_rt->config.result_fd < 0) return;
    struct hd_finding finding = {.number = which, .run = hd_rt->run, .output = text,
                                 .output_length = length};
    hd_result_finding(hd_rt->config.result_fd, &finding);
}

int hd_explore(void) {
    hd_rt->explore = hd_lasting(sizeof *hd_rt->explore);
    struct hd_explore_state *self = hd_rt->explore;
    hd_rt->voice = fcntl(2, F_DUPFD_CLOEXEC, 900);
    if (hd_rt->voice < 0) hd_rt->voice = 0;
    self->out = catch_output(1, "stdout");
    self->err = catch_output(2, "stderr");
    hd_snapshot_take();
    uint64_t start = monotonic();
    uint64_t most = hd_rt->config.milliseconds * 1000000UL;
    hd_rt->stop_at = most ? start + most : 0;
    const char *ended = "executions";
    bool exhausted = false;
    uint32_t shown = hd_rt->shown;
    char scrap[1024], folder[sizeof hd_rt->config.trace];
    memcpy(folder, hd_rt->config.trace, sizeof folder);
    for (hd_rt->run = hd_rt->config.first; self->executions < hd_rt->config.executions;
         hd_rt->run++) {
        if (!hd_execution_begin()) {
            ended = "search";
            exhausted = !hd_rt->strategy->partial && !hd_rt->incomplete;
            break;
        }
        if (hd_rt->config.same && shown != hd_rt->shown) { /* more points than before */
            shown = hd_rt->shown;
            hd_rt->restarted = true;
        }
        if (hd_rt->restarted) { /* the counts of the final pass count */
            hd_rt->restarted = false;
            if (hd_rt->config.result_fd >= 0) hd_result_word(hd_rt->config.result_fd, "restart");
            self->executions = self->events = self->steps = self->cut = 0;
            self->blocked = 0;
            memset(&self->classes, 0, sizeof self->classes);
            memset(&self->endings, 0, sizeof self->endings);
            for (uint32_t i = 0; i < self->find_count; i++) self->finds[i].count = 0;
        }
        hd_rt->observed_length = 0;
        if (folder[0]) {
            snprintf(hd_rt->config.trace, sizeof hd_rt->config.trace, "%s/%lu.trace", folder,
                     hd_rt->run);
        }
        hd_execution_run();
        look(self);
        if (lseek(self->err, 0, SEEK_CUR) > 0) taken(self->err, scrap, sizeof scrap);
        if (hd_rt->config.unit && failed()) {
            ended = "failure";
            break;
        }
        if (hd_rt->config.unit && hd_rt->thread_count == 1 && hd_rt->value_count == 0) {
            exhausted = true; /* one thread and nothing to choose: it was all */
            ended = "search";
            break;
        }
        hd_snapshot_restore();
        if (most && monotonic() - start > most) {
            ended = "time";
            break;
        }
    }
    if (hd_rt->config.result_fd >= 0) {
        struct hd_totals totals = {
            .executions = self->executions,
            .classes = self->classes.count,
            .endings = self->endings.count,
            .events = self->events,
            .steps = self->steps,
            .threads = self->threads,
            .cut = self->cut,
            .blocked = self->blocked,
            .shared = hd_rt->shown,
            .exhausted = exhausted && self->cut == 0,
            .ended_by = ended,
            .nanoseconds = monotonic() - start,
        };
        for (uint32_t i = 0; i < self->find_count; i++) {
            hd_result_count(hd_rt->config.result_fd, i, self->finds[i].count);
        }
        hd_result_totals(hd_rt->config.result_fd, &totals);
    }
    return 0;
}
