/* coding.h - events as differences from what was to be expected.
 *
 * A program repeats itself: after this event, at this place in the code, comes
 * the one that came after it the last time, on the object that follows the last
 * one in the same step. Both sides keep what they expect in slots, one for each
 * place in the code (and thread, kind, flags, second operand); what comes as
 * expected is only counted.
 *
 * token := 0x80 + n               n + 1 events as expected
 *        | OFF difference         the expected slot, but this far from its last object
 *        | TURN slot difference   another slot that is in use
 *        | NEW slot event         one for which there is no slot yet
 *
 * A difference is a number as in format.h, signed (the lowest bit is the sign); a
 * slot is two bytes, an event the struct.
 *
 * Rules, the same for both sides:
 *   (1) `last` is the slot of the last event, slot 0 in the beginning; the slot
 *       expected next is last->then. Every event that was not as expected makes
 *       its slot the next of the last. A new slot is its own next.
 *   (2) The object expected is the slot's last one plus its stride. A stride is
 *       believed when the same difference was told twice in a row; a new slot
 *       has none. */
#ifndef HD_CODING_H
#define HD_CODING_H

#include "event.h"
#include "format.h"

#include <stdbool.h>
#include <string.h>

enum { HD_CODE_OFF = 1, HD_CODE_TURN = 2, HD_CODE_NEW = 3, HD_CODE_RUN = 0x80 };

#define HD_CODE_SLOTS 4096
#define HD_CODE_RUN_MOST 128
#define HD_CODE_TOKEN_MOST 64 /* bytes, with the run before it */

struct hd_slot {
    struct hd_event event; /* the last one */
    uint32_t stride;
    uint32_t step;   /* the last difference that was told ... */
    uint32_t missed; /* ... and the object that it led to */
    struct hd_slot *then; /* the next; not a number, because it has to be there at once */
    uint64_t where;  /* the writer's: the place in the code */
};

/* Rule (2), for an event that was not as expected. */
static inline void hd_slot_missed(struct hd_slot *slot, uint32_t obj) {
    uint32_t step = obj - slot->event.obj;
    if (step == slot->step && slot->event.obj == slot->missed) slot->stride = step;
    slot->step = step;
    slot->event.obj = slot->missed = obj;
}

/* Its first event is in it. */
static inline void hd_slot_new(struct hd_slot *slot) {
    slot->stride = slot->step = 0;
    slot->missed = slot->event.obj;
    slot->then = slot;
}

/* The writing side. Whoever owns it writes the bytes out when there is no more
 * room for a token. Slots are numbered as they come, so that the bytes depend on
 * the events alone; when all are taken, the numbers begin again. */
struct hd_coder {
    struct hd_slot *last;
    uint32_t left;  /* events as expected until a run is full */
    uint32_t slots_used;
    uint64_t count; /* events that tokens in the buffer tell */
    unsigned char *bytes, *at, *full;
    struct hd_slot slots[HD_CODE_SLOTS];
    uint16_t index[2 * HD_CODE_SLOTS]; /* by hash: number of a slot + 1 */
};

static inline void hd_code_begin(struct hd_coder *self, unsigned char *bytes, size_t room) {
    memset(self, 0, sizeof *self);
    self->last = self->slots[0].then = self->slots;
    self->left = HD_CODE_RUN_MOST;
    self->bytes = self->at = bytes;
    self->full = bytes + room - HD_CODE_TOKEN_MOST;
}

static inline void hd_code_end_run(struct hd_coder *self) {
    uint32_t run = HD_CODE_RUN_MOST - self->left;
    if (!run) return;
    *self->at++ = (unsigned char)(HD_CODE_RUN + run - 1);
    self->count += run;
    self->left = HD_CODE_RUN_MOST;
}

/* Thread, kind and flags at once. */
static inline uint32_t hd_code_tail(const struct hd_event *event) {
    return event->thread | (uint32_t)event->kind << 16 | (uint32_t)event->flags << 24;
}

static inline bool hd_code_fits(const struct hd_slot *slot, uint64_t where,
                                const struct hd_event *event) {
    return slot->where == where && hd_code_tail(&slot->event) == hd_code_tail(event) &&
           slot->event.aux == event->aux;
}

/* Is this the event that was to be expected? Then that is all; look for room
 * when a run is full (`left` has its whole value then). */
static inline bool hd_code_expected(struct hd_coder *self, uint64_t where,
                                    const struct hd_event *event) {
    struct hd_slot *slot = self->last->then;
    if (!hd_code_fits(slot, where, event) || slot->event.obj + slot->stride != event->obj) {
        return false;
    }
    slot->event.obj = event->obj;
    self->last = slot;
    if (--self->left == 0) hd_code_end_run(self);
    return true;
}

/* Where in the index the slot of such an event is, or should be. */
static inline uint16_t *hd_code_seek(struct hd_coder *self, uint64_t where,
                                     const struct hd_event *event) {
    uint64_t mix = where ^ (uint64_t)hd_code_tail(event) << 32 ^ event->aux;
    uint32_t at = (uint32_t)(mix * 0x9e3779b97f4a7c15u >> 51);
    while (self->index[at] && !hd_code_fits(&self->slots[self->index[at] - 1], where, event)) {
        at = (at + 1) % (2 * HD_CODE_SLOTS);
    }
    return &self->index[at];
}

static inline unsigned char *hd_code_put_slot(unsigned char *at, uint32_t number) {
    at[0] = (unsigned char)number;
    at[1] = (unsigned char)(number >> 8);
    return at + 2;
}

/* Another one. False: its slot is new, and hd_code_new has to tell event->site,
 * which until then nobody needed to know. */
static inline bool hd_code_known(struct hd_coder *self, uint64_t where,
                                 const struct hd_event *event) {
    struct hd_slot *slot = self->last->then;
    bool turn = !hd_code_fits(slot, where, event);
    uint32_t number = 0;
    if (turn) {
        uint16_t *found = hd_code_seek(self, where, event);
        if (!*found) return false;
        number = *found - 1u;
        slot = &self->slots[number];
    }
    hd_code_end_run(self);
    *self->at++ = turn ? HD_CODE_TURN : HD_CODE_OFF;
    if (turn) {
        self->at = hd_code_put_slot(self->at, number);
        self->last->then = slot;
    }
    self->at = hd_number_put(self->at,
                             hd_number_signed((int32_t)(event->obj - slot->event.obj)));
    hd_slot_missed(slot, event->obj);
    self->last = slot;
    self->count++;
    return true;
}

static inline void hd_code_new(struct hd_coder *self, uint64_t where,
                               const struct hd_event *event) {
    if (self->slots_used == HD_CODE_SLOTS) {
        memset(self->index, 0, sizeof self->index);
        self->slots_used = 0;
    }
    uint32_t number = self->slots_used++;
    *hd_code_seek(self, where, event) = (uint16_t)(number + 1);
    struct hd_slot *slot = &self->slots[number];
    hd_code_end_run(self);
    *self->at++ = HD_CODE_NEW;
    self->at = hd_code_put_slot(self->at, number);
    memcpy(self->at, event, sizeof *event);
    self->at += sizeof *event;
    self->last->then = slot;
    slot->event = *event;
    slot->where = where;
    hd_slot_new(slot);
    self->last = slot;
    self->count++;
}

#endif
