/* goal.c - reading a goal and keeping count of it. See goal.h. */
#include "goal.h"

#include "sched/module.h"
#include "sched/runtime.h"
#include "sched/trace/event.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *word(char **text) {
    while (**text == ' ' || **text == '\t') ++*text;
    char *from = *text;
    while (**text && **text != ' ' && **text != '\t') ++*text;
    if (**text) *(*text)++ = '\0';
    return from;
}

/* "prog+0x11d6", "+0x11d6", "0x11d6", "11d6": the return address of the call. */
static uintptr_t site(char *text) {
    char *plus = strrchr(text, '+');
    char *digits = plus ? plus + 1 : text, *end;
    uintptr_t offset = strtoull(digits, &end, 16);
    if (*digits == '\0' || *end) return 0;
    if (plus) *plus = '\0';
    for (int i = 0; i < hd_module_count(); i++) {
        const struct hd_module_map *map = hd_module_at(i);
        const char *tail = strrchr(map->path, '/');
        if (!plus || plus == text || strcmp(tail ? tail + 1 : map->path, text) == 0) {
            return map->base + offset + 1;
        }
    }
    return 0;
}

static bool point(struct hd_goal_point *self, char **text) {
    const char *thread = word(text);
    self->pc = site(word(text));
    const char *instance = word(text);
    char *end;
    self->instance = strtoull(instance, &end, 10);
    if (thread[0] != '0' || strlen(thread) >= sizeof self->thread) return false;
    memcpy(self->thread, thread, strlen(thread) + 1);
    return self->pc && *instance && !*end && self->instance > 0;
}

static bool rule(struct hd_goal_rule *self, char *text) {
    if (strcmp(word(&text), "hold") != 0 || !point(&self->held, &text)) return false;
    if (strcmp(word(&text), "until") != 0 || !point(&self->until, &text)) return false;
    const char *rest = word(&text);
    self->stands = strcmp(rest, "stands") == 0;
    return (self->stands || *rest == '\0') && *word(&text) == '\0';
}

static void add_place(struct hd_goals *self, uintptr_t pc) {
    uint32_t at = self->place_count;
    while (at > 0 && self->places[at - 1] > pc) at--;
    if (at > 0 && self->places[at - 1] == pc) return;
    memmove(self->places + at + 1, self->places + at, (self->place_count - at) * sizeof pc);
    self->places[at] = pc;
    self->place_count++;
}

