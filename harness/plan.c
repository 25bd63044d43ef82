/* plan.c - from the events of a warning to rules of a goal. See plan.h. */
#include "plan.h"

#include "identity.h"
#include "plan_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const struct hd_plan_point point;

void hd_plans_free(struct hd_plans *self) {
    if (!self) return;
    for (uint32_t i = 0; i < self->count; i++) free(self->list[i].rules);
    free(self);
}

/* ---- rules ------------------------------------------------------------------------- */

static bool put_point(FILE *out, const struct hd_plan_book *book, point *at) {
    const struct hd_site *site = hd_trace_site(book->trace, at->site);
    if (site->module == HD_NO_ID) return false; /* a trace from elsewhere */
    const char *path = hd_trace_module(book->trace, site->module)->path;
    const char *tail = strrchr(path, '/');
    return fprintf(out, "%s %s+0x%llx %u", hd_trace_thread(book->trace, at->thread),
                   tail ? tail + 1 : path, (unsigned long long)site->address, at->instance) > 0;
}

static bool put_rule(FILE *out, const struct hd_plan_book *book, point *held, point *until,
                     bool stands) {
    fputs("hold ", out);
    bool good = put_point(out, book, held);
    fputs(" until ", out);
    good = good && put_point(out, book, until);
    fputs(stands ? " stands\n" : "\n", out);
    return good;
}

/* Takes the rules over. */
static bool add(struct hd_plans *out, char *rules, const struct hd_plan_book *book,
                const uint32_t *order, uint32_t count) {
    bool fresh = out->count < HD_PLANS;
    for (uint32_t i = 0; fresh && i < out->count; i++) {
        fresh = strcmp(out->list[i].rules, rules) != 0;
    }
    if (!fresh) {
        free(rules);
        return false;
    }
    struct hd_plan *plan = &out->list[out->count++];
    *plan = (struct hd_plan){.rules = rules};
    for (uint32_t i = 0; i < count && i < HD_MILESTONES; i++) {
        point *at = &book->points[order[i]];
        struct hd_milestone *stone = &plan->order[plan->count++];
        char room[sizeof stone->place];
        snprintf(stone->thread, sizeof stone->thread, "%s",
                 hd_trace_thread(book->trace, at->thread));
        snprintf(stone->place, sizeof stone->place, "%s",
                 hd_trace_site_name(book->trace, at->site, room, sizeof room));
        stone->site = hd_identity_site(book->trace, at->site);
    }
    return true;
}

/* Where to hold a thread for this event: before the outermost lock that it takes
 * for it after `since`, or before the event itself. */
static point *hold_point(const struct hd_plan_book *book, point *event, point *since) {
    for (uint32_t i = 0; i < event->hold_count; i++) {
        if (event->holds[i] == UINT32_MAX) continue; /* taken anew by a wake-up */
        point *hold = &book->points[event->holds[i]];
        if (!since || hold->seq > since->seq) return hold;
    }
    return event;
}

/* A lock that one thread keeps from `from` to `to` and the other needs for `event`. */
static bool locked_out(const struct hd_plan_book *book, point *from, point *to, point *event) {
    for (uint32_t i = 0; i < from->hold_count; i++) {
        for (uint32_t k = 0; k < to->hold_count; k++) {
            if (from->holds[i] != to->holds[k] || from->holds[i] == UINT32_MAX) continue;
            point *kept = &book->points[from->holds[i]];
            for (uint32_t n = 0; n < event->hold_count; n++) {
                if (event->holds[n] == UINT32_MAX) continue;
                point *wanted = &book->points[event->holds[n]];
                if (wanted->obj == kept->obj && !(wanted->shared && kept->shared)) return true;
            }
        }
    }
    return false;
}

