/* stress_stack.c - the usual stress test: two threads borrow slots and mark them.
 *
 * Passes with the defect, too: each thread holds one slot at a time, so a slot
 * that comes back to the top comes back with the same slot below it. */
#include "stack.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, ROUNDS = 20000, SLOTS = 8 };

static struct stack stack;
static atomic_int owners[SLOTS];

static void *borrower(void *failures) {
    uint32_t slot;
    for (int i = 0; i < ROUNDS; i++) {
        if (stack_pop(&stack, &slot)) {
            *(int *)failures += atomic_fetch_add(&owners[slot], 1) != 0;
            atomic_fetch_sub(&owners[slot], 1);
            stack_push(&stack, slot);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int failures[THREADS] = {0}, total = 0;
    stack_init(&stack, SLOTS);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, borrower, &failures[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        total += failures[i];
    }
    if (total != 0 || !stack_is_sound(&stack) || stack_count(&stack) != SLOTS) {
        printf("%d slots were given twice, %zu are left\n", total, stack_count(&stack));
        return 1;
    }
    return 0;
}
