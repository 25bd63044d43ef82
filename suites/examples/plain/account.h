/* account.h - an account that several threads use. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

void account_open(struct account *account);
void account_deposit(struct account *account, int amount);
int account_balance(struct account *account);

#endif
