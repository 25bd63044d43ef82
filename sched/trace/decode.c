/* decode.c - tokens back into events.
 *
 * Nothing in the bytes is believed: numbers end inside of them, slots are in
 * their range. What an event may hold is the reader's business. */
#include "decode.h"

void hd_decode_begin(struct hd_decoder *self, const struct hd_limit *limits) {
    memset(self, 0, sizeof *self);
    self->limits = limits;
    self->last = self->slots;
    for (int i = 0; i < HD_CODE_SLOTS; i++) self->slots[i].then = self->slots;
}

/* The slot's event on this object. In parts, because what has just been written
 * in parts is slow to read as a whole. */
static void hand_out(struct hd_event *out, const struct hd_slot *slot, uint32_t obj) {
    out->obj = obj;
    out->aux = slot->event.aux;
    memcpy(&out->site, &slot->event.site, sizeof *out - offsetof(struct hd_event, site));
}

/* What a loop does goes round the same few slots. To know them beforehand saves the
 * wait for each to tell the next. */
#define LAP 32
#define LAPS 64 /* at a time: what they write stays in the nearest cache */

typedef uint32_t words __attribute__((vector_size(16)));

struct step { /* of a lap: what its slot says, in one piece */
    words event, stride;
    struct hd_slot *slot;
};

_Static_assert(offsetof(struct hd_event, obj) == 0 && sizeof(struct hd_event) == sizeof(words),
               "an event is four words, its object the first");

/* Those from the expected one on until the last one comes again: how many; 0: it does
 * not come soon. */
static uint32_t find_lap(struct hd_decoder *self, struct step *lap) {
    struct hd_slot *slot = self->last;
    for (uint32_t count = 0; count < LAP;) {
        slot = slot->then;
        struct step *step = &lap[count++];
        *step = (struct step){.slot = slot, .stride = {slot->stride}};
        memcpy(&step->event, &slot->event, sizeof step->event);
        if (slot == self->last) return count;
    }
    return 0;
}

/* Do all its objects stay within the limit, if it comes so often? They go one way. */
static bool stays(const struct hd_decoder *self, const struct step *step, uint32_t times) {
    const struct hd_limit *limit = &self->limits[step->slot->event.kind];
    int64_t obj = step->slot->event.obj, stride = (int32_t)step->slot->stride;
    int64_t first = obj + stride, last = obj + stride * times;
    return first >= 0 && last >= 0 && (uint64_t)first + limit->obj_plus < limit->obj_below &&
           (uint64_t)last + limit->obj_plus < limit->obj_below;
}

/* Events of whole laps, if they are good: how many. */
static uint32_t go_round(struct hd_decoder *self, struct hd_event *out, uint32_t count) {
    struct step lap[LAP];
    uint32_t size = find_lap(self, lap), times = size ? count / size : 0;
    for (uint32_t i = 0; i < size; i++) {
        if (!stays(self, &lap[i], times)) return 0;
    }
    for (uint32_t left = times; left;) {
        uint32_t laps = left < LAPS ? left : LAPS;
        for (uint32_t i = 0; i < size; i++) {
            words event = lap[i].event, stride = lap[i].stride;
            struct hd_event *to = out + i;
            for (uint32_t k = 0; k < laps; k++, to += size) {
                event += stride;
                memcpy(to, &event, sizeof event);
            }
            lap[i].event = event;
        }
        out += (size_t)laps * size;
        left -= laps;
    }
    for (uint32_t i = 0; i < size; i++) lap[i].slot->event.obj = lap[i].event[0];
    return times * size;
}

static int expected(struct hd_decoder *self, struct hd_event *out, uint32_t most,
                    uint32_t *sure) {
    uint32_t count = self->run < most ? self->run : most;
    uint32_t done = *sure = count >= LAP ? go_round(self, out, count) : 0;
    struct hd_slot *slot = self->last; /* after whole laps it is the same again */
    for (uint32_t i = done; i < count; i++) {
        slot = slot->then;
        uint32_t obj = slot->event.obj += slot->stride;
        hand_out(&out[i], slot, obj);
    }
    self->last = slot;
    self->run -= count;
    return (int)count;
}

/* The bytes of a token before its difference, or all of a new slot's. */
static const uint8_t fixed[] = {0, 1, 3, 3 + sizeof(struct hd_event)};

