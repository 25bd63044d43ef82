/* main.c - a test program of one's own: heddle_explore, no framework.
 *
 *     heddle-cc -g account.c main.c -o accounts && ./accounts */
#include "account.h"

#include <assert.h>
#include <heddle.h>
#include <stdio.h>

static void *deposit_ten(void *account) {
    account_deposit(account, 10);
    return NULL;
}

/* One execution. The account is main's; it is as main left it each time. */
static void two_deposits(void *account) {
    pthread_t one, two;
    pthread_create(&one, NULL, deposit_ten, account);
    pthread_create(&two, NULL, deposit_ten, account);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(account_balance(account) == 20);
}

int main(void) {
    struct account account;
    struct heddle_options options = {.executions = 500, .name = "two_deposits"};
    struct heddle_result result;
    account_open(&account);
    int rc = heddle_explore(two_deposits, &account, &options, &result);
    if (rc < 0) {
        fprintf(stderr, "cannot explore: %s\n", result.message);
        return 2;
    }
    if (rc > 0) {
        printf("%s: %s\n%s\n", result.kind, result.message, result.again);
        return 1;
    }
    printf("two_deposits holds, balance is still %d\n", account_balance(&account));
    return 0;
}
