/* settings.c - reading a list of checkers with their switches. */
#include "checkers/settings.h"

#include "sched/trace/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int switch_index(const struct hd_checker_ops *ops, const char *name, size_t length) {
    for (int i = 0; ops->switches && ops->switches[i].name; i++) {
        if (strlen(ops->switches[i].name) == length &&
            !memcmp(ops->switches[i].name, name, length)) {
            return i;
        }
    }
    return -1;
}

static bool allowed(const char *values, const char *value, size_t length) {
    if (!strcmp(values, "N")) {
        return length && length < 19 && strspn(value, "0123456789") >= length;
    }
    for (const char *at = values; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        if (strcspn(at, "|") == length && !memcmp(at, value, length)) {
            return true;
        }
    }
    return false;
}

/* The names of all checkers or of all switches of one, for a message. */
static void names(const struct hd_checker_ops *ops, char *out, size_t size) {
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0;; i++) {
        const char *name = ops ? (ops->switches ? ops->switches[i].name : NULL)
                               : (hd_checkers[i] ? hd_checkers[i]->name : NULL);
        if (!name || at + strlen(name) + 3 > size) {
            return;
        }
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", name);
    }
}

static int read_switch(struct hd_settings *settings, const char *text, size_t length,
                       struct hd_error *err) {
    const struct hd_checker_ops *ops = settings->ops;
    const char *equals = memchr(text, '=', length);
    char there[256];
    if (!equals) {
        hd_fail(err, 0, "--checkers: %s:%.*s: expected switch=value", ops->name, (int)length,
                text);
        return -1;
    }
    size_t name = (size_t)(equals - text), value = length - name - 1;
    int index = switch_index(ops, text, name);
    if (index < 0) {
        names(ops, there, sizeof there);
        hd_fail(err, 0, "--checkers: %s has no switch %.*s; %s%s", ops->name, (int)name, text,
                *there ? "there are " : "it has none", there);
        return -1;
    }
    HD_BUG_ON(index >= HD_SWITCHES_MOST, "%s has too many switches", ops->name);
    const struct hd_switch *s = &ops->switches[index];
    if (value >= sizeof settings->values[0] || !allowed(s->values, equals + 1, value)) {
        hd_fail(err, 0, "--checkers: %s:%.*s: expected %s", ops->name, (int)length, text,
                strcmp(s->values, "N") ? s->values : "a number");
        return -1;
    }
    memcpy(settings->values[index], equals + 1, value);
    settings->values[index][value] = '\0';
    return 0;
}

static int read_word(const char *text, size_t length, char before, struct hd_settings *out,
                     int count, struct hd_error *err) {
    bool is_switch = before == ':' || (count && memchr(text, '=', length));
    if (is_switch) {
        return read_switch(&out[count - 1], text, length, err) < 0 ? -1 : count;
    }
    const struct hd_checker_ops *ops = hd_checker_find(text, length);
    if (!ops) {
        char there[256];
        names(NULL, there, sizeof there);
        hd_fail(err, 0, "--checkers %.*s: no such checker; there are %s", (int)length, text,
                there);
        return -1;
    }
    if (count == HD_CHECKERS_MOST) {
        hd_fail(err, 0, "--checkers: more than %d", HD_CHECKERS_MOST);
        return -1;
    }
    memset(&out[count], 0, sizeof out[count]);
    out[count].ops = ops;
    return count + 1;
}

int hd_settings_parse(const char *list, struct hd_settings *out, struct hd_error *err) {
    int count = 0;
    if (!list) {
        for (; hd_checkers[count]; count++) {
            memset(&out[count], 0, sizeof out[count]);
            out[count].ops = hd_checkers[count];
        }
        return count;
    }
    char before = ',';
    for (const char *at = list;;) {
        size_t length = strcspn(at, ",:");
        count = read_word(at, length, before, out, count, err);
        if (count < 0) {
            return -1;
        }
        before = at[length];
        if (!before) {
            return count;
        }
        at += length + 1;
    }
}

const char *hd_setting(const struct hd_settings *settings, const char *name) {
    int index = switch_index(settings->ops, name, strlen(name));
    HD_BUG_ON(index < 0, "%s asks for its switch %s, which it does not have",
              settings->ops->name, name);
    if (settings->values[index][0]) {
        return settings->values[index];
    }
    const struct hd_switch *s = &settings->ops->switches[index];
    return s->fallback ? s->fallback : s->values;
}

bool hd_setting_is(const struct hd_settings *settings, const char *name, const char *value) {
    const char *chosen = hd_setting(settings, name);
    size_t length = strcspn(chosen, "|"); /* a default is the first of a list */
    return strlen(value) == length && !memcmp(chosen, value, length);
}

uint64_t hd_setting_number(const struct hd_settings *settings, const char *name) {
    return strtoull(hd_setting(settings, name), NULL, 10);
}