bool hd_plan_order(struct hd_plans *out, const struct hd_plan_book *book, const uint32_t *order,
                   uint32_t count) {
    char *rules = NULL;
    size_t size;
    bool good = true, any = false;
    FILE *text = open_memstream(&rules, &size);
    if (!text) abort();
    for (uint32_t i = 0; i < count && good; i++) {
        point *at = &book->points[order[i]], *mine = NULL;
        for (uint32_t k = i; k > 0 && !mine; k--) {
            if (book->points[order[k - 1]].thread == at->thread) mine = &book->points[order[k - 1]];
        }
        for (uint32_t k = i; mine && k > 0 && &book->points[order[k - 1]] != mine; k--) {
            good = good && !locked_out(book, mine, at, &book->points[order[k - 1]]);
        }
        if (i == 0 || book->points[order[i - 1]].thread == at->thread) continue;
        good = good && put_rule(text, book, hold_point(book, at, mine),
                                &book->points[order[i - 1]], false);
        any = true;
    }
    fclose(text);
    if (good && any) return add(out, rules, book, order, count);
    free(rules);
    return false;
}

/* ---- kinds --------------------------------------------------------------------------- */

/* The points of a warning's events; 0 if one of them is none. */
static uint32_t points_of(const struct hd_plan_book *book, const struct hd_warning *warning,
                          uint32_t *order) {
    uint32_t count = warning->access_count;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = hd_plan_find(book, warning->accesses[i].seq);
        if (order[i] == UINT32_MAX) return 0;
    }
    return count;
}

/* Both at the brink, then `first`, then `second`. */
static void brink(struct hd_plans *out, const struct hd_plan_book *book, uint32_t first,
                  uint32_t second) {
    char *rules = NULL;
    size_t size;
    FILE *text = open_memstream(&rules, &size);
    if (!text) abort();
    point *a = &book->points[first], *b = &book->points[second];
    bool good = a->thread != b->thread && put_rule(text, book, a, b, true) &&
                put_rule(text, book, b, a, false);
    fclose(text);
    uint32_t order[2] = {first, second};
    if (good) {
        add(out, rules, book, order, 2);
    } else {
        free(rules);
    }
}

static void deadlock(struct hd_plans *out, const struct hd_plan_book *book, const uint32_t *order,
                     uint32_t count) {
    char *rules = NULL;
    size_t size;
    bool good = count >= 4 && count % 2 == 0, any = false;
    FILE *text = open_memstream(&rules, &size);
    if (!text) abort();
    for (uint32_t i = 0; good && i < count; i += 2) { /* took, wants, took, wants */
        for (uint32_t k = 0; good && k < count; k += 2) {
            point *wants = &book->points[order[i + 1]], *took = &book->points[order[k]];
            if (wants->thread == took->thread) continue;
            good = put_rule(text, book, wants, took, false);
            any = true;
        }
    }
    fclose(text);
    if (good && any) {
        add(out, rules, book, order, count);
    } else {
        free(rules);
    }
}

static void plan_one(struct hd_plans *out, const struct hd_plan_book *book,
                     const struct hd_warning *warning) {
    uint32_t order[HD_WARNING_ACCESSES];
    uint32_t count = points_of(book, warning, order);
    if (count < 2) return;
    uint32_t back[2] = {order[1], order[0]};
    switch (warning->kind) {
    case HD_RACE:
        brink(out, book, order[0], order[1]);
        brink(out, book, order[1], order[0]);
        return;
    case HD_DEADLOCK: deadlock(out, book, order, count); return;
    case HD_DETERMINISM:
        if (count == 2) hd_plan_order(out, book, back, 2);
        hd_plan_order(out, book, order, count);
        return;
    default: hd_plan_order(out, book, order, count); return;
    }
}

void hd_plan_warning(struct hd_plans *out, const struct hd_plan_book *book,
                     const struct hd_warning *warning, uint64_t identity) {
    for (const struct hd_warning *w = warning; w; w = w->next_variant) plan_one(out, book, w);
    if (warning->kind == HD_ATOMICITY) hd_plan_block(out, book, identity);
}
