/* explore.c - many executions in one process.
 *
 * Begin, run, look at how it ended, put everything back, again. Outcomes and
 * failures are told apart by content and counted (tally.h); each is reported
 * once, when it is first seen, together with its schedule, as lines on the
 * result descriptor (result.c), so that whatever happens to this process later,
 * what was found is known. Totals come at the end, and in between if asked for. */
#include "beyond.h"
#include "class.h"
#include "isolate.h"
#include "output.h"
#include "report.h"
#include "run.h"
#include "runtime.h"
#include "snapshot.h"
#include "tally.h"
#include "worker.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct hd_explore_state {
    struct hd_tally *tally;
    struct hd_board *board; /* where this process says how far it is, or NULL */
    uint64_t skip;          /* blocks of lines that a lost process wrote already */
    uint64_t alone;         /* from this execution on each has its own process */
    bool forking;
    uint64_t start, told_at; /* real nanoseconds */
    uintptr_t memory;        /* lasting memory from here on is the search's */
    uint32_t shown, counted; /* hd_rt->shown: at the last look for `same`, at the last count */
    struct hd_finding finding; /* of the execution that is looked at */
    bool workers;
    uint64_t known, calm; /* of the data; executions that added nothing to it */
    bool outside;         /* an execution reached out of its process */
    char folder[sizeof((struct hd_config *)0)->trace]; /* for traces of each */
};

/* ---- telling ------------------------------------------------------------------------ */

/* May a block of lines be written, or did a process that is lost do so? */
static bool begin_telling(struct hd_explore_state *self) {
    if (hd_rt->config.result_fd < 0) return false;
    if (self->skip == 0) return true;
    self->skip--;
    return false;
}

static void end_telling(struct hd_explore_state *self) {
    if (self->board) self->board->told++;
}

static void tell_restart(struct hd_explore_state *self) {
    if (!begin_telling(self)) return;
    hd_result_word(hd_rt->config.result_fd, "restart");
    end_telling(self);
}

static void tell_finding(struct hd_explore_state *self, const struct hd_finding *finding) {
    if (!begin_telling(self)) return;
    hd_result_finding(hd_rt->config.result_fd, finding);
    end_telling(self);
}

static void tell_totals(struct hd_explore_state *self, const char *ended, bool exhausted) {
    if (hd_rt->config.result_fd < 0 || self->skip) return;
    struct hd_totals totals = {
        .shared = hd_rt->shown,
        .exhausted = exhausted && hd_tally_cut(self->tally) == 0,
        .final = hd_rt->config.same || (ended && strcmp(ended, "search") == 0),
        .ended_by = ended,
        .nanoseconds = hd_real_now() - self->start,
    };
    hd_tally_totals(self->tally, &totals);
    struct hd_far far = {0};
    if (!ended && hd_rt->strategy->far) hd_rt->strategy->far(&far);
    totals.depth = far.depth;
    totals.bound = far.bound;
    totals.share = (uint64_t)(far.share * 1e6);
    hd_result_totals(hd_rt->config.result_fd, self->tally, &totals);
}

/* ---- an execution -------------------------------------------------------------------- */

/* How it ended, as far as anybody can see. */
static uint64_t outcome_hash(uint64_t output) {
    const struct hd_outcome *outcome = &hd_rt->outcome;
    uint64_t hash = 0xcbf29ce484222325UL;
    hash = hd_mix_bytes(hash, &outcome->status, sizeof outcome->status);
    hash = hd_mix_bytes(hash, &outcome->failure, sizeof outcome->failure);
    hash = hd_mix(hash, outcome->cut);
    hash = hd_mix_bytes(hash, &outcome->pc, sizeof outcome->pc);
    hash = hd_mix_bytes(hash, outcome->message, strlen(outcome->message));
    hash = hd_mix_bytes(hash, hd_rt->observed, hd_rt->observed_length);
    return hd_mix_bytes(hash, &output, sizeof output);
}

static bool failed(void) { return hd_rt->outcome.failure || hd_rt->outcome.status; }

