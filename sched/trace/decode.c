/* decode.c - tokens back into events.
 *
 * Nothing in the bytes is believed: numbers end inside of them, slots are in
 * their range. What an event may hold is the reader's business. */
#include "decode.h"

void hd_decode_begin(struct hd_decoder *self) { memset(self, 0, sizeof *self); }

/* The slot's event on this object. In parts, because what has just been written
 * in parts is slow to read as a whole. */
static void hand_out(struct hd_event *out, const struct hd_slot *slot, uint32_t obj) {
    out->obj = obj;
    out->aux = slot->event.aux;
    memcpy(&out->site, &slot->event.site, sizeof *out - offsetof(struct hd_event, site));
}

static int expected(struct hd_decoder *self, struct hd_event *out, uint32_t most) {
    uint32_t count = self->run < most ? self->run : most;
    uint32_t last = self->last;
    for (uint32_t i = 0; i < count; i++) {
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
                    const unsigned char *end, struct hd_event *out, uint32_t most) {
    if (self->run) return expected(self, out, most);
    const unsigned char *from = *at;
    if (from >= end) return -1;
    unsigned char token = *from;
    if (token >= HD_CODE_RUN) {
        self->run = token - HD_CODE_RUN + 1u;
        *at = from + 1;
        return expected(self, out, most);
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
