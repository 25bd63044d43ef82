/* run.c - the one loop over the events of a trace.
 *
 * All selected checkers see the same batch of steps while it is in the cache.
 * When memory is out, control comes back here from wherever it was asked for;
 * all that the pass owns is in the arena, so nothing is lost but the report. */
#include "checkers/run.h"

#include "checkers/settings.h"
#include "checkers/transaction.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct job {
    const struct hd_checker_ops *ops;
    struct hd_pass pass;
    void *state;
    struct hd_warnings *warnings;
};

struct hd_report {
    struct hd_arena *arena;
    struct hd_trace *trace;
    struct hd_policy policy;
    struct hd_notes *notes;
    struct hd_front *front;
    struct hd_settings settings[HD_CHECKERS_MOST];
    struct job jobs[HD_CHECKERS_MOST];
    int job_count;
    const struct hd_warning **all;
    uint32_t *group;
    const char **note_texts;
    const char **strangers;
    uint32_t stranger_count;
    uint32_t count, groups;
    jmp_buf full;
};

static int survey(struct hd_report *report, struct hd_error *err) {
    if (!hd_front_wants_survey(report->front)) {
        return 0;
    }
    struct hd_error failed = {.text = ""};
    const struct hd_event *events;
    size_t count;
    while ((events = hd_trace_next(report->trace, &count, &failed))) {
        hd_front_survey(report->front, events, count);
    }
    if (failed.text[0]) {
        hd_fail(err, failed.place, "%s", failed.text);
        return -1;
    }
    hd_front_survey_end(report->front);
    hd_trace_rewind(report->trace);
    return 0;
}

static void deliver(struct hd_report *report, const struct hd_step *steps, size_t count) {
    if (!count) {
        return;
    }
    for (int i = 0; i < report->job_count; i++) {
        struct job *job = &report->jobs[i];
        job->ops->steps(job->state, steps, count, job->warnings);
    }
}

static void hand_out(struct hd_report *report, const struct hd_event *events, size_t count) {
    const struct hd_step *steps;
    size_t made;
    while (count) {
        size_t taken = hd_front_feed(report->front, events, count, &steps, &made);
        deliver(report, steps, made);
        events += taken;
        count -= taken;
    }
}

static int feed(struct hd_report *report, struct hd_error *err) {
    struct hd_error failed = {.text = ""};
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    if (hd_front_is_quiet(report->front, &events, &count)) {
        hand_out(report, events, count);
    } else {
        hd_trace_rewind(report->trace);
        while ((events = hd_trace_next(report->trace, &count, &failed))) {
            hand_out(report, events, count);
        }
    }
    if (failed.text[0]) {
        hd_fail(err, failed.place, "%s", failed.text);
        return -1;
    }
    hd_front_finish(report->front, &steps, &made);
    deliver(report, steps, made);
    return 0;
}

/* What a warning accuses, as two words; warnings with equal ones share a group.
 * False: it stands for itself. */
static bool claim(const struct hd_report *report, const struct hd_warning *w, uint64_t *what) {
    uint32_t about;
    if (w->kind == HD_RACE && w->access_count) {
        about = w->accesses[0].obj;
    } else if (w->region != HD_NO_ID && w->kind != HD_HIGH_LEVEL_RACE) {
        const struct hd_region *region = hd_front_region(report->front, w->region);
        about = region->label != HD_NO_ID ? region->label : w->region;
        *what = region->label != HD_NO_ID ? 1ull << 40 : 0;
        *what |= (uint64_t)w->kind << 32 | about;
        return true;
    } else {
        return false;
    }
    *what = (uint64_t)w->kind << 32 | about;
    return true;
}

static void group(struct hd_report *report) {
    uint32_t room = 16;
    while (room < report->count * 2) {
        room *= 2;
    }
    struct slot {
        uint64_t what;
        uint32_t group; /* plus one */
    } *slots = hd_arena_array(report->arena, room, sizeof *slots);
    for (uint32_t i = 0; i < report->count; i++) {
        uint64_t what;
        if (!claim(report, report->all[i], &what)) {
            report->group[i] = report->groups++;
            continue;
        }
        uint32_t h = (uint32_t)((what * 0x9e3779b97f4a7c15ull) >> 32);
        while (slots[h & (room - 1)].group && slots[h & (room - 1)].what != what) {
            h++;
        }
        struct slot *slot = &slots[h & (room - 1)];
        if (!slot->group) {
            *slot = (struct slot){what, ++report->groups};
        }
        report->group[i] = slot->group - 1;
    }
}

static void gather(struct hd_report *report) {
    for (int i = 0; i < report->job_count; i++) {
        hd_warnings_sort(report->jobs[i].warnings);
        report->count += hd_warnings_count(report->jobs[i].warnings);
    }
    report->all = hd_arena_array(report->arena, report->count, sizeof *report->all);
    report->group = hd_arena_array(report->arena, report->count, sizeof *report->group);
    uint32_t at = 0;
    for (int i = 0; i < report->job_count; i++) {
        for (uint32_t k = 0; k < hd_warnings_count(report->jobs[i].warnings); k++) {
            report->all[at++] = hd_warnings_at(report->jobs[i].warnings, k);
        }
    }
    group(report);
    report->note_texts =
        hd_arena_array(report->arena, hd_notes_count(report->notes), sizeof *report->note_texts);
    for (uint32_t i = 0; i < hd_notes_count(report->notes); i++) {
        report->note_texts[i] = hd_notes_at(report->notes, i);
    }
}

