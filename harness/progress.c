/* progress.c - see progress.h. */
#include "progress.h"

#include "seconds.h"

#include <stdio.h>
#include <unistd.h>

#define PAUSE 0.2      /* seconds between two lines on a terminal */
#define LONG_PAUSE 1.0 /* elsewhere, where every line stays */

void hd_progress_begin(struct hd_progress_line *self, const struct hd_options *options) {
    self->terminal = isatty(2);
    self->on = options->progress == HD_PROGRESS_ALWAYS ||
               (options->progress == HD_PROGRESS_AUTO && self->terminal && !options->quiet);
    self->start = self->last = hd_seconds();
    self->shown = false;
}

/* What is left: of the search if its end can be guessed, of the budget if that
 * ends first. Negative: nobody knows. */
static double time_left(const struct hd_far *far, double seconds) {
    double left = far->time > 0 ? far->time - seconds : -1;
    double shares[] = {far->of ? (double)far->executions / (double)far->of : 0, far->share};
    for (int i = 0; i < 2; i++) {
        if (shares[i] < 0.001 || seconds < 0.5) continue;
        double other = seconds / shares[i] - seconds;
        if (left < 0 || other < left) left = other;
    }
    return left;
}

void hd_progress_text(const struct hd_far *far, double seconds, char *text, size_t size) {
    char rest[160] = "";
    size_t used = 0;
    if (far->depth) {
        used += (size_t)snprintf(rest, sizeof rest, ", depth %llu", (unsigned long long)far->depth);
    }
    if (far->bound) {
        used += (size_t)snprintf(rest + used, sizeof rest - used, ", %llu preemptions",
                                 (unsigned long long)far->bound - 1);
    }
    if (far->share > 0) {
        used += (size_t)snprintf(rest + used, sizeof rest - used, ", about %.3g%% of the search",
                                 far->share * 100);
    }
    double left = time_left(far, seconds);
    if (left >= 0) snprintf(rest + used, sizeof rest - used, ", %.0f s left at most", left);
    snprintf(text, size, "%llu of %llu executions, %.0f a second, %llu distinct, %llu failed%s",
             (unsigned long long)far->executions, (unsigned long long)far->of,
             seconds > 0 ? (double)far->executions / seconds : 0, (unsigned long long)far->distinct,
             (unsigned long long)far->failed, rest);
}

void hd_progress_show(struct hd_progress_line *self, const struct hd_far *far) {
    double at = hd_seconds();
    if (!self->on || at - self->last < (self->terminal ? PAUSE : LONG_PAUSE)) return;
    char text[400];
    hd_progress_text(far, at - self->start, text, sizeof text);
    fprintf(stderr, self->terminal ? "\r%s\033[K" : "heddle: %s\n", text);
    fflush(stderr);
    self->last = at;
    self->shown = true;
}

void hd_progress_end(struct hd_progress_line *self) {
    if (self->shown && self->terminal) fprintf(stderr, "\r\033[K");
    self->shown = false;
}
