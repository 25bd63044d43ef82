/* schedule_json.c - schedules as JSON: {"choices": [["0.1", 12], ...], "values": [...]}.
 */
#include "part_json.h"

#include <stdlib.h>
#include <string.h>

json_t *hd_schedule_to_json(const struct hd_schedule *schedule) {
    json_t *object = json_object(), *choices = json_array(), *values = json_array();
    for (size_t i = 0; i < schedule->step_count; i++) {
        const struct hd_schedule_step *step = &schedule->steps[i];
        json_array_append_new(choices,
                              json_pack("[s, I]", schedule->threads[step->thread],
                                        (json_int_t)step->events));
    }
    for (size_t i = 0; i < schedule->value_count; i++) {
        json_array_append_new(values, json_integer((json_int_t)schedule->values[i]));
    }
    int rc = json_object_set_new(object, "choices", choices);
    rc |= json_object_set_new(object, "values", values);
    bool whole = rc == 0 && json_array_size(choices) == schedule->step_count &&
                 json_array_size(values) == schedule->value_count;
    if (whole) return object;
    json_decref(object);
    return NULL;
}

static int read_choice(struct hd_schedule *schedule, const json_t *choice,
                       const struct hd_json_place *place, struct hd_error *err) {
    if (!json_is_array(choice) || json_array_size(choice) != 2) {
        return hd_json_refuse(place, err,
                              "expected a pair of thread and number of events");
    }
    const json_t *thread = json_array_get(choice, 0), *events = json_array_get(choice, 1);
    struct hd_json_place first = {place, NULL, 0}, second = {place, NULL, 1};
    if (!json_is_string(thread)) {
        return hd_json_refuse(&first, err, "expected a thread's name, found %s",
                              hd_json_type_name(thread));
    }
    if (!json_is_integer(events) || json_integer_value(events) < 1) {
        return hd_json_refuse(&second, err, "expected a number of events of at least 1");
    }
    const char *name = json_string_value(thread);
    struct hd_error why = {.place = 0};
    if (hd_schedule_step(schedule, name, (uint64_t)json_integer_value(events), &why) <
        0) {
        return hd_json_refuse(&first, err, "%s", why.text);
    }
    return 0;
}

static int read_values(struct hd_schedule *schedule, const json_t *values,
                       const struct hd_json_place *place, struct hd_error *err) {
    if (!json_is_array(values)) {
        return hd_json_refuse(place, err, "expected an array, found %s",
                              hd_json_type_name(values));
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        const json_t *value = json_array_get(values, i);
        struct hd_json_place here = {place, NULL, i};
        if (!json_is_integer(value) || json_integer_value(value) < 0) {
            return hd_json_refuse(&here, err, "expected a number of at least 0");
        }
        struct hd_error why = {.place = 0};
        if (hd_schedule_value(schedule, (uint64_t)json_integer_value(value), &why) < 0) {
            return hd_json_refuse(&here, err, "%s", why.text);
        }
    }
    return 0;
}

static int read_schedule(struct hd_schedule *schedule, const json_t *object,
                         const struct hd_json_place *place, struct hd_error *err) {
    const char *key;
    json_t *member;
    if (!json_is_object(object)) {
        return hd_json_refuse(place, err, "expected a schedule, found %s",
                              hd_json_type_name(object));
    }
    json_object_foreach((json_t *)object, key, member) {
        if (strcmp(key, "choices") != 0 && strcmp(key, "values") != 0) {
            return hd_json_refuse(
                place, err, "a schedule has choices and values, not \"%.40s\"", key);
        }
    }
    const json_t *choices = json_object_get(object, "choices");
    const json_t *values = json_object_get(object, "values");
    struct hd_json_place at_choices = {place, "choices", 0},
                         at_values = {place, "values", 0};
    if (!json_is_array(choices)) {
        return hd_json_refuse(&at_choices, err, "expected an array, found %s",
                              hd_json_type_name(choices));
    }
    for (size_t i = 0; i < json_array_size(choices); i++) {
        struct hd_json_place here = {&at_choices, NULL, i};
        if (read_choice(schedule, json_array_get(choices, i), &here, err) < 0) return -1;
    }
    return values ? read_values(schedule, values, &at_values, err) : 0;
}

struct hd_schedule *hd_schedule_from_json(const json_t *object,
                                          const struct hd_json_place *place,
                                          struct hd_error *err) {
    struct hd_schedule *schedule = hd_schedule_new();
    if (!schedule) {
        hd_json_refuse(place, err, "out of memory");
        return NULL;
    }
    if (read_schedule(schedule, object, place, err) < 0) {
        hd_schedule_free(schedule);
        return NULL;
    }
    return schedule;
}

struct hd_schedule *hd_schedule_parse_json(const char *text, size_t size,
                                           const char *path, struct hd_error *err) {
    json_t *object = hd_json_parse(text, size, path, err);
    if (!object) return NULL;
    struct hd_json_place top = {NULL, path, 0};
    struct hd_schedule *schedule = hd_schedule_from_json(object, &top, err);
    json_decref(object);
    return schedule;
}

int hd_schedule_write_json(const struct hd_schedule *schedule, const char *path,
                           struct hd_error *err) {
    json_t *object = hd_schedule_to_json(schedule);
    int rc = hd_json_save(object, path, err);
    json_decref(object);
    return rc;
}
