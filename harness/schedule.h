/* schedule.h - who ran for how long, and how every other choice was answered.
 *
 * Two forms: the JSON that people and verdict files hold, and the plain lines
 * that the runtime reads inside the program under test, where there is no
 * JSON parser:
 *
 *     0 5          thread 0 passes five events
 *     0.1 12
 *     value 1      the first answer to a choice that is not about threads
 *
 * Schedules come from files that anybody may have written. A reader accepts
 * exactly what is described here and says at which place it stopped. */
#ifndef HD_SCHEDULE_H
#define HD_SCHEDULE_H

#include "sched/trace/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A schedule file may be this large; a thread's name this long. */
#define HD_SCHEDULE_BYTES ((size_t)512 << 20)
#define HD_THREAD_NAME 255

struct hd_schedule_step {
    uint32_t thread; /* index into `threads` */
    uint64_t events; /* at least 1 */
};

struct hd_schedule {
    char **threads; /* each name once, in the order of first use */
    uint32_t thread_count;
    struct hd_schedule_step *steps;
    size_t step_count;
    uint64_t *values;
    size_t value_count;
    /* room and the index of names: private */
    size_t step_room, value_room;
    uint32_t thread_room, *name_slots, name_slot_count;
};

struct hd_schedule *hd_schedule_new(void); /* NULL: out of memory */
void hd_schedule_free(struct hd_schedule *schedule);
struct hd_schedule *hd_schedule_copy(const struct hd_schedule *from); /* NULL: out of memory */

/* -1 with err: not a thread's name, zero events, no memory. Neighbouring steps
 * of one thread become one. */
int hd_schedule_step(struct hd_schedule *schedule, const char *thread, uint64_t events,
                     struct hd_error *err);
int hd_schedule_value(struct hd_schedule *schedule, uint64_t value, struct hd_error *err);

/* "0", "0.2", "0.2.1": birth names. */
int hd_thread_name_valid(const char *name);

/* Either form, told apart by content. "-": standard input. */
struct hd_schedule *hd_schedule_open(const char *path, struct hd_error *err);

int hd_schedule_write_plain(const struct hd_schedule *schedule, const char *path,
                            struct hd_error *err);
int hd_schedule_write_json(const struct hd_schedule *schedule, const char *path,
                           struct hd_error *err);

/* Text that is already in memory; `path` is for messages. The text is changed. */
struct hd_schedule *hd_schedule_parse_plain(char *text, size_t size, const char *path,
                                            struct hd_error *err);
struct hd_schedule *hd_schedule_parse_json(const char *text, size_t size,
                                           const char *path, struct hd_error *err);

#endif
