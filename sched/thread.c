/* thread.c - the thread table: birth, names, clock slots. */
#include "class.h"
#include "runtime.h"
#include "shadow.h"

#include "trace/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A component of clocks: one whose last thread's end the parent has seen, else
 * a new one. Looking at a few is enough, from the one that was found last: a
 * program that creates and joins in turn frees the same ones again and again. */
static uint32_t slot_for(const struct hd_thread *parent) {
    uint32_t look = hd_rt->slot_count < 64 ? hd_rt->slot_count : 64;
    if (!parent || hd_rt->finished_count == 0) look = 0;
    for (uint32_t i = 0; i < look; i++) {
        uint32_t slot = (hd_rt->slot_found + i) % hd_rt->slot_count;
        const struct hd_thread *former = hd_rt->threads[hd_rt->slot_owner[slot]];
        if (former->state == HD_THREAD_FINISHED &&
            hd_clock_get(&parent->clock, slot) >= former->epoch) {
            return hd_rt->slot_found = slot;
        }
    }
    return hd_rt->slot_found = hd_rt->slot_count++;
}

struct hd_call *hd_calls_room(uint32_t room) {
    struct hd_call *calls = hd_passing_as_it_is((room + 1UL) * sizeof *calls);
    calls->sp = UINTPTR_MAX;
    return calls + 1;
}

struct hd_thread *hd_thread_new(struct hd_thread *parent, void *(*entry)(void *),
                                void *argument, size_t stack_size) {
    if (hd_rt->thread_count == HD_HOMES) return NULL;
    struct hd_thread *self = hd_passing(sizeof *self);
    self->id = (uint16_t)hd_rt->thread_count;
    self->parent = parent ? parent->id : 0;
    self->nth = parent ? parent->children + 1 : 0;
    int home = parent ? hd_home_of(parent->home, self->nth) : 0;
    if (home < 0) return NULL;
    self->home = (uint32_t)home;
    if (hd_stack_get(self, stack_size) < 0) return NULL;
    if (parent) parent->children++;

    self->slot = (uint16_t)slot_for(parent);
    self->slots = self->slot * 0x10001u;
    if (parent) {
        hd_clock_copy(&self->clock, &parent->clock);
        self->hash = hd_mix(parent->hash, self->nth);
        parent->writes++;
    }
    self->epoch = hd_clock_get(&self->clock, self->slot) + 1;
    hd_clock_set(&self->clock, self->slot, self->epoch);
    hd_rt->slot_owner[self->slot] = self->id;

    self->calls_room = 64;
    self->calls = hd_calls_room(self->calls_room);
    self->limit = UINT64_MAX;
    self->deadline = HD_NEVER;
    self->entry = entry;
    self->argument = argument;
    self->end.key = (uintptr_t)self->tp;
    self->op.kind = HD_START;
    hd_rt->threads[hd_rt->thread_count++] = self;
    return self;
}

char *hd_thread_name(const struct hd_thread *thread, char *buffer, size_t size) {
    uint32_t path[64];
    int depth = 0;
    while (thread->id != 0 && depth < 64) {
        path[depth++] = thread->nth;
        thread = hd_rt->threads[thread->parent];
    }
    size_t used = (size_t)snprintf(buffer, size, "0");
    while (depth > 0 && used < size) {
        used += (size_t)snprintf(buffer + used, size - used, ".%u", path[--depth]);
    }
    return buffer;
}

struct hd_thread *hd_thread_find(const char *name) {
    char each[256];
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (strcmp(hd_thread_name(hd_rt->threads[i], each, sizeof each), name) == 0) {
            return hd_rt->threads[i];
        }
    }
    return NULL;
}
