/* minimise.c - fewer switches, same failure.
 *
 * One step: a stretch of thread T that was interrupted is joined with T's next
 * stretch, by moving that one forward over what lies between, or this one back.
 * What the program then does may be something else; the run is kept only if it
 * fails with the same kind at the same place and is simpler, and its own schedule
 * (not the guess) is the new one. Repeated until no step helps: each kept step
 * has fewer preemptions or as many and fewer stretches, so it ends. */
#define _GNU_SOURCE
#include "minimise.h"

#include "about.h"
#include "interrupt.h"
#include "seconds.h"
#include "temporary.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEARCHED 2000 /* executions for one with fewer preemptions */
#define LONGEST 400 /* stretches; nobody reads more, and each is a run */

struct attempt {
    struct hd_session *session;
    const struct hd_verdict_failure *failure;
    struct hd_schedule *found; /* of the run, if it failed in the same way */
    uint64_t preemptions;      /* of it */
    const char *message;       /* what it says, who else waited */
    struct hd_place place;
};

static bool same_failure(const struct attempt *self, const struct hd_ending *ending) {
    const struct hd_verdict_failure *failure = self->failure;
    if (failure->kind == HD_FAILURE_EXIT && !ending->failure) {
        int status;
        return sscanf(failure->message, "exit status %d", &status) == 1 && status == ending->status;
    }
    if (!ending->failure || hd_session_failure_kind(ending->failure) != failure->kind) return false;
    struct hd_place place = hd_session_place(self->session, ending);
    return hd_about_same(failure, ending, &place, hd_about(self->session, ending, &place));
}

static bool take_ending(void *argument, const struct hd_ending *ending) {
    struct attempt *self = argument;
    if (ending->diverged || !same_failure(self, ending)) return true;
    self->found = hd_schedule_copy(ending->schedule);
    self->preemptions = ending->preemptions;
    if (!ending->failure) return true;
    self->message = hd_verdicts_string(self->session->doc,
                                       hd_session_text(self->session, ending->message));
    self->place = hd_session_place(self->session, ending);
    return true;
}

static struct hd_schedule *try_schedule(struct attempt *self, const struct hd_schedule *guess) {
    struct hd_temporary file;
    struct hd_error err = {0};
    self->found = NULL;
    if (hd_temporary_schedule(&file, guess, &err) < 0) return NULL;
    struct hd_child child = {
        .strategy = file.strategy,
        .seed = self->session->options->seed,
        .steps = self->session->options->steps,
        .spurious = self->session->options->spurious_wakeups,
        .transactions = self->session->options->transactions,
        .seconds = 10,
        .silent = true,
        .ending = take_ending,
        .argument = self,
    };
    hd_child_run(&self->session->program, &child, &err);
    hd_temporary_drop(&file);
    return self->found;
}

/* The schedule with stretches `early` and `later` of one thread as one, where the
 * first was, or where the second was. */
static struct hd_schedule *joined(const struct hd_schedule *from, size_t early, size_t later,
                                  bool back) {
    struct hd_schedule *to = hd_schedule_new();
    for (size_t i = 0; to && i < from->step_count; i++) {
        const struct hd_schedule_step *step = &from->steps[i];
        if (i == (back ? early : later)) continue;
        uint64_t events = step->events;
        if (i == early) events += from->steps[later].events;
        if (i == later) events += from->steps[early].events;
        hd_schedule_step(to, from->threads[step->thread], events, NULL);
    }
    for (size_t i = 0; to && i < from->value_count; i++) hd_schedule_value(to, from->values[i], NULL);
    return to;
}

/* Where the same thread goes on after stretch `early`, or step_count. */
static size_t next_of(const struct hd_schedule *schedule, size_t early) {
    size_t later = early + 1;
    while (later < schedule->step_count &&
           schedule->steps[later].thread != schedule->steps[early].thread) {
        later++;
    }
    return later;
}

struct best {
    struct hd_schedule *schedule;
    uint64_t preemptions;
    const char *message;
    struct hd_place place;
};

/* If it is simpler, it is the best. Takes `found`, which may be NULL. */
static bool adopt(struct attempt *self, struct best *best, struct hd_schedule *found) {
    bool simpler = found && (self->preemptions < best->preemptions ||
                             (self->preemptions == best->preemptions &&
                              found->step_count < best->schedule->step_count));
    if (!simpler) {
        hd_schedule_free(found);
        return false;
    }
    hd_schedule_free(best->schedule);
    *best = (struct best){found, self->preemptions, self->message, self->place};
    return true;
}

