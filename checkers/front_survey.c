/* front_survey.c - what can only be known from the whole trace.
 *
 * Two questions need a look ahead. Is a function small enough to be expected
 * atomic (transaction.h, `default`)? That is a property of all its calls. And
 * was an object that never escaped touched by a stranger (front_escape.c)? Where
 * neither can matter the trace is read once only. */
#include "checkers/front_state.h"

#include <string.h>

/* An activation of a function and what its callees did. */
struct frame {
    uint32_t label;
    uint8_t regions; /* outermost lock regions, stops at one too many */
    bool stops;      /* fork, join, barrier, wait, sleep, output */
};

struct caller {
    struct frame *frames;
    size_t count, room;
    uint32_t depth;   /* locks held, times taken */
    uint32_t first;   /* function that was the first thing it did, or HD_NO_ID */
    bool begun;
    bool after;       /* something came after that function returned */
    bool forked;
};

struct survey {
    struct caller *callers;
};

bool hd_front_wants_survey(const struct hd_front *front) {
    if (front->surveyed) {
        return false;
    }
    bool functions = front->needs & HD_NEED_TRANSACTIONS && front->policy->functions &&
                     front->label_count;
    return functions || front->needs & HD_NEED_ESCAPE;
}

static void mark(struct hd_front *front, const struct frame *frame) {
    if (frame->stops || frame->regions > HD_SMALL_REGIONS) {
        front->label_facts[frame->label] |= LABEL_BIG;
    }
}

static void pop(struct hd_front *front, struct caller *c) {
    struct frame *frame = &c->frames[--c->count];
    mark(front, frame);
    if (c->count) {
        struct frame *below = &c->frames[c->count - 1];
        unsigned regions = below->regions + frame->regions;
        below->regions = regions > HD_SMALL_REGIONS ? HD_SMALL_REGIONS + 1 : (uint8_t)regions;
        below->stops |= frame->stops;
    }
}

static void enter(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    if (event->obj >= front->label_count) {
        return;
    }
    if (!c->begun) {
        c->first = event->obj;
    }
    if (event->flags & HD_FLAG_ENTRY) {
        front->label_facts[event->obj] |= LABEL_ENTRY;
    }
    HD_ARENA_FIT(front->arena, c->frames, c->room, c->count);
    c->frames[c->count++] = (struct frame){.label = event->obj};
}

static void leave(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    size_t at = c->count;
    while (at && event->obj != HD_NO_ID && c->frames[at - 1].label != event->obj) {
        at--;
    }
    while (at && c->count >= at) {
        pop(front, c);
    }
}

static void stop(struct caller *c) {
    if (c->count) {
        c->frames[c->count - 1].stops = true;
    }
}

void hd_front_survey(struct hd_front *front, const struct hd_event *events, size_t count) {
    if (!front->survey) {
        front->survey = hd_arena_get(front->arena, sizeof *front->survey);
        front->survey->callers = hd_arena_array(front->arena, front->thread_count,
                                                sizeof *front->survey->callers);
        for (uint32_t t = 0; t < front->thread_count; t++) {
            front->survey->callers[t].first = HD_NO_ID;
        }
    }
    bool escape = front->needs & HD_NEED_ESCAPE;
    for (size_t i = 0; i < count; i++) {
        const struct hd_event *event = &events[i];
        struct caller *c = &front->survey->callers[event->thread];
        if (c->begun && !c->count && event->kind != HD_STOP) {
            c->after = true;
        }
        switch (event->kind) {
        case HD_READ:
        case HD_WRITE:
        case HD_VREAD:
        case HD_VWRITE:
        case HD_VRMW:
            if (escape) {
                hd_front_escape_touch(front, event);
            }
            break;
        case HD_ENTER: enter(front, c, event); break;
        case HD_EXIT: leave(front, c, event); break;
        case HD_ACQUIRE:
        case HD_TXBEGIN:
            if (!c->depth++ && c->count) {
                struct frame *top = &c->frames[c->count - 1];
                top->regions += top->regions <= HD_SMALL_REGIONS;
            }
            break;
        case HD_RELEASE:
        case HD_TXEND: c->depth -= c->depth > 0; break;
        case HD_FORK: front->survey->callers[event->obj].forked = true; /* fall through */
        case HD_JOIN:
        case HD_BARRIER:
        case HD_BLEAVE:
        case HD_WAIT:
        case HD_SLEEP:
        case HD_OUTPUT: stop(c); break;
        case HD_ALLOC:
        case HD_FREE:
        case HD_ESCAPE: hd_front_object_event(front, event); break;
        case HD_START: continue; /* does not begin anything yet */
        }
        c->begun = true;
    }
}

static bool listed(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; name && i < count; i++) {
        if (!strcmp(names[i], name)) {
            return true;
        }
    }
    return false;
}

static void decide(struct hd_front *front, uint32_t id) {
    const struct hd_label *label = hd_trace_label(front->trace, id);
    const struct hd_policy *policy = front->policy;
    uint8_t *facts = &front->label_facts[id];
    if (label->flags & HD_LABEL_ENTRY || (label->name && !strcmp(label->name, "main"))) {
        *facts |= LABEL_ENTRY;
    }
    bool is = !(*facts & LABEL_ENTRY) && !(label->flags & HD_LABEL_STATIC) &&
              !(policy->small_functions && *facts & LABEL_BIG);
    if (listed(policy->named, policy->named_count, label->name)) {
        is = true;
    }
    if (listed(policy->barred, policy->barred_count, label->name)) {
        is = false;
        *facts |= LABEL_BARRED;
    }
    *facts |= is ? LABEL_TXN : 0;
}

void hd_front_survey_end(struct hd_front *front) {
    front->surveyed = true;
    for (uint32_t t = 0; front->survey && t < front->thread_count; t++) {
        struct caller *c = &front->survey->callers[t];
        if (c->first != HD_NO_ID && c->forked && !c->after) {
            front->label_facts[c->first] |= LABEL_ENTRY;
        }
        while (c->count) {
            pop(front, c);
        }
    }
    for (uint32_t id = 0; id < front->label_count; id++) {
        decide(front, id);
    }
    if (front->survey && front->needs & HD_NEED_ESCAPE) {
        hd_front_escape_surveyed(front);
    }
    front->survey = NULL;
}
