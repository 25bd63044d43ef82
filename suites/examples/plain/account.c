/* account.c - with -DDEFECT a deposit looks and writes back in two lock regions. */
#include "account.h"

void account_open(struct account *account) {
    pthread_mutex_init(&account->lock, NULL);
    account->balance = 0;
}

void account_deposit(struct account *account, int amount) {
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
#ifdef DEFECT
    pthread_mutex_unlock(&account->lock);
    pthread_mutex_lock(&account->lock);
#endif
    account->balance = balance + amount;
    pthread_mutex_unlock(&account->lock);
}

int account_balance(struct account *account) {
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}
