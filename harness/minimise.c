/* minimise.c - fewer switches, same failure.
 *
 * One step: a stretch of thread T that was interrupted is joined with T's next
 * stretch, by moving that one forward over what lies between. What the program
 * then does may be something else; the run is kept only if it fails with the
 * same kind at the same place, and its own schedule (not the guess) is the new
 * one. Repeated until no step helps: each kept step has fewer stretches, so it
 * ends. */
#define _GNU_SOURCE
#include "minimise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct attempt {
    struct hd_session *session;
    const struct hd_verdict_failure *failure;
    struct hd_schedule *found; /* of the run, if it failed in the same way */
};

static bool same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

static bool take_ending(void *argument, const struct hd_ending *ending) {
    struct attempt *self = argument;
    if (ending->diverged || !ending->failure) return true;
    if (hd_session_failure_kind(ending->failure) != self->failure->kind) return true;
    struct hd_place place = hd_session_place(self->session, ending->at);
    if (place.line != self->failure->location.line ||
        !same_text(place.file, self->failure->location.file)) {
        return true;
    }
    self->found = hd_schedule_copy(ending->schedule);
    return true;
}

static struct hd_schedule *try_schedule(struct attempt *self, const struct hd_schedule *guess) {
    char file[] = "/tmp/heddle-schedule-XXXXXX", spec[64];
    int fd = mkstemp(file);
    if (fd < 0) return NULL;
    close(fd);
    snprintf(spec, sizeof spec, "replay:%s", file);
    self->found = NULL;
    struct hd_child child = {
        .strategy = spec,
        .seed = self->session->options->seed,
        .steps = self->session->options->steps,
        .spurious = self->session->options->spurious_wakeups,
        .seconds = 10,
        .silent = true,
        .ending = take_ending,
        .argument = self,
    };
    struct hd_error err = {0};
    if (hd_schedule_write_plain(guess, file, &err) == 0) {
        hd_child_run(&self->session->program, &child, &err);
    }
    unlink(file);
    return self->found;
}

/* The schedule with stretch `later` moved behind stretch `early` (same thread). */
static struct hd_schedule *joined(const struct hd_schedule *from, size_t early, size_t later) {
    struct hd_schedule *to = hd_schedule_new();
    for (size_t i = 0; to && i < from->step_count; i++) {
        const struct hd_schedule_step *step = &from->steps[i];
        if (i == later) continue;
        hd_schedule_step(to, from->threads[step->thread], step->events, NULL);
        if (i == early) {
            hd_schedule_step(to, from->threads[step->thread], from->steps[later].events, NULL);
        }
    }
    for (size_t i = 0; to && i < from->value_count; i++) hd_schedule_value(to, from->values[i], NULL);
    return to;
}

void hd_minimise(struct hd_session *session, struct hd_verdict_failure *failure, unsigned tries) {
    struct attempt self = {session, failure, NULL};
    struct hd_schedule *best = failure->schedule;
    bool better = best && best->step_count <= 400;
    while (better && tries > 0) {
        better = false;
        for (size_t early = 0; !better && tries > 0 && early + 2 < best->step_count; early++) {
            size_t later = early + 1;
            while (later < best->step_count && best->steps[later].thread != best->steps[early].thread) {
                later++;
            }
            if (later == best->step_count) continue;
            struct hd_schedule *guess = joined(best, early, later);
            tries--;
            struct hd_schedule *found = guess ? try_schedule(&self, guess) : NULL;
            hd_schedule_free(guess);
            if (found && found->step_count < best->step_count) {
                hd_schedule_free(best);
                best = found;
                better = true;
            } else {
                hd_schedule_free(found);
            }
        }
    }
    failure->schedule = best;
}
