/* hand_dropped.c - a walk along a list that lets go too early.
 *
 * Between giving one node back and locking the next the walker holds nothing,
 * and another one can pass: first at one node and second at the next.
 *
 * label: harmful
 * expect: atomicity walk confirmed harmful
 * expect: failure assertion
 * twin: hand_over_hand.c */
#include <assert.h>
#include <pthread.h>

static struct node {
    pthread_mutex_t lock;
    int first; /* who came by first; 0: nobody yet */
} nodes[3] = {
    {PTHREAD_MUTEX_INITIALIZER, 0},
    {PTHREAD_MUTEX_INITIALIZER, 0},
    {PTHREAD_MUTEX_INITIALIZER, 0},
};

static void mark(struct node *n, int who) {
    if (!n->first) {
        n->first = who;
    }
}

void walk(int who) {
    pthread_mutex_lock(&nodes[0].lock);
    mark(&nodes[0], who);
    for (int i = 1; i < 3; i++) {
        pthread_mutex_unlock(&nodes[i - 1].lock);
        pthread_mutex_lock(&nodes[i].lock);
        mark(&nodes[i], who);
    }
    pthread_mutex_unlock(&nodes[2].lock);
}

static void *one(void *arg) {
    (void)arg;
    walk(1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    walk(2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(nodes[0].first == nodes[2].first);
    return 0;
}
