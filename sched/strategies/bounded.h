/* bounded.h - bounded search: what its files share. See bounded.c. */
#ifndef HD_BOUNDED_H
#define HD_BOUNDED_H

#include "sched/parcel.h"
#include "sched/runtime.h"

struct hd_item { /* a schedule: another one up to a point, and one difference there */
    uint32_t parent; /* item + 1; 0: the first schedule */
    uint32_t point;
    uint32_t alternative;
};

struct hd_items { /* to be run, latest first */
    uint32_t *at;
    uint32_t count, room;
};

struct hd_difference {
    uint32_t point, alternative;
};

#define HD_BOUNDED_MOST (1u << 26) /* schedules that are kept in mind */
#define HD_STRETCHES 256

/* Items of the present round that another process runs: those from `low` up to
 * `high` of the list. */
struct hd_stretch {
    uint32_t low, high, id;
};

struct hd_bounded {
    uint32_t bound, level; /* preemptions allowed; of the present round */
    struct hd_item *items;
    uint32_t count, room;
    struct hd_items now, next;
    /* this run */
    uint32_t item;         /* + 1; 0: the first */
    struct hd_difference *path;
    uint32_t path_count, path_room, path_at;
    uint32_t point;        /* how many have come */
    int last;              /* who did the last operation */
    bool starts;           /* or was let start, and has not come to one yet */
    uint16_t order[65536]; /* of alternatives at a point */
    bool begun;
    uint32_t shown;
    /* several processes: bounded_share.c */
    struct hd_stretch given[HD_STRETCHES]; /* lowest first */
    uint32_t given_count;
    uint32_t taking;       /* what another process did is being taken; 0: nothing is */
    uint32_t low;          /* ... from here on in the list */
    bool there;            /* this is a worker: only what it was given is run */
};

struct hd_bounded *hd_bounded_self(void);
uint32_t hd_bounded_item(struct hd_bounded *self, uint32_t parent, uint32_t point,
                         uint32_t alternative);
void hd_bounded_list(struct hd_items *list, uint32_t item);
/* The differences of the schedule self->item. */
void hd_bounded_path(struct hd_bounded *self);
/* At this point there were so many alternatives, the first `free` of them without a
 * preemption more: they are to be tried. */
void hd_bounded_found(struct hd_bounded *self, uint32_t point, uint32_t alternatives,
                      uint32_t free);

/* bounded_share.c: was the schedule that is now to be run, the last of the list,
 * done already? Then, when it has been taken from there, what it found. */
bool hd_bounded_done_ahead(struct hd_bounded *self, struct hd_parcel *own);
void hd_bounded_take(struct hd_bounded *self, struct hd_parcel *own);
/* For who gave this work: what a run found. */
void hd_bounded_write_down(uint32_t point, uint32_t alternatives, uint32_t free);
extern const struct hd_share_ops hd_bounded_share;

#endif
