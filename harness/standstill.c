/* standstill.c - see standstill.h. */
#include "standstill.h"

#include <stdio.h>
#include <string.h>

#define WAITS 64 /* a message has room for fewer */

struct word {
    const char *at;
    size_t length;
};

struct wait {
    struct word thread;
    const char *text, *end; /* the rest of its part of the message */
    bool on_path;
};

struct looking {
    const struct hd_circle *circle;
    struct wait waits[WAITS];
    uint32_t count;
    const struct wait *path[WAITS];
};

static const char *find(const char *at, const char *end, const char *what) {
    const char *found = strstr(at, what);
    return found && found + strlen(what) <= end ? found : NULL;
}

static struct word word_at(const char *at) { return (struct word){at, strcspn(at, " ,;")}; }

static bool same(struct word a, struct word b) {
    return a.length == b.length && strncmp(a.at, b.at, a.length) == 0;
}

static void split(struct looking *self, const char *message) {
    static const char begin[] = "thread ", between[] = "; thread ";
    const char *at = strncmp(message, begin, strlen(begin)) == 0 ? message + strlen(begin) : NULL;
    while (at && self->count < WAITS) {
        const char *next = strstr(at, between);
        struct word thread = word_at(at);
        const char *end = next ? next : at + strlen(at);
        self->waits[self->count++] = (struct wait){thread, thread.at + thread.length, end, false};
        at = next ? next + strlen(between) : NULL;
    }
}

static bool joins(const struct wait *wait) {
    return strncmp(wait->text, " joins ", strlen(" joins ")) == 0;
}

static bool waits_for(const struct wait *wait, const char *lock) {
    char pattern[160];
    snprintf(pattern, sizeof pattern, " %s at ", lock);
    return find(wait->text, wait->end, pattern) != NULL;
}

static bool is_it(const struct looking *self, uint32_t length) {
    const struct hd_circle *circle = self->circle;
    bool joined = !circle->joins, all = true;
    for (uint32_t i = 0; i < length; i++) joined = joined || joins(self->path[i]);
    for (uint32_t k = 0; k < circle->lock_count && all; k++) {
        all = false;
        for (uint32_t i = 0; i < length; i++) all = all || waits_for(self->path[i], circle->locks[k]);
    }
    return joined && all;
}

/* From the last of the path to those whom it waits for; does a circle of that kind close? */
static bool follow(struct looking *self, uint32_t length) {
    static const char held[] = "by thread ", joined[] = "joins thread ";
    const struct wait *last = self->path[length - 1];
    const char *what = joins(last) ? joined : held;
    for (const char *at = last->text; (at = find(at, last->end, what)) != NULL;) {
        at += strlen(what);
        struct word next = word_at(at);
        if (same(next, self->path[0]->thread) && is_it(self, length)) return true;
        for (uint32_t i = 0; i < self->count; i++) {
            struct wait *wait = &self->waits[i];
            if (wait->on_path || !same(wait->thread, next)) continue;
            self->path[length] = wait;
            wait->on_path = true;
            bool found = follow(self, length + 1);
            wait->on_path = false;
            if (found) return true;
        }
    }
    return false;
}

/* Somebody waits for that lock, and nobody is said to hold it. */
static bool unowned(const struct looking *self, uint32_t lock) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct wait *wait = &self->waits[i];
        if (waits_for(wait, self->circle->locks[lock]) && !find(wait->text, wait->end, "by thread ")) {
            return true;
        }
    }
    return false;
}

enum hd_standing hd_standstill(const char *message, const struct hd_circle *circle) {
    struct looking self = {.circle = circle};
    bool named = circle->lock_count > 0;
    split(&self, message);
    for (uint32_t i = 0; i < self.count && named; i++) {
        self.path[0] = &self.waits[i];
        self.waits[i].on_path = true;
        if (follow(&self, 1)) return HD_STANDING_SO;
        self.waits[i].on_path = false;
    }
    bool unsure = strstr(message, "; ...") != NULL;
    for (uint32_t k = 0; k < circle->lock_count && named; k++) unsure = unsure || unowned(&self, k);
    return unsure ? HD_STANDING_UNSURE : HD_STANDING_ELSE;
}
