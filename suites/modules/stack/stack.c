/* stack.c - Treiber's stack over an array of links. */
#include "stack.h"

#include <string.h>

static uint32_t top_of(uint64_t head) { return (uint32_t)head; }

/* The head that is to replace `old`. */
static uint64_t head_after(uint64_t old, uint32_t top) {
#ifdef DEFECT
    /* No tag: the same slot on top means the same head, whatever happened in
     * between. */
    (void)old;
    return top;
#else
    uint64_t tag = (old >> 32) + 1;
    return tag << 32 | top;
#endif
}

void stack_init(struct stack *s, size_t count) {
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < count; i++) {
        atomic_init(&s->next[i], i + 1 < count ? (uint32_t)i + 2 : 0);
    }
    atomic_init(&s->head, count > 0 ? 1 : 0);
}

/* Links first to last are in place already; put them on top. */
static void push_chain(struct stack *s, uint32_t first, uint32_t last) {
    uint64_t old = atomic_load(&s->head);
    do {
        atomic_store(&s->next[last], top_of(old));
    } while (!atomic_compare_exchange_strong(&s->head, &old, head_after(old, first + 1)));
}

void stack_push(struct stack *s, uint32_t slot) { push_chain(s, slot, slot); }

bool stack_pop(struct stack *s, uint32_t *slot) {
    uint64_t old = atomic_load(&s->head);
    while (top_of(old) != 0) {
        uint32_t below = atomic_load(&s->next[top_of(old) - 1]);
        if (atomic_compare_exchange_strong(&s->head, &old, head_after(old, below))) {
            *slot = top_of(old) - 1;
            return true;
        }
    }
    return false;
}

void stack_push_some(struct stack *s, const uint32_t *slots, size_t count) {
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        atomic_store(&s->next[slots[i]], slots[i + 1] + 1);
    }
    push_chain(s, slots[0], slots[count - 1]);
}

size_t stack_pop_some(struct stack *s, uint32_t *slots, size_t most) {
    size_t got = 0;
    while (got < most && stack_pop(s, &slots[got])) {
        got++;
    }
    return got;
}

size_t stack_count(struct stack *s) {
    size_t count = 0;
    uint32_t at = top_of(atomic_load(&s->head));
    while (at != 0 && count <= STACK_MOST) {
        count++;
        at = atomic_load(&s->next[at - 1]);
    }
    return count;
}

bool stack_is_sound(struct stack *s) {
    bool seen[STACK_MOST] = {false};
    uint32_t at = top_of(atomic_load(&s->head));
    while (at != 0) {
        if (at > STACK_MOST || seen[at - 1]) {
            return false;
        }
        seen[at - 1] = true;
        at = atomic_load(&s->next[at - 1]);
    }
    return true;
}
