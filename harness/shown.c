/* shown.c - the accesses that a confirmed entry shows are those of the execution that is kept.
 *
 * The checker that raised a race may have had another pair in mind: all that race on a
 * variable are one entry. And who finds a transaction not atomic by its own operations
 * alone names nobody who comes in between; and others may come in between in the execution
 * that was recorded than in this one. So that execution is run once more. Of a race
 * one of the pairs is shown that happens-before leaves unordered there: that whose orders
 * differ in what comes of them, or else one with both pending at one moment. Of a transaction
 * what was warned of stays where it occurs there in that order, else the cycle is shown; of a
 * high-level race likewise, else who came between its parts. */
#include "question_inner.h"

#include "identity.h"
#include "interrupt.h"
#include "temporary.h"
#include "warning_fill.h"
#include "witness.h"

#include <stdlib.h>
#include <string.h>

static bool is_pair(const struct hd_trace *trace, const struct hd_warning *w, const uint64_t places[2]) {
    uint64_t one = hd_identity_site(trace, w->accesses[0].site);
    uint64_t two = hd_identity_site(trace, w->accesses[1].site);
    return (one == places[0] && two == places[1]) || (one == places[1] && two == places[0]);
}

/* The pair of this execution to show; NULL: the variable does not race in it. */
static const struct hd_warning *choose(const struct hd_questions *self, const struct hd_question *question,
                                       const struct hd_report *report, struct hd_trace *trace,
                                       struct hd_error *err) {
    struct hd_twins_told told;
    hd_twins_say(&self->twins, question->variable, self->outcome_failed, &told);
    const struct hd_warning *best = NULL;
    int most = -1;
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *w = hd_report_warning(report, i);
        if (w->kind != HD_RACE ||
            hd_identity_warning(hd_report_front(report), trace, w) != question->identity) {
            continue;
        }
        for (; w; w = w->next_variant) {
            if (w->access_count < 2) continue;
            int worth = 2 * is_pair(trace, w, told.places) +
                        hd_race_pending(trace, &w->accesses[0], &w->accesses[1], err);
            if (worth <= most) continue;
            best = w;
            most = worth;
        }
    }
    return best;
}

/* The cycle of this execution that accuses the transaction; NULL: there is none. */
static const struct hd_warning *cycle(const struct hd_question *question,
                                      const struct hd_report *report, struct hd_trace *trace) {
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *w = hd_report_warning(report, i);
        if (w->kind == HD_ATOMICITY &&
            hd_identity_warning(hd_report_front(report), trace, w) == question->identity) {
            return w;
        }
    }
    return NULL;
}

/* A cycle goes from transaction to transaction, and may come to the later end of one
 * first: it is told as it happened. */
static int compare_times(const void *a, const void *b) {
    const struct hd_access *one = a, *other = b;
    return one->seq < other->seq ? -1 : one->seq > other->seq;
}

/* A way that goes on within one thread is told by where it enters and leaves it. */
static void shorten(struct hd_verdict_warning *entry) {
    struct hd_verdict_access *list = entry->accesses;
    size_t kept = 0;
    for (size_t i = 0; i < entry->access_count; i++) {
        bool inside = kept && i + 1 < entry->access_count &&
                      strcmp(list[kept - 1].thread, list[i].thread) == 0 &&
                      strcmp(list[i].thread, list[i + 1].thread) == 0;
        if (!inside) list[kept++] = list[i];
    }
    entry->access_count = kept;
}

/* Does it say who does what to whom? */
static bool says_all(const struct hd_verdict_warning *entry) {
    for (size_t i = 1; i < entry->access_count; i++) {
        if (strcmp(entry->accesses[i].thread, entry->accesses[0].thread) != 0) return true;
    }
    return false;
}

/* Locks that a thread holds, each as often as it took it. */
struct held {
    uint32_t locks[32];
    size_t count;
};

static void follow(struct held *self, const struct hd_event *event, uint32_t tm) {
    bool waits = event->kind == HD_WAIT || event->kind == HD_WAKE;
    bool memory = event->kind == HD_TXBEGIN || event->kind == HD_TXEND;
    bool takes = event->kind == HD_ACQUIRE || event->kind == HD_WAKE || event->kind == HD_TXBEGIN;
    bool gives = event->kind == HD_RELEASE || event->kind == HD_WAIT || event->kind == HD_TXEND;
    uint32_t lock = memory ? tm : waits ? event->aux : event->obj;
    if (takes && self->count < 32) {
        self->locks[self->count++] = lock;
    } else if (gives) {
        for (size_t i = self->count; i-- > 0;) {
            if (self->locks[i] != lock) continue;
            memmove(&self->locks[i], &self->locks[i + 1], (--self->count - i) * sizeof lock);
            break;
        }
    }
}