bool hd_goal_names(const struct hd_goals *self, uintptr_t pc) {
    uint32_t low = 0, high = self->place_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (self->places[middle] == pc) return true;
        if (self->places[middle] < pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

static char *read_text(const char *path) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size > 1 << 24) {
        if (fd >= 0) close(fd);
        return NULL;
    }
    char *text = hd_lasting((size_t)info.st_size + 1);
    ssize_t n = read(fd, text, (size_t)info.st_size);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

int hd_goal_read(struct hd_goals *self, const char *path, char *why, size_t size) {
    char *text = read_text(path);
    if (!text) {
        snprintf(why, size, "cannot read %s", path);
        return -1;
    }
    uint32_t room = 1;
    unsigned line = 0;
    for (const char *c = text; *c; c++) room += *c == '\n';
    struct hd_goal_rule *rules = hd_lasting(room * sizeof *rules);
    *self = (struct hd_goals){.list = hd_lasting((room + 1) * sizeof *self->list),
                              .count = 1,
                              .places = hd_lasting(2 * room * sizeof *self->places)};
    self->list[0].rules = rules;
    for (char *next; *text; text = next) {
        line++;
        next = text + strcspn(text, "\n");
        if (*next) *next++ = '\0';
        const char *word = text;
        while (*word == ' ' || *word == '\t') word++;
        if (*word == '\0' || *word == '#') continue;
        struct hd_goal *goal = &self->list[self->count - 1];
        if (strcmp(word, "goal") == 0) {
            self->several = true;
            if (goal->count) self->list[self->count++].rules = rules;
            continue;
        }
        bool path_given = strchr(text, '/') != NULL;
        if (!rule(rules, text)) {
            if (path_given) {
                snprintf(why, size, "%s:%u: a place is NAME+OFFSET, with the name of the program or "
                                    "library and no path", path, line);
                return -1;
            }
            snprintf(why, size,
                     "%s:%u: expected \"hold THREAD SITE INSTANCE until THREAD SITE INSTANCE\"",
                     path, line);
            return -1;
        }
        add_place(self, rules->held.pc);
        add_place(self, rules->until.pc);
        rules++;
        goal->count++;
    }
    if (self->place_count == 0) {
        snprintf(why, size, "%s: there is no goal in it", path);
        return -1;
    }
    return 0;
}

void hd_goal_begin(struct hd_goal *self) {
    for (uint32_t i = 0; i < self->count; i++) {
        struct hd_goal_rule *each = &self->rules[i];
        each->held.passed = each->until.passed = 0;
        each->held.id = each->until.id = -1;
        each->let_go = false;
    }
}

void hd_goal_born(struct hd_goal *self, const struct hd_thread *thread) {
    char name[256];
    hd_thread_name(thread, name, sizeof name);
    for (uint32_t i = 0; i < self->count; i++) {
        struct hd_goal_rule *each = &self->rules[i];
        if (strcmp(each->held.thread, name) == 0) each->held.id = thread->id;
        if (strcmp(each->until.thread, name) == 0) each->until.id = thread->id;
    }
}

void hd_goal_passed(struct hd_goal *self, const struct hd_thread *thread) {
    for (uint32_t i = 0; i < self->count; i++) {
        struct hd_goal_point *held = &self->rules[i].held, *until = &self->rules[i].until;
        uintptr_t pc = (uintptr_t)thread->op.pc;
        if (held->id == thread->id && held->pc == pc) held->passed++;
        if (until->id == thread->id && until->pc == pc) until->passed++;
    }
}

/* It has come there, and not gone past. */
static bool stands(const struct hd_goal_point *self) {
    if (self->id < 0 || self->passed + 1 != self->instance) return false;
    const struct hd_thread *thread = hd_rt->threads[self->id];
    return thread->op.kind != HD_NONE && (uintptr_t)thread->op.pc == self->pc;
}

static void come(struct hd_goal_point *self) {
    uint64_t came = self->passed + stands(self);
    self->born = self->born || self->id >= 0;
    if (came > self->most) self->most = came;
}

void hd_goal_end(struct hd_goal *self) {
    for (uint32_t i = 0; i < self->count; i++) {
        come(&self->rules[i].held);
        come(&self->rules[i].until);
    }
}

static void tell(const struct hd_goal_point *self) {
    char where[300];
    hd_describe_pc((void *)self->pc, where, sizeof where);
    if (!self->born) hd_note("goal: there was never a thread %s", self->thread);
    else if (self->most == 0) hd_note("goal: thread %s never reached %s", self->thread, where);
    else if (self->most < self->instance) {
        hd_note("goal: thread %s reached %s %lu time%s at most, never for the %luth time", self->thread,
                where, self->most, self->most == 1 ? "" : "s", self->instance);
    }
}

void hd_goal_tell(const struct hd_goal *self) {
    for (uint32_t i = 0; i < self->count; i++) {
        tell(&self->rules[i].held);
        tell(&self->rules[i].until);
    }
}

static bool reached(const struct hd_goal_rule *self) {
    return self->until.passed >= self->until.instance || (self->stands && stands(&self->until));
}

bool hd_goal_kept(const struct hd_goal *self) {
    for (uint32_t i = 0; i < self->count; i++) {
        const struct hd_goal_rule *each = &self->rules[i];
        if (each->let_go || !reached(each) || each->held.passed < each->held.instance) return false;
    }
    return true;
}

static bool active(const struct hd_goal_rule *self) {
    return !self->let_go && stands(&self->held) && !reached(self);
}

static bool holds(const struct hd_goal_rule *self, const struct hd_thread *thread) {
    return self->held.id == thread->id && active(self);
}

bool hd_goal_holds(const struct hd_goal *self, const struct hd_thread *thread) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (holds(&self->rules[i], thread)) return true;
    }
    return false;
}

void hd_goal_let_go(struct hd_goal *self, const struct hd_thread *thread) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (holds(&self->rules[i], thread)) self->rules[i].let_go = true;
    }
}

int hd_goal_next(const struct hd_goal *self, bool now, uint32_t *at) {
    while (*at < self->count) {
        const struct hd_goal_rule *each = &self->rules[(*at)++];
        if (each->let_go || reached(each) || (now && !active(each))) continue;
        if (each->until.id >= 0) return each->until.id;
    }
    return -1;
}
