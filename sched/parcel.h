/* parcel.h - bytes that one process writes for another of the same program.
 *
 * Plain values one after the other, in multiples of four bytes, so that numbers
 * can be used where they lie. Who reads knows what was written. */
#ifndef HD_PARCEL_H
#define HD_PARCEL_H

#include "trace/bug.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct hd_parcel {
    char *at;
    uint32_t used; /* written, or read, so far */
    uint32_t room; /* bytes that there may be, or that there are */
    bool full;     /* something did not fit: what is in it is of no use */
};

/* `size` bytes to be filled in; NULL: there is no room. */
static inline void *hd_parcel_take(struct hd_parcel *self, uint32_t size) {
    uint32_t whole = (size + 3) & ~3u;
    if (whole > self->room - self->used) {
        self->full = true;
        return NULL;
    }
    void *at = self->at + self->used;
    if (whole != size) memset((char *)at + size, 0, whole - size);
    self->used += whole;
    return at;
}

static inline void hd_parcel_put(struct hd_parcel *self, const void *data, uint32_t size) {
    void *at = hd_parcel_take(self, size);
    if (at) memcpy(at, data, size);
}

static inline void hd_parcel_number(struct hd_parcel *self, uint32_t number) {
    hd_parcel_put(self, &number, sizeof number);
}

/* The next `size` bytes, where they lie. */
static inline void *hd_parcel_next(struct hd_parcel *self, uint32_t size) {
    uint32_t whole = (size + 3) & ~3u;
    HD_BUG_ON(whole > self->room - self->used, "a parcel of %u bytes ends before %u", self->room,
              self->used + whole);
    void *at = self->at + self->used;
    self->used += whole;
    return at;
}

static inline void hd_parcel_get(struct hd_parcel *self, void *data, uint32_t size) {
    memcpy(data, hd_parcel_next(self, size), size);
}

static inline uint32_t hd_parcel_get_number(struct hd_parcel *self) {
    uint32_t number;
    hd_parcel_get(self, &number, sizeof number);
    return number;
}

#endif