static void run(struct hd_explore_state *self) {
    hd_rt->observed_length = 0;
    if (self->folder[0]) {
        snprintf(hd_rt->config.trace, sizeof hd_rt->config.trace, "%s/%lu.trace", self->folder,
                 hd_rt->run);
        if (self->skip) hd_rt->config.trace[0] = '\0'; /* it is there */
    }
    if (self->board) self->board->run = hd_rt->run;
    if (!self->forking && hd_rt->run >= self->alone) {
        hd_isolate_begin();
        self->forking = hd_rt->alone = true;
    }
    if (self->forking) hd_isolated_run();
    else hd_execution_run();
    if (!hd_went_beyond() || hd_rt->there) return; /* a worker is of no more use: worker.h */
    if (self->board) hd_contained_leave(self->board);
    hd_beyond_note();
}

static struct hd_ran look(struct hd_finding *finding) {
    struct hd_ran ran = {
        .run = hd_rt->run,
        .steps = hd_rt->steps,
        .threads = hd_rt->thread_count,
        .cut = hd_rt->outcome.cut,
        .blocked = hd_rt->outcome.blocked,
        .failed = failed(),
    };
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        ran.events += thread->events;
        ran.class_hash += hd_mix(thread->home, thread->hash);
    }
    hd_rt->class_hash = ran.class_hash;
    ran.outcome = outcome_hash(hd_output_take(&finding->output, &finding->output_length));
    return ran;
}

/* One more; its lines are told if there were none like it: those that a worker
 * wrote, or else what is known here. */
static void count(struct hd_explore_state *self, const struct hd_ran *ran,
                  struct hd_finding *finding) {
    bool first = hd_tally_add(self->tally, ran, &finding->number);
    if (ran->blocked || (!first && !hd_rt->config.each)) return;
    if (hd_rt->config.unit && finding->number > 0 && !ran->failed) return;
    tell_finding(self, finding);
    if (hd_rt->config.unit) hd_output_errors(); /* a person reads along */
}

/* ---- workers ---------------------------------------------------------------------------- */

static void worker_run(void *argument) { run(argument); }

static struct hd_ran worker_look(void *argument) {
    struct hd_explore_state *self = argument;
    self->finding = (struct hd_finding){.run = hd_rt->run};
    return look(&self->finding);
}

static void worker_tell(void *argument, int fd) {
    const struct hd_explore_state *self = argument;
    hd_result_finding(fd, &self->finding);
}

static void worker_restore(void *argument) {
    (void)argument;
    hd_snapshot_restore();
}

#define CALM 16 /* executions that learn nothing new, before they are shared out */

/* After an execution here, before it is put back: may others run those that follow? */
static void share_out(struct hd_explore_state *self) {
    uint64_t known = hd_known_of_data();
    if (hd_reached_out()) self->outside = true;
    self->calm = known == self->known && !self->outside ? self->calm + 1 : 0;
    self->known = known;
    if (self->workers && self->calm == 0) {
        hd_workers_stop();
        self->workers = false;
    }
}

static bool can_share(const struct hd_explore_state *self) {
    const struct hd_config *config = &hd_rt->config;
    if (config->jobs < 2 || self->calm < (config->eager ? 1 : CALM) || self->forking || self->skip || config->same) {
        return false;
    }
    if (hd_rt->strategy->numbered) return true;
    const struct hd_share_ops *share = hd_rt->strategy->share;
    if (!share || config->each || config->unit) return false;
    return !share->ready || share->ready();
}

static void feed_workers(struct hd_explore_state *self) {
    if (!self->workers && can_share(self)) {
        const struct hd_worker_task task = {self->tally, worker_run,    worker_look,
                                            worker_tell, worker_restore, self};
        self->workers = hd_workers_start(hd_rt->config.jobs, &task);
        if (!self->workers) hd_rt->config.jobs = 1;
    }
    if (self->workers) hd_workers_feed();
}