/* One step from the best so far; true if it helped. */
static bool improve(struct attempt *self, struct best *best, size_t early, bool back) {
    size_t later = next_of(best->schedule, early);
    if (later == best->schedule->step_count) return false;
    struct hd_schedule *guess = joined(best->schedule, early, later, back);
    struct hd_schedule *found = guess ? try_schedule(self, guess) : NULL;
    hd_schedule_free(guess);
    return adopt(self, best, found);
}

/* Steps from the best so far, until none helps. */
static void shorten(struct attempt *self, struct best *best, unsigned *tries, double until) {
    size_t quiet = 0; /* steps in a row that did not help */
    for (size_t at = 0;
         *tries > 0 && hd_seconds() < until && quiet < 2 * best->schedule->step_count; at++) {
        size_t places = 2 * best->schedule->step_count;
        if (next_of(best->schedule, at % places / 2) == best->schedule->step_count) {
            quiet++;
            continue;
        }
        --*tries;
        bool better = improve(self, best, at % places / 2, at % 2);
        quiet = better ? 0 : quiet + 1;
    }
}

static bool take_first(void *argument, const struct hd_ending *ending) {
    struct attempt *self = argument;
    if (!same_failure(self, ending)) return true;
    self->found = hd_schedule_copy(ending->schedule);
    return false;
}

/* A bounded search starts threads when they are made, since nobody can see it. Here each
 * starts when it is first to do something. Takes `from`. */
static struct hd_schedule *late_starts(struct hd_schedule *from) {
    for (size_t i = 1; from && i < from->step_count;) {
        size_t later = next_of(from, i);
        bool start = from->steps[i].events == 1 && later < from->step_count;
        for (size_t k = 0; start && k < i; k++) {
            start = from->steps[k].thread != from->steps[i].thread;
        }
        if (!start) {
            i++;
            continue;
        }
        struct hd_schedule *to = joined(from, i, later, true);
        hd_schedule_free(from);
        from = to;
    }
    return from;
}

/* Steps come to a schedule that no step makes simpler, which need not be the simplest: so
 * all with fewer preemptions are searched, fewest first. */
static void find_fewer(struct attempt *self, struct best *best, unsigned *tries, double until) {
    double left = until - hd_seconds();
    if (best->preemptions == 0 || left <= 0) return;
    char strategy[64];
    snprintf(strategy, sizeof strategy, "bounded:%llu", (unsigned long long)best->preemptions - 1);
    const struct hd_options *options = self->session->options;
    struct hd_error err = {0};
    struct hd_child child = {
        .strategy = strategy,
        .seed = options->seed,
        .steps = options->steps,
        .executions = SEARCHED,
        .seconds = left < 10 ? left : 10,
        .explore = true,
        .memory = options->memory,
        .spurious = options->spurious_wakeups,
        .transactions = options->transactions,
        .ending = take_first,
        .argument = self,
    };
    self->found = NULL;
    hd_child_run(&self->session->program, &child, &err);
    hd_child_free(&child);
    if (!self->found) return;
    struct hd_schedule *guess = late_starts(self->found);
    struct hd_schedule *found = guess ? try_schedule(self, guess) : NULL;
    hd_schedule_free(guess);
    if (!found) return;
    struct best other = {found, self->preemptions, self->message, self->place};
    shorten(self, &other, tries, until);
    self->preemptions = other.preemptions;
    self->message = other.message;
    self->place = other.place;
    adopt(self, best, other.schedule);
}

void hd_minimise(struct hd_session *session, struct hd_verdict_failure *failure, unsigned most,
                 double until) {
    struct attempt self = {.session = session,
                           .failure = failure,
                           .message = failure->message,
                           .place = failure->location};
    if (failure->kind == HD_FAILURE_TIMEOUT) return; /* each try takes as long as the watchdog waits */
    if (hd_seconds() >= until || hd_interrupted()) return;
    if (!failure->schedule || failure->schedule->step_count > LONGEST) return;
    if (failure->test) hd_unit_choose(failure->test);
    struct hd_schedule *same = try_schedule(&self, failure->schedule);
    if (!same) return; /* it does not fail so by itself */
    hd_schedule_free(same);
    struct best best = {failure->schedule, self.preemptions, self.message, self.place};
    unsigned tries = most;
    shorten(&self, &best, &tries, until);
    tries = most;
    find_fewer(&self, &best, &tries, until);
    failure->schedule = best.schedule;
    failure->message = best.message;
    failure->location = best.place;
}
