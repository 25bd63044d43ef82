/* near.c - how near a question came to being shown.
 *
 * A plan wants events in an order. How much of that order ever happened says where
 * it got stuck: this thread never came there while that one was here. */
#include "question_inner.h"

#include "identity.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_plan *first_plan(const struct hd_question *question) {
    return question->plans && question->plans->count ? &question->plans->list[0] : NULL;
}

struct wanted { /* what a question waits for next, in this trace's ids */
    struct hd_question *question;
    const struct hd_plan *plan;
    uint32_t reached;
};

void hd_question_near(struct hd_questions *self, struct hd_trace *trace, struct hd_error *err) {
    size_t open = 0, count;
    struct wanted *list = calloc(self->count + 1, sizeof *list);
    uint64_t *sites = malloc((hd_trace_sites(trace) + 1) * sizeof *sites);
    if (!list || !sites) abort();
    for (size_t i = 0; i < self->count; i++) {
        const struct hd_plan *plan = first_plan(&self->list[i]);
        if (!plan || self->list[i].happened || self->list[i].near == plan->count) continue;
        list[open++] = (struct wanted){&self->list[i], plan, 0};
    }
    for (uint32_t i = 0; open && i < hd_trace_sites(trace); i++) {
        sites[i] = hd_identity_site(trace, i);
    }
    const struct hd_event *events;
    hd_trace_rewind(trace);
    while (open && (events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) {
            if (events[i].site == HD_NO_ID || hd_kind_is_end(events[i].kind)) continue;
            for (size_t k = 0; k < open; k++) {
                struct wanted *it = &list[k];
                if (it->reached == it->plan->count) continue;
                const struct hd_milestone *next = &it->plan->order[it->reached];
                if (next->site != sites[events[i].site] ||
                    strcmp(next->thread, hd_trace_thread(trace, events[i].thread)) != 0) {
                    continue;
                }
                it->reached++;
            }
        }
    }
    for (size_t k = 0; k < open; k++) {
        if (list[k].reached > list[k].question->near) list[k].question->near = list[k].reached;
    }
    free(sites);
    free(list);
}

const char *hd_question_near_text(const struct hd_questions *self,
                                  const struct hd_question *question) {
    const struct hd_plan *plan = first_plan(question);
    if (!plan || plan->count == 0) return NULL;
    struct hd_verdicts *doc = self->session->doc;
    if (question->near == plan->count) {
        return "the suspected operations came in the suspected order, which was not enough";
    }
    const struct hd_milestone *next = &plan->order[question->near];
    if (question->near == 0) {
        return hd_verdicts_print_string(doc, "thread %s never reached %s", next->thread, next->place);
    }
    const struct hd_milestone *last = &plan->order[question->near - 1];
    return hd_verdicts_print_string(doc, "thread %s never reached %s after thread %s had passed %s",
                                    next->thread, next->place, last->thread, last->place);
}
