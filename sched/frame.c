/* frame.c - the calls whose locals other threads get at.
 *
 * A stack is one object of the trace: the same bytes are one variable after
 * another, and which of them an address was is not to be known at an access
 * without paying for it at every call. What is told instead, when a thread
 * comes to another's stack or a lock lies there, is the call that has these
 * bytes then: where its function is and what its stack and frame pointer were.
 * With the debug information that is enough to name the local (harness/
 * names_frame.c). Memory below a call's frame is an array of variable size or
 * alloca's: there the call's words that point to it are told, one of which is the
 * local by which it goes. Equal calls are told once. */
#include "frame.h"

#include "ids.h"
#include "module.h"
#include "runtime.h"
#include "trace/trace.h"

#include <stdio.h>

#define TOLD 1024 /* at first; a power of two */
#define LOOK 2048 /* bytes of a frame in which a pointer is looked for */

struct told {
    uintptr_t sp; /* of a call; or a word of one */
    const void *pc; /* of it; or what the word points to */
    uint32_t object;
};

struct hd_frame_state {
    struct told *told; /* open addressing; sp 0: free */
    uint32_t room, count;
    uint16_t *thread; /* by home, + 1 */
    uint32_t known;   /* threads entered there */
};

static struct hd_frame_state *self_(void) { return hd_rt->frames; }
#define self (self_())

struct hd_thread *hd_frame_owner(uintptr_t address) {
    uintptr_t home = (address - HD_AT_STACKS) / HD_STACK_STRIDE;
    if (home >= HD_HOMES) return NULL;
    for (; self->known < hd_rt->thread_count; self->known++) {
        self->thread[hd_rt->threads[self->known]->home] = (uint16_t)self->known;
    }
    struct hd_thread *thread = hd_rt->threads[self->thread[home]];
    return thread->home == home ? thread : NULL;
}

static struct told *slot(uintptr_t sp, const void *pc) {
    uint64_t mix = (sp ^ (uintptr_t)pc << 20) * 0x9e3779b97f4a7c15UL;
    uint32_t at = (uint32_t)(mix >> 32) & (self->room - 1);
    while (self->told[at].sp && (self->told[at].sp != sp || self->told[at].pc != pc)) {
        at = (at + 1) & (self->room - 1);
    }
    return &self->told[at];
}

static void grow(void) {
    struct told *old = self->told;
    uint32_t room = self->room;
    self->room = room * 2;
    self->told = hd_own(self->room * sizeof *old);
    for (uint32_t i = 0; i < room; i++) {
        if (old[i].sp) *slot(old[i].sp, old[i].pc) = old[i];
    }
}

/* Where it is told, or is to be told now: then its object is 0. */
static struct told *tell(uintptr_t sp, const void *pc) {
    if (self->count == self->room / 2) grow();
    struct told *at = slot(sp, pc);
    if (!at->sp) self->count++;
    at->sp = sp;
    at->pc = pc;
    return at;
}

static uint32_t tell_call(const struct hd_thread *owner, const struct hd_call *call) {
    struct told *told = tell(call->sp, call->pc);
    if (told->object) return told->object - 1;
    uint32_t same = 0; /* calls of this function around it */
    for (const struct hd_call *i = owner->calls; i < call; i++) same += i->pc == call->pc;
    struct hd_object frame = {.kind = HD_OBJECT_FRAME, .owner = owner->id, .nth = same,
                              .site = hd_ids_site(call->pc), .module = HD_NO_ID,
                              .size = call->fp - hd_call_bottom(call),
                              .address = hd_call_bottom(call) - (uintptr_t)owner->stack_low};
    told->object = hd_ids_object(frame, "") + 1;
    return told->object - 1;
}

/* Words of the call that point to memory below it, up to `address`. */
static void tell_pointers(const struct hd_thread *owner, const struct hd_call *call,
                          uintptr_t low, uintptr_t address) {
    uintptr_t top = (uintptr_t)owner->stack_low + owner->stack_size;
    uintptr_t start = hd_call_bottom(call), end = call > owner->calls ? hd_call_bottom(call - 1) : top;
    if (end - start > LOOK) end = start + LOOK;
    for (uintptr_t at = start; at < end; at += sizeof at) {
        uintptr_t to = *(const uintptr_t *)at;
        if (to <= low || to > address || tell(at, (const void *)to)->object) continue;
        uint32_t frame = tell_call(owner, call);
        struct hd_object array = {.kind = HD_OBJECT_FRAME_ARRAY, .owner = owner->id, .nth = frame,
                                  .site = HD_NO_ID, .module = HD_NO_ID,
                                  .size = to - (uintptr_t)owner->stack_low,
                                  .address = at - (uintptr_t)owner->stack_low};
        tell(at, (const void *)to)->object = hd_ids_object(array, "") + 1;
    }
}

void hd_frame_tell(const struct hd_thread *owner, uintptr_t address) {
    uint32_t at = owner->depth;
    while (at > 0 && hd_call_bottom(&owner->calls[at - 1]) <= address) at--;
    const struct hd_call *call = &owner->calls[at];
    bool innermost = at == owner->depth;
    if (!innermost) tell_call(owner, call);
    /* Below the call that comes before, and above the frame of this one as far as its
     * frame pointer says where that is. */
    if (at > 0 && (innermost || address > call->fp)) {
        tell_pointers(owner, call - 1, innermost ? (uintptr_t)owner->stack_low : call->sp, address);
    }
}

char *hd_frame_describe(uintptr_t address, char *buffer, size_t size) {
    const struct hd_thread *owner = NULL; /* also where nothing is recorded */
    for (uint32_t i = 0; i < hd_rt->thread_count && !owner; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        uintptr_t low = (uintptr_t)thread->stack_low;
        if (address >= low && address < low + thread->stack_size) owner = thread;
    }
    hd_describe_address(address, buffer, size);
    if (!owner || strncmp(buffer, "stack", 5) != 0) return buffer;
    uint32_t at = owner->depth;
    while (at > 0 && hd_call_bottom(&owner->calls[at - 1]) <= address) at--;
    const struct hd_call *call = &owner->calls[at];
    int module = at < owner->depth ? hd_module_of((uintptr_t)call->pc - 1) : -1;
    if (module < 0) return buffer;
    unsigned same = 0;
    for (const struct hd_call *i = owner->calls; i < call; i++) same += i->pc == call->pc;
    char code[300];
    hd_describe_pc(call->pc, code, sizeof code);
    size_t used = strlen(buffer), low = (uintptr_t)owner->stack_low;
    snprintf(buffer + used, size - used, " [@%.*s,%lu,%lu,%lu,%u]", (int)strlen(code) - 2, code + 1,
             hd_call_bottom(call) - low, call->fp - low, address - low, same);
    return buffer;
}

void hd_frame_prepare(void) {
    hd_rt->frames = hd_own(sizeof *hd_rt->frames);
    self->room = TOLD;
    self->told = hd_own(TOLD * sizeof *self->told);
    self->thread = hd_own(HD_HOMES * sizeof *self->thread);
}

void hd_frame_begin(void) {
    if (self->count) memset(self->told, 0, self->room * sizeof *self->told);
    self->count = self->known = 0;
}
