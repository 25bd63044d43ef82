/* decode.h - the reading side of coding.h. */
#ifndef HD_DECODE_H
#define HD_DECODE_H

#include "coding.h"

#include <stddef.h>

/* What an event of one kind may hold. An operand passes if operand + `plus` <
 * `below`: plus 1 lets HD_NO_ID through. */
struct hd_limit {
    uint64_t obj_below, aux_below;
    uint32_t obj_plus, aux_plus;
};

struct hd_decoder {
    const struct hd_limit *limits; /* by kind */
    struct hd_slot *last;
    uint32_t run; /* events of the last token that are still to come */
    struct hd_slot slots[HD_CODE_SLOTS];
};

void hd_decode_begin(struct hd_decoder *self, const struct hd_limit *limits);

/* The next events of one token, or of several that say `as expected`: at most `most` (not 0), -1 if the bytes from *at
 * on are no token. Nothing but the shape of the token is checked, and that the objects
 * of the first `*sure` events are within their limits. */
int hd_decode_token(struct hd_decoder *self, const unsigned char **at,
                    const unsigned char *end, struct hd_event *out, uint32_t most, uint32_t *sure);

/* As many events as can be had at once: of slots in use, whose first events were found
 * good, and with objects within their limits. It stops at whatever needs a closer look,
 * which hd_decode_token then gives; so it may be none. */
uint32_t hd_decode_known(struct hd_decoder *self, const unsigned char **at,
                         const unsigned char *end, struct hd_event *out, uint32_t most);

/* How many events are told by whole tokens, and in how many bytes. */
uint64_t hd_decode_count(const unsigned char *bytes, uint64_t *length);

/* A number (format.h); NULL: it is cut short, or larger than 64 bits. */
static inline const unsigned char *hd_number_get(const unsigned char *at,
                                                 const unsigned char *end, uint64_t *number) {
    if (at < end && *at < 0x80) {
        *number = *at;
        return at + 1;
    }
    uint64_t value = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        unsigned char byte = *at++;
        if (shift == 63 && byte > 1) return NULL;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *number = value;
            return at;
        }
    }
    return NULL;
}

#endif