/* Who came between in this execution. */
static bool fill_between(const struct hd_questions *self, const struct hd_question *question,
                         struct hd_verdict_warning *to, const struct hd_report *report,
                         struct hd_trace *trace, struct hd_error *err) {
    struct hd_between by = {{0}, 0};
    struct hd_verdicts *doc = self->session->doc;
    if (hd_came_between(&question->ways, trace, NULL, &by, err) < HD_BETWEEN_CALLS) return false;
    struct held *held = calloc(hd_trace_threads(trace) + 1, sizeof *held);
    if (!held) abort();
    const struct hd_event *events;
    uint64_t at = 0;
    size_t count;
    to->accesses = hd_verdicts_array(doc, by.count, sizeof *to->accesses);
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count && to->access_count < by.count; i++, at++) {
            struct held *mine = &held[events[i].thread];
            follow(mine, &events[i], hd_front_tm(hd_report_front(report)));
            if (at != by.events[to->access_count]) continue;
            hd_warning_event(doc, &to->accesses[to->access_count++], report, &events[i],
                             mine->locks, mine->count);
        }
    }
    free(held);
    return to->access_count == by.count;
}

static void fill(const struct hd_questions *self, const struct hd_question *question,
                 struct hd_verdict_warning *entry, const char *path) {
    struct hd_error err = {0};
    struct hd_report *report = NULL;
    const struct hd_options *options = self->session->options;
    bool race = question->kind == HD_RACE;
    struct hd_check_options how = {race ? HD_JUDGE_RACES : HD_JUDGE_CYCLES, options->transactions, 0};
    if (hd_names_apply(path, NULL, 0, &err) < 0) return;
    struct hd_trace *trace = hd_trace_open(path, &err);
    if (!trace || hd_check(trace, &how, &report, &err) < 0) goto out;
    struct hd_verdict_warning shown = {0};
    if (!race && says_all(entry) && hd_witness_in_order(entry, trace, &err)) goto out;
    if (question->kind == HD_HIGH_LEVEL_RACE) {
        if (!fill_between(self, question, &shown, report, trace, &err)) goto out;
    } else {
        const struct hd_warning *it = race ? choose(self, question, report, trace, &err)
                                           : cycle(question, report, trace);
        if (!it) goto out;
        struct hd_warning sorted = *it;
        qsort(sorted.accesses, sorted.access_count, sizeof *sorted.accesses, compare_times);
        hd_warning_fill(self->session->doc, &shown, report, &sorted);
        if (!race) shorten(&shown);
    }
    if (!race) {
        entry->raised = entry->accesses;
        entry->raised_count = entry->access_count;
    }
    entry->accesses = shown.accesses;
    entry->access_count = shown.access_count;

out:
    hd_report_free(report);
    hd_trace_free(trace);
}

void hd_question_show(const struct hd_questions *self, const struct hd_question *question,
                      struct hd_verdict_warning *entry, const struct hd_schedule *schedule) {
    if (question->kind != HD_RACE && question->kind != HD_ATOMICITY &&
        question->kind != HD_HIGH_LEVEL_RACE) {
        return;
    }
    struct hd_error err = {0};
    struct hd_temporary plan = {0}, trace = {0};
    const struct hd_options *options = self->session->options;
    if (self->hasty || hd_interrupted()) return;
    if (hd_temporary_schedule(&plan, schedule, &err) == 0 &&
        hd_temporary_open(&trace, "trace", &err) == 0) {
        struct hd_child child = {
            .strategy = plan.strategy,
            .seed = options->seed,
            .steps = options->steps,
            .spurious = options->spurious_wakeups,
            .transactions = options->transactions,
            .trace = trace.path,
            .seconds = 10,
            .silent = true,
        };
        if (hd_child_run(&self->session->program, &child, &err) == 0 && child.told) {
            fill(self, question, entry, trace.path);
        }
        hd_child_free(&child);
    }
    hd_temporary_drop(&trace);
    hd_temporary_drop(&plan);
}
