/* heap_ordered.c - two accounts on the heap, the locks of which are taken in one order.
 *
 * Whoever pays, the lock of the lower number is taken first. Nobody can wait for one who
 * waits for him.
 *
 * label: clean
 * expect: clean
 * twin: heap_cycle.c */
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int number, balance;
};

static struct account *mine, *yours;

static struct account *account(int number, int balance) {
    struct account *self = malloc(sizeof *self);
    pthread_mutex_init(&self->lock, NULL);
    self->number = number;
    self->balance = balance;
    return self;
}

static void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from->number < to->number ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
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
    mine = account(0, 10);
    yours = account(1, 10);
    pthread_create(&t1, NULL, pay, NULL);
    pthread_create(&t2, NULL, pay_back, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int sum = mine->balance + yours->balance;
    free(mine);
    free(yours);
    return sum == 20 ? 0 : 1;
}
