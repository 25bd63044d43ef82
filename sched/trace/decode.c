/* decode.c - tokens back into events.
 *
 * Nothing in the bytes is believed: numbers end inside of them, slots are in
 * their range. What an event may hold is the reader's business. */
#include "decode.h"

void hd_decode_begin(struct hd_decoder *self, const struct hd_limit *limits) {
    memset(self, 0, sizeof *self);
    self->limits = limits;
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

struct step { /* of a lap: what its slot says, ready to be written */
    struct hd_slot *slot;
    uint64_t upper, rest; /* aux in its place above the object; site to flags */
    uint32_t obj, stride;
};

_Static_assert(offsetof(struct hd_event, aux) == 4 && offsetof(struct hd_event, site) == 8 &&
                   sizeof(struct hd_event) == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "an event is two words, its object in the lower half of the first");

/* Those from the expected one on until the last one comes again: how many; 0: it does
 * not come soon. */
static uint32_t find_lap(struct hd_decoder *self, struct step *lap) {
    uint32_t at = self->last;
    for (uint32_t count = 0; count < LAP;) {
        at = self->slots[at].next;
        struct hd_slot *slot = &self->slots[at];
        struct step *step = &lap[count++];
        *step = (struct step){.slot = slot, .obj = slot->event.obj, .stride = slot->stride,
                              .upper = (uint64_t)slot->event.aux << 32};
        memcpy(&step->rest, &slot->event.site, sizeof step->rest);
        if (at == self->last) return count;
    }
    return 0;
}

/* Do all its objects stay within the limit, if it comes so often? They go one way. */
static bool stays(const struct hd_decoder *self, const struct step *step, uint32_t times) {
    const struct hd_limit *limit = &self->limits[step->slot->event.kind];
    int64_t first = (int64_t)step->obj + (int32_t)step->stride;
    int64_t last = (int64_t)step->obj + (int64_t)(int32_t)step->stride * times;
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
    for (uint32_t k = 0; k < times; k++, out += size) {
        for (uint32_t i = 0; i < size; i++) {
            uint64_t words[2] = {lap[i].upper | (lap[i].obj += lap[i].stride), lap[i].rest};
            memcpy(&out[i], words, sizeof words);
        }
    }
    for (uint32_t i = 0; i < size; i++) lap[i].slot->event.obj = lap[i].obj;
    return times * size;
}

static int expected(struct hd_decoder *self, struct hd_event *out, uint32_t most,
                    uint32_t *sure) {
    uint32_t count = self->run < most ? self->run : most;
    uint32_t done = *sure = count >= LAP ? go_round(self, out, count) : 0;
    uint32_t last = self->last; /* after whole laps it is the same again */
    for (uint32_t i = done; i < count; i++) {
        last = self->slots[last].next;
        struct hd_slot *slot = &self->slots[last];
        uint32_t obj = slot->event.obj += slot->stride;
        hand_out(&out[i], slot, obj);
    }
    self->last = last;
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
    uint32_t number = self->slots[self->last].next;
    if (token != HD_CODE_OFF) number = from[1] | (uint32_t)from[2] << 8;
    if (number >= HD_CODE_SLOTS) return -1;
    struct hd_slot *slot = &self->slots[number];
    const unsigned char *next = from + fixed[token];
    uint64_t told = 0;
    if (token != HD_CODE_NEW) {
        next = hd_number_get(next, end, &told);
        if (!next || told >> 33) return -1;
    }
    self->slots[self->last].next = number;
    if (token == HD_CODE_NEW) {
        memcpy(out, from + 3, sizeof *out);
        memcpy(&slot->event, from + 3, sizeof *out);
        hd_slot_new(slot, number);
    } else {
        uint32_t obj = slot->event.obj + (uint32_t)(told >> 1 ^ -(told & 1));
        hd_slot_missed(slot, obj);
        hand_out(out, slot, obj);
    }
    self->last = number;
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
    struct hd_slot *last = &self->slots[self->last];
    uint32_t done = 0, run = 0;
    while (done < most && end - from >= KNOWN_MOST) {
        unsigned char token = *from;
        if (token >= HD_CODE_RUN) {
            uint32_t count = token - HD_CODE_RUN + 1u;
            if (count >= LAP || count > most - done) break;
            from++;
            for (; count; count--) {
                struct hd_slot *slot = &self->slots[last->next];
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
        if (token != HD_CODE_OFF && token != HD_CODE_TURN) break;
        uint32_t number =
            token == HD_CODE_OFF ? last->next : from[1] | (uint32_t)from[2] << 8;
        uint64_t told;
        const unsigned char *next =
            hd_number_get(from + (token == HD_CODE_OFF ? 1 : 3), end, &told);
        if (number >= HD_CODE_SLOTS || !next || told >> 33) break;
        struct hd_slot *slot = &self->slots[number];
        uint32_t obj = slot->event.obj + (uint32_t)(told >> 1 ^ -(told & 1));
        if (!allows(limits, slot, obj)) break;
        last->next = number;
        hd_slot_missed(slot, obj);
        hand_out(&out[done++], slot, obj);
        last = slot;
        from = next;
    }
    self->run = run;
    self->last = (uint32_t)(last - self->slots);
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
