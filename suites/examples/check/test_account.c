/* test_account.c - heddle_explore inside a test of Check.
 *
 *     heddle-cc -g -I../plain ../plain/account.c test_account.c \
 *         $(pkg-config --cflags --libs check) -o test_account && ./test_account */
#include "account.h"

#include <assert.h>
#include <check.h>
#include <heddle.h>
#include <stdlib.h>

static void *deposit_ten(void *account) {
    account_deposit(account, 10);
    return NULL;
}

/* What is explored fails by assert, abort, a crash, a deadlock, exit(1). */
static void two_deposits(void *unused) {
    struct account account;
    pthread_t other;
    (void)unused;
    account_open(&account);
    pthread_create(&other, NULL, deposit_ten, &account);
    account_deposit(&account, 10);
    pthread_join(other, NULL);
    assert(account_balance(&account) == 20);
}

START_TEST(two_deposits_add_up) {
    struct heddle_options options = {.name = "two_deposits"};
    struct heddle_result result;
    if (heddle_explore(two_deposits, NULL, &options, &result) != 0) {
        ck_abort_msg("%s: %s\n%s", result.kind, result.message, result.again);
    }
}
END_TEST

START_TEST(a_new_account_is_empty) {
    struct account account;
    account_open(&account);
    ck_assert_int_eq(0, account_balance(&account));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("account");
    TCase *tests = tcase_create("deposits");
    tcase_add_test(tests, a_new_account_is_empty);
    tcase_add_test(tests, two_deposits_add_up);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
