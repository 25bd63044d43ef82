/* stack.c - java.util.Stack, every pair of its methods.
 *
 * After Stack of Wang and Stoller: a vector with five methods more, so everything
 * that is wrong with the vector is wrong here, too. The five are right: each holds the
 * lock from its look at the size to its change.
 *
 * label: harmful
 * expect: atomicity vector_copy confirmed harmful
 * expect: atomicity vector_remove_all confirmed harmful
 * sources: vector_class.c
 * budget: 4000
 * native: varies
 * tsan: race walk_begin|walk_next */
#include "vector_methods.h"

int stack_push(struct vector *self, int element) {
    vector_add(self, element);
    return element;
}

int stack_peek(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    int size = vector_size(self);
    int top = size ? vector_get(self, size - 1) : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return top;
}

int stack_pop(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    int top = stack_peek(self);
    if (top != NOT_THERE) vector_remove_at(self, vector_size(self) - 1);
    pthread_mutex_unlock(&self->lock);
    return top;
}

bool stack_empty(struct vector *self) { return vector_size(self) == 0; }

/* How far from the top, counted from 1. */
int stack_search(struct vector *self, int element) {
    pthread_mutex_lock(&self->lock);
    int at = vector_index_of(self, element);
    int depth = at >= 0 ? vector_size(self) - at : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return depth;
}

static long call_push(void *self, void *other) { return (void)other, stack_push(self, 7); }
static long call_pop(void *self, void *other) { return (void)other, stack_pop(self); }
static long call_peek(void *self, void *other) { return (void)other, stack_peek(self); }
static long call_empty(void *self, void *other) { return (void)other, stack_empty(self); }
static long call_search(void *self, void *other) { return (void)other, stack_search(self, 2); }

static const struct method methods[] = {
    VECTOR_METHODS,
    {"push", false, call_push},
    {"pop", false, call_pop},
    {"peek", false, call_peek},
    {"empty", false, call_empty},
    {"search", false, call_search},
};

int main(int argc, char **argv) {
    static const struct class stack = {vector_make, vector_release, vector_print, methods,
                                       (int)(sizeof methods / sizeof *methods)};
    return drive(&stack, argc, argv);
}
