/* judge.c - a program under test that has the judge in it.
 *
 * Built by heddle-cc, with the judge compiled for no library at all. Two threads
 * make a deposit in two steps; in the order that the schedule gives, each operation
 * is told to the judge, and after the joins it says who was interfered with. */
#include "checkers/judge.h"

#include <pthread.h>
#include <stdio.h>

static char memory[1 << 16];
static struct hd_judge *judge;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static uint64_t step;
static int balance;

static void tell(uint32_t thread, bool write) {
    hd_judge_lock(judge, thread, 1, false, ++step);
    hd_judge_access(judge, thread, 2, write, ++step);
    hd_judge_unlock(judge, thread, 1, ++step);
}

static void *deposit(void *argument) {
    uint32_t thread = *(uint32_t *)argument;
    pthread_mutex_lock(&guard);
    hd_judge_begin(judge, thread, thread, ++step);
    int seen = balance;
    tell(thread, false);
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    balance = seen + 1;
    tell(thread, true);
    hd_judge_end(judge, thread, ++step);
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    uint32_t name[2] = {1, 2};
    pthread_t thread[2];
    judge = hd_judge_new(memory, sizeof memory);
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, deposit, &name[i]);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    uint32_t victims = 0;
    for (const struct hd_judge_victim *v = hd_judge_decide(judge); v; v = v->next) victims++;
    printf("balance %d, %u victims\n", balance, victims);
    return 0;
}
