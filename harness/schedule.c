/* schedule.c - building a schedule, and its plain form. */
#include "schedule.h"

#include "file.h"
#include "option.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct hd_schedule *hd_schedule_new(void) {
    return calloc(1, sizeof(struct hd_schedule));
}

void hd_schedule_free(struct hd_schedule *schedule) {
    if (!schedule) return;
    for (uint32_t i = 0; i < schedule->thread_count; i++)
        free(schedule->threads[i]);
    free(schedule->threads);
    free(schedule->name_slots);
    free(schedule->steps);
    free(schedule->values);
    free(schedule);
}

int hd_thread_name_valid(const char *name) {
    if (name[0] != '0') return 0;
    size_t at = 1;
    while (name[at] == '.') {
        size_t digits = strspn(name + at + 1, "0123456789");
        if (digits == 0 || digits > 9 || name[at + 1] == '0') return 0;
        at += 1 + digits;
        if (at > HD_THREAD_NAME) return 0;
    }
    return name[at] == '\0';
}

static bool fit(void **array, size_t *room, size_t used, size_t size) {
    if (used < *room) return true;
    size_t more = *room ? *room * 2 : 16;
    void *larger = reallocarray(*array, more, size);
    if (!larger) return false;
    *array = larger;
    *room = more;
    return true;
}

static uint32_t hash(const char *text) {
    uint32_t value = 2166136261u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 16777619u;
    return value;
}

/* Slots hold index + 1, 0 is free; never more than half are taken. */
static bool names_grow(struct hd_schedule *self) {
    uint32_t count = self->name_slot_count ? self->name_slot_count * 2 : 32;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < self->thread_count; i++) {
        uint32_t at = hash(self->threads[i]) & (count - 1);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = i + 1;
    }
    free(self->name_slots);
    self->name_slots = slots;
    self->name_slot_count = count;
    return true;
}

static bool intern(struct hd_schedule *self, const char *name, uint32_t *out) {
    if (self->thread_count * 2 >= self->name_slot_count && !names_grow(self))
        return false;
    uint32_t mask = self->name_slot_count - 1, at = hash(name) & mask;
    for (; self->name_slots[at]; at = (at + 1) & mask) {
        *out = self->name_slots[at] - 1;
        if (strcmp(self->threads[*out], name) == 0) return true;
    }
    size_t room = self->thread_room;
    void *threads = self->threads;
    if (!fit(&threads, &room, self->thread_count, sizeof *self->threads)) return false;
    self->threads = threads;
    self->thread_room = (uint32_t)room;
    char *copy = strdup(name);
    if (!copy) return false;
    *out = self->thread_count++;
    self->threads[*out] = copy;
    self->name_slots[at] = *out + 1;
    return true;
}

int hd_schedule_step(struct hd_schedule *self, const char *thread, uint64_t events,
                     struct hd_error *err) {
    uint32_t id;
    if (!hd_thread_name_valid(thread)) {
        hd_fail(err, 0, "expected a thread (0, 0.2, 0.2.1), found %.40s", thread);
        return -1;
    }
    if (events == 0 || events > INT64_MAX) {
        hd_fail(err, 0, "expected a number of events of at least 1");
        return -1;
    }
    if (!intern(self, thread, &id)) goto full;
    if (self->step_count) {
        struct hd_schedule_step *last = &self->steps[self->step_count - 1];
        if (last->thread == id) {
            if (__builtin_add_overflow(last->events, events, &events) ||
                events > INT64_MAX) {
                hd_fail(err, 0, "more events than there can be");
                return -1;
            }
            last->events = events;
            return 0;
        }
    }
    void *steps = self->steps;
    if (!fit(&steps, &self->step_room, self->step_count, sizeof *self->steps)) goto full;
    self->steps = steps;
    self->steps[self->step_count++] = (struct hd_schedule_step){id, events};
    return 0;

full:
    hd_fail(err, 0, "out of memory");
    return -1;
}

