/* heap_cycle.c - two accounts on the heap, each with its own lock, taken as they come.
 *
 * A transfer takes the lock of the payer, then that of the payee. Two transfers in
 * opposite directions wait for each other for ever. The locks have no names of their
 * own: they are fields of blocks.
 *
 * label: harmful
 * expect: deadlock account transfer confirmed harmful
 * expect: failure deadlock
 * twin: heap_ordered.c */
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account *mine, *yours;

static struct account *account(int balance) {
    struct account *self = malloc(sizeof *self);
    pthread_mutex_init(&self->lock, NULL);
    self->balance = balance;
    return self;
}

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay(void *arg) {
    transfer(mine, yours, 5);
    return arg;
}

static void *pay_back(void *arg) {
    transfer(yours, mine, 5);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    mine = account(10);
    yours = account(10);
    pthread_create(&t1, NULL, pay, NULL);
    pthread_create(&t2, NULL, pay_back, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int sum = mine->balance + yours->balance;
    free(mine);
    free(yours);
    return sum == 20 ? 0 : 1;
}