int hd_decode_token(struct hd_decoder *self, const unsigned char **at,
                    const unsigned char *end, struct hd_event *out, uint32_t most, uint32_t *sure) {
    *sure = 0;
    if (self->run) return expected(self, out, most, sure);
    const unsigned char *from = *at;
    if (from >= end) return -1;
    unsigned char token = *from;
    if (token >= HD_CODE_RUN) {
        /* A long run is told in pieces. */
        do self->run += *from++ - HD_CODE_RUN + 1u;
        while (self->run < most && from < end && *from >= HD_CODE_RUN);
        *at = from;
        return expected(self, out, most, sure);
    }
    if (token < HD_CODE_OFF || token > HD_CODE_NEW || end - from < fixed[token]) return -1;
    struct hd_slot *slot = self->last->then;
    if (token != HD_CODE_OFF) {
        uint32_t number = from[1] | (uint32_t)from[2] << 8;
        if (number >= HD_CODE_SLOTS) return -1;
        slot = &self->slots[number];
    }
    const unsigned char *next = from + fixed[token];
    uint64_t told = 0;
    if (token != HD_CODE_NEW) {
        next = hd_number_get(next, end, &told);
        if (!next || told >> 33) return -1;
    }
    self->last->then = slot;
    if (token == HD_CODE_NEW) {
        memcpy(out, from + 3, sizeof *out);
        memcpy(&slot->event, from + 3, sizeof *out);
        hd_slot_new(slot);
    } else {
        uint32_t obj = slot->event.obj + (uint32_t)(told >> 1 ^ -(told & 1));
        hd_slot_missed(slot, obj);
        hand_out(out, slot, obj);
    }
    self->last = slot;
    *at = next;
    return 1;
}

/* The bytes of the longest token of a slot that is in use. */
#define KNOWN_MOST 16

static bool allows(const struct hd_limit *limits, const struct hd_slot *slot, uint32_t obj) {
    const struct hd_limit *limit = &limits[slot->event.kind];
    return (uint32_t)(obj + limit->obj_plus) < limit->obj_below;
}

uint32_t hd_decode_known(struct hd_decoder *self, const unsigned char **at,
                         const unsigned char *end, struct hd_event *out, uint32_t most) {
    if (self->run) return 0;
    const struct hd_limit *limits = self->limits;
    const unsigned char *from = *at;
    struct hd_slot *last = self->last;
    uint32_t done = 0, run = 0;
    while (done < most && end - from >= KNOWN_MOST) {
        unsigned char token = *from;
        if (token >= HD_CODE_RUN) {
            uint32_t count = token - HD_CODE_RUN + 1u;
            if (count >= LAP || count > most - done) break;
            from++;
            for (; count; count--) {
                struct hd_slot *slot = last->then;
                uint32_t obj = slot->event.obj + slot->stride;
                if (!allows(limits, slot, obj)) break;
                slot->event.obj = obj;
                hand_out(&out[done++], slot, obj);
                last = slot;
            }
            run = count; /* from a bad one on */
            if (run) break;
            continue;
        }
        /* By branches, which can be foreseen: where the next token begins must not wait
         * for what this one says. */
        struct hd_slot *slot = last->then;
        const unsigned char *next = from + 1;
        if (token == HD_CODE_TURN) {
            uint32_t number = from[1] | (uint32_t)from[2] << 8;
            if (number >= HD_CODE_SLOTS) break;
            slot = &self->slots[number];
            next = from + 3;
        } else if (token != HD_CODE_OFF) {
            break;
        }
        uint64_t told;
        next = hd_number_get(next, end, &told);
        if (!next || told >> 33) break;
        uint32_t obj = slot->event.obj + (uint32_t)(told >> 1 ^ -(told & 1));
        if (!allows(limits, slot, obj)) break;
        last->then = slot;
        hd_slot_missed(slot, obj);
        hand_out(&out[done++], slot, obj);
        last = slot;
        from = next;
    }
    self->run = run;
    self->last = last;
    *at = from;
    return done;
}

uint64_t hd_decode_count(const unsigned char *bytes, uint64_t *length) {
    const unsigned char *at = bytes, *end = bytes + *length;
    uint64_t count = 0;
    while (at < end) {
        const unsigned char *next = at + 1;
        uint64_t number;
        if (*at >= HD_CODE_RUN) {
            count += *at - HD_CODE_RUN;
        } else {
            if (*at < HD_CODE_OFF || *at > HD_CODE_NEW || end - at < fixed[*at]) break;
            next = at + fixed[*at];
            if (*at != HD_CODE_NEW) next = hd_number_get(next, end, &number);
            if (!next) break;
        }
        count++;
        at = next;
    }
    *length = (uint64_t)(at - bytes);
    return count;
}
