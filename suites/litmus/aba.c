/* aba.c - a lock-free stack that takes an old head for the same head.
 *
 * The stack holds 1 on top of 2. One thread is about to pop 1 and has read that
 * 2 comes next. The other pops 1, pops 2, pushes 1 back: the head is 1 again,
 * the exchange succeeds and makes 2 the head, though the other thread owns it.
 * Serially no node is ever held twice.
 *
 * label: harmful
 * expect: atomicity pop confirmed harmful
 * expect: failure assertion
 * twin: aba_tagged.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int head = 1;
static atomic_int next[3] = {0, 2, 0};
static int holders[3];

int pop(void) {
    int top = atomic_load(&head);
    while (top && !atomic_compare_exchange_strong(&head, &top, atomic_load(&next[top]))) {
    }
    return top;
}

void push(int node) {
    int top = atomic_load(&head);
    do {
        atomic_store(&next[node], top);
    } while (!atomic_compare_exchange_strong(&head, &top, node));
}

static void *taker(void *mine) {
    *(int *)mine = pop();
    return NULL;
}

static void *shuffler(void *mine) {
    int first = pop();
    *(int *)mine = pop();
    push(first);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    int a = 0, b = 0, left;
    pthread_create(&t1, NULL, taker, &a);
    pthread_create(&t2, NULL, shuffler, &b);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    holders[a]++;
    holders[b]++;
    while ((left = pop()) != 0) {
        holders[left]++;
    }
    assert(holders[1] == 1 && holders[2] == 1);
    return 0;
}