static bool is_called(const struct hd_trace *trace, const char *name) {
    for (uint32_t i = 0; i < hd_trace_labels(trace); i++) {
        const char *label = hd_trace_label(trace, i)->name;
        if (label && !strcmp(label, name)) {
            return true;
        }
    }
    return false;
}

static void find_strangers(struct hd_report *report) {
    const struct hd_policy *policy = &report->policy;
    uint32_t most = policy->named_count + policy->barred_count;
    report->strangers = hd_arena_array(report->arena, most, sizeof *report->strangers);
    for (uint32_t i = 0; i < most; i++) {
        const char *name = i < policy->named_count ? policy->named[i]
                                                   : policy->barred[i - policy->named_count];
        if (!is_called(report->trace, name)) {
            report->strangers[report->stranger_count++] = name;
        }
    }
}

static int run(struct hd_report *report, const struct hd_check_options *options,
               struct hd_error *err) {
    report->arena = hd_arena_new();
    if (!report->arena || setjmp(report->full)) {
        hd_fail_system(err, ENOMEM, "checking the trace");
        return -1;
    }
    hd_arena_on_full(report->arena, &report->full);
    hd_arena_limit(report->arena, options->memory);
    if (hd_policy_parse(report->arena, options->transactions, &report->policy, err) < 0) {
        return -1;
    }
    unsigned needs = 0, all = HD_NEED_NOTHING_ELSE;
    for (int i = 0; i < report->job_count; i++) {
        unsigned its = report->jobs[i].ops->needs(&report->settings[i]);
        needs |= its & ~(unsigned)HD_NEED_NOTHING_ELSE;
        all &= its;
    }
    needs |= report->job_count ? all : 0;
    report->notes = hd_notes_new(report->arena);
    report->front =
        hd_front_new(report->arena, report->trace, &report->policy, report->notes, needs);
    if (survey(report, err) < 0) {
        return -1;
    }
    for (int i = 0; i < report->job_count; i++) {
        struct job *job = &report->jobs[i];
        job->pass = (struct hd_pass){report->trace, report->front, report->arena, report->notes,
                                     &report->settings[i]};
        job->warnings = hd_warnings_new(report->arena, job->ops->name, report->notes);
        job->state = hd_arena_get(report->arena, job->ops->state_size);
        job->ops->begin(job->state, &job->pass);
    }
    if (feed(report, err) < 0) {
        return -1;
    }
    for (int i = 0; i < report->job_count; i++) {
        if (report->jobs[i].ops->end) {
            report->jobs[i].ops->end(report->jobs[i].state, report->jobs[i].warnings);
        }
    }
    gather(report);
    find_strangers(report);
    return 0;
}

int hd_check(struct hd_trace *trace, const struct hd_check_options *options,
             struct hd_report **out, struct hd_error *err) {
    static const struct hd_check_options usual;
    options = options ? options : &usual;
    struct hd_report *report = calloc(1, sizeof *report);
    if (!report) {
        hd_fail_system(err, ENOMEM, "checking the trace");
        return -1;
    }
    report->trace = trace;
    report->job_count = hd_settings_parse(options->checkers, report->settings, err);
    for (int i = 0; i < report->job_count; i++) {
        report->jobs[i].ops = report->settings[i].ops;
    }
    if (report->job_count < 0 || run(report, options, err) < 0) {
        hd_report_free(report);
        return -1;
    }
    hd_arena_on_full(report->arena, NULL);
    *out = report;
    return 0;
}

void hd_report_free(struct hd_report *report) {
    if (report) {
        hd_arena_free(report->arena);
        free(report);
    }
}

uint32_t hd_report_count(const struct hd_report *report) { return report->count; }

const struct hd_warning *hd_report_warning(const struct hd_report *report, uint32_t index) {
    return report->all[index];
}

uint32_t hd_report_groups(const struct hd_report *report) { return report->groups; }

uint32_t hd_report_group(const struct hd_report *report, uint32_t index) {
    return report->group[index];
}

uint32_t hd_report_notes(const struct hd_report *report) { return hd_notes_count(report->notes); }

const char *hd_report_note(const struct hd_report *report, uint32_t index) {
    return report->note_texts[index];
}

uint32_t hd_report_strangers(const struct hd_report *report) { return report->stranger_count; }

const char *hd_report_stranger(const struct hd_report *report, uint32_t index) {
    return report->strangers[index];
}

const struct hd_front *hd_report_front(const struct hd_report *report) { return report->front; }

const struct hd_trace *hd_report_trace(const struct hd_report *report) { return report->trace; }

int hd_check_list(const char *checkers, struct hd_error *err) {
    struct hd_settings settings[HD_CHECKERS_MOST];
    return hd_settings_parse(checkers, settings, err) < 0 ? -1 : 0;
}
