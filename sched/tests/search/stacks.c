/* stacks.c - cases in which one thread gets at what another has on its stack. */
#include "case.h"

#include <stdatomic.h>

static int *_Atomic shown;
static char memory[1 << 18] __attribute__((aligned(4096)));
static volatile int sink;

WORK(shows) {
    int local = 5;
    atomic_store(&shown, &local);
    return NULL;
}
WORK(shows_for_a_while) {
    int local = 5;
    atomic_store(&shown, &local);
    atomic_store(&shown, NULL);
    return NULL;
}

static void look(void) { /* what it finds there is anybody's guess */
    int *there = atomic_load(&shown);
    if (there) sink = *there;
    heddle_observe("seen", there != NULL);
}

static void dead_stack(void) {
    pthread_t t = start(shows);
    look();
    pthread_join(t, NULL);
}
static void dead_stack_in_between(void) {
    pthread_t t = start(shows_for_a_while);
    look();
    pthread_join(t, NULL);
}
static void dead_stack_joined(void) {
    pthread_join(start(shows), NULL);
    look();
}

/* Memory of the program's own stays. */
static void own_stack(void) {
    pthread_attr_t attr;
    pthread_t t;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, memory, sizeof memory);
    pthread_create(&t, &attr, shows, NULL);
    look();
    pthread_join(t, NULL);
    if (shown) sink = *shown;
}

/* It waits for the one that it gave its stack to. */
WORK(adds) { ++*(int *)arg; return NULL; }
WORK(lends) {
    int local = 1;
    pthread_t t;
    pthread_create(&t, NULL, adds, &local);
    pthread_join(t, NULL);
    heddle_observe("local", local);
    return NULL;
}
static void lent_stack(void) { run2(lends, lends); }

CASES(CASE(dead_stack), CASE(dead_stack_in_between), CASE(dead_stack_joined), CASE(own_stack),
      CASE(lent_stack))
