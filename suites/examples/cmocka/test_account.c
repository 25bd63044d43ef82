/* test_account.c - heddle_explore inside a test of cmocka.
 *
 *     heddle-cc -g -I../plain ../plain/account.c test_account.c -lcmocka \
 *         -o test_account && ./test_account */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "account.h"

#include <heddle.h>
#include <stdlib.h>

static void *deposit_ten(void *account) {
    account_deposit(account, 10);
    return NULL;
}

/* cmocka's own assertions can be used in what is explored, in any thread. */
static void two_deposits(void *unused) {
    struct account account;
    pthread_t other;
    (void)unused;
    account_open(&account);
    pthread_create(&other, NULL, deposit_ten, &account);
    account_deposit(&account, 10);
    pthread_join(other, NULL);
    assert_int_equal(20, account_balance(&account));
}

static void two_deposits_add_up(void **state) {
    struct heddle_options options = {.name = "two_deposits"};
    struct heddle_result result;
    (void)state;
    if (heddle_explore(two_deposits, NULL, &options, &result) != 0) {
        fail_msg("%s: %s\n%s", result.kind, result.message, result.again);
    }
}

static void a_new_account_is_empty(void **state) {
    struct account account;
    (void)state;
    account_open(&account);
    assert_int_equal(0, account_balance(&account));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_account_is_empty),
        cmocka_unit_test(two_deposits_add_up),
    };
    return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