/* Was it done by a worker? Then it is only counted. */
static bool take(struct hd_explore_state *self, bool (*taken)(struct hd_taken *taken)) {
    struct hd_taken one;
    if (!self->workers || !taken(&one)) return false;
    struct hd_finding finding = {.run = hd_rt->run, .text = one.text, .text_length = one.length};
    count(self, &one.ran, &finding);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------- */

static void restart(struct hd_explore_state *self) {
    if (hd_rt->config.same && self->shown != hd_rt->shown) { /* more points than before */
        self->shown = hd_rt->shown;
        hd_rt->restarted = true;
    }
    if (!hd_rt->restarted) return;
    hd_rt->restarted = false;
    tell_restart(self);
    hd_tally_again(self->tally);
}

/* Bytes of the search itself. What is shared out is counted as if it were not: the
 * end must not depend on who did it. Nor may this process grow without bound. */
static bool too_large(const struct hd_explore_state *self) {
    uint64_t most = hd_rt->config.memory, here = hd_rt->lasting.next - self->memory;
    const struct hd_share_ops *share = hd_rt->strategy->share;
    if (!most) return false;
    if (!share) return here > most;
    uint64_t longest, bytes = hd_tally_bytes(self->tally, &longest);
    return bytes + share->held(longest) > most || here > 2 * most;
}

/* The time runs, if it is limited, as soon as something new is done. */
static void start_clock(const struct hd_explore_state *self, uint64_t now) {
    if (hd_rt->stop_at || !hd_rt->config.milliseconds) return;
    if (hd_tally_spent(self->tally) >= hd_rt->config.after) {
        hd_rt->stop_at = now + hd_rt->config.milliseconds * 1000000UL;
    }
}

static const char *budget_spent(struct hd_explore_state *self) {
    uint64_t now = hd_real_now();
    start_clock(self, now);
    if (hd_rt->stop_at && now > hd_rt->stop_at) return "time";
    if (too_large(self)) return "memory";
    if (hd_rt->config.telling && now - self->told_at > hd_rt->config.telling * 1000000UL) {
        self->told_at = now;
        tell_totals(self, NULL, false);
    }
    return NULL;
}

static const char *execution(struct hd_explore_state *self, bool *exhausted) {
    if (hd_rt->strategy->numbered && take(self, hd_work_numbered)) return NULL;
    if (!hd_execution_begin()) {
        *exhausted = !hd_rt->strategy->partial && !hd_rt->incomplete;
        return "search";
    }
    restart(self);
    if (take(self, hd_work_taken)) return NULL;
    run(self);
    self->finding = (struct hd_finding){.run = hd_rt->run};
    struct hd_ran ran = look(&self->finding);
    count(self, &ran, &self->finding);
    if (self->counted != hd_rt->shown) { /* more is visible: classes until now were coarser */
        self->counted = hd_rt->shown;
        hd_tally_finer(self->tally);
    }
    if (hd_rt->config.unit && failed()) return "failure";
    if (hd_rt->config.unit && hd_rt->thread_count == 1 && hd_rt->value_count == 0) {
        *exhausted = true; /* one thread and nothing to choose: it was all */
        return "search";
    }
    share_out(self);
    if (!self->forking) hd_snapshot_restore();
    return NULL;
}

static const char *search(struct hd_explore_state *self, bool *exhausted) {
    for (hd_rt->run = hd_rt->config.first;
         hd_tally_spent(self->tally) < hd_rt->config.executions; hd_rt->run++) {
        feed_workers(self);
        const char *ended = execution(self, exhausted);
        if (!ended) ended = budget_spent(self);
        if (ended) return ended;
    }
    return "executions";
}

int hd_explore(void) {
    struct hd_explore_state *self = hd_rt->explore = hd_lasting(sizeof *hd_rt->explore);
    self->tally = hd_tally_new();
    self->shown = self->counted = hd_rt->shown;
    self->alone = hd_rt->config.fork ? 0 : UINT64_MAX;
    memcpy(self->folder, hd_rt->config.trace, sizeof self->folder);
    hd_output_catch();
    hd_snapshot_take();
    while (hd_note_at(hd_rt->explore_notes)) hd_rt->explore_notes++;
    self->memory = hd_rt->lasting.next;
    self->start = self->told_at = hd_real_now();
    hd_rt->stop_at = 0;
    start_clock(self, self->start);
    if (!hd_rt->config.fork && !hd_rt->config.unit && hd_rt->config.result_fd >= 0) {
        bool again;
        struct hd_board *board = hd_contain(&again);
        if (again) {
            self->skip = board->told;
            self->alone = board->run;
            hd_output_drop();
            hd_snapshot_files();
        } else {
            self->board = board;
        }
    }
    bool exhausted = false;
    const char *ended = search(self, &exhausted);
    hd_workers_stop();
    if (hd_rt->strategy->over && !self->skip) hd_rt->strategy->over();
    tell_totals(self, ended, exhausted);
    if (self->board) self->board->done = true;
    return 0;
}
