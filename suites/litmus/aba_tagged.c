/* aba_tagged.c - the same stack with a tag that tells heads apart.
 *
 * Every exchange also counts up a tag, so a head that went away and came back
 * is another value and the exchange fails. Foreign changes between load and
 * exchange still make cycles; the retry makes up for them, and every node ends
 * with exactly one holder.
 *
 * label: benign
 * expect: atomicity pop confirmed benign
 * twin: aba.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int head = 1; /* tag * 4 + node */
static atomic_int next[3] = {0, 2, 0};
static int holders[3];

int pop(void) {
    int top = atomic_load(&head);
    while (top % 4) {
        int below = atomic_load(&next[top % 4]);
        if (atomic_compare_exchange_strong(&head, &top, (top / 4 + 1) * 4 + below)) {
            break;
        }
    }
    return top % 4;
}

void push(int node) {
    int top = atomic_load(&head);
    do {
        atomic_store(&next[node], top % 4);
    } while (!atomic_compare_exchange_strong(&head, &top, (top / 4 + 1) * 4 + node));
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
