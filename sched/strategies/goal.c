/* goal.c - reading a goal and keeping count of it. See goal.h. */
#include "goal.h"

#include "sched/module.h"
#include "sched/runtime.h"

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
    return *word(&text) == '\0';
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

int hd_goal_read(struct hd_goal *self, const char *path, char *why, size_t size) {
    char *text = read_text(path);
    if (!text) {
        snprintf(why, size, "cannot read %s", path);
        return -1;
    }
    uint32_t room = 1;
    unsigned line = 0;
    for (const char *c = text; *c; c++) room += *c == '\n';
    self->rules = hd_lasting(room * sizeof *self->rules);
    self->count = 0;
    for (char *next; *text; text = next) {
        line++;
        next = text + strcspn(text, "\n");
        if (*next) *next++ = '\0';
        const char *word = text;
        while (*word == ' ' || *word == '\t') word++;
        if (*word == '\0' || *word == '#') continue;
        if (!rule(&self->rules[self->count], text)) {
            snprintf(why, size,
                     "%s:%u: expected \"hold THREAD SITE INSTANCE until THREAD SITE INSTANCE\"",
                     path, line);
            return -1;
        }
        self->count++;
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

static bool holds(const struct hd_goal_rule *self, const struct hd_thread *thread) {
    return !self->let_go && self->held.id == thread->id &&
           self->held.pc == (uintptr_t)thread->op.pc &&
           self->held.passed + 1 == self->held.instance &&
           self->until.passed < self->until.instance;
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