int hd_schedule_value(struct hd_schedule *self, uint64_t value, struct hd_error *err) {
    void *values = self->values;
    if (value > INT64_MAX) {
        hd_fail(err, 0, "expected an answer of at least 0");
        return -1;
    }
    if (!fit(&values, &self->value_room, self->value_count, sizeof *self->values)) {
        hd_fail(err, 0, "out of memory");
        return -1;
    }
    self->values = values;
    self->values[self->value_count++] = value;
    return 0;
}

/* One line: `NAME COUNT` or `value N`. */
static int plain_line(struct hd_schedule *self, char *line, struct hd_error *err) {
    uint64_t number;
    char *blank = strchr(line, ' ');
    if (!blank || !hd_number_read(blank + 1, &number)) {
        hd_fail(err, 0,
                "expected a thread and a number, or value and a number, found %.40s",
                line);
        return -1;
    }
    *blank = '\0';
    if (strcmp(line, "value") == 0) return hd_schedule_value(self, number, err);
    if (self->value_count) {
        hd_fail(err, 0, "a thread after the first value");
        return -1;
    }
    return hd_schedule_step(self, line, number, err);
}

struct hd_schedule *hd_schedule_parse_plain(char *text, size_t size, const char *path,
                                            struct hd_error *err) {
    struct hd_schedule *self = hd_schedule_new();
    struct hd_error why = {.place = 0};
    uint64_t number = 0;
    if (!self) {
        hd_fail(err, 0, "%s: out of memory", path);
        return NULL;
    }
    for (char *line = text, *end = text + size; line < end;) {
        char *stop = memchr(line, '\n', (size_t)(end - line));
        number++;
        if (!stop) {
            hd_fail(&why, 0, "the last line is cut short");
        } else if (memchr(line, '\0', (size_t)(stop - line))) {
            hd_fail(&why, 0, "a zero byte");
        } else {
            *stop = '\0';
            plain_line(self, line, &why);
            line = stop + 1;
        }
        if (why.text[0]) {
            hd_fail(err, number, "%s:%" PRIu64 ": %s", path, number, why.text);
            hd_schedule_free(self);
            return NULL;
        }
    }
    return self;
}

struct hd_schedule *hd_schedule_open(const char *path, struct hd_error *err) {
    size_t size;
    char *text = hd_file_read(path, HD_SCHEDULE_BYTES, &size, err);
    if (!text) return NULL;
    size_t blank = strspn(text, " \t\r\n");
    /* Neither form starts otherwise; junk is told so without being quoted. */
    bool json = text[blank] == '{', plain = text[0] == '0' || !strncmp(text, "value ", 6);
    struct hd_schedule *schedule = NULL;
    if (json) {
        schedule = hd_schedule_parse_json(text, size, path, err);
    } else if (plain) {
        schedule = hd_schedule_parse_plain(text, size, path, err);
    } else {
        hd_fail(err, 1,
                "%s:1: not a schedule; expected {\"choices\": [[\"0.1\", 12], ...]}",
                path);
    }
    free(text);
    return schedule;
}

int hd_schedule_write_plain(const struct hd_schedule *self, const char *path,
                            struct hd_error *err) {
    struct hd_file file;
    if (hd_file_create(&file, path, err) < 0) return -1;
    for (size_t i = 0; i < self->step_count; i++) {
        fprintf(file.stream, "%s %" PRIu64 "\n", self->threads[self->steps[i].thread],
                self->steps[i].events);
    }
    for (size_t i = 0; i < self->value_count; i++) {
        fprintf(file.stream, "value %" PRIu64 "\n", self->values[i]);
    }
    return hd_file_commit(&file, err);
}

struct hd_schedule *hd_schedule_copy(const struct hd_schedule *from) {
    struct hd_schedule *to = hd_schedule_new();
    for (size_t i = 0; to && i < from->step_count; i++) {
        hd_schedule_step(to, from->threads[from->steps[i].thread], from->steps[i].events, NULL);
    }
    for (size_t i = 0; to && i < from->value_count; i++) {
        hd_schedule_value(to, from->values[i], NULL);
    }
    return to;
}
