#!/bin/sh
# test_library_explore.sh - heddle_explore from a plain main, and how what is wrong is told.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD/sched/tests/library
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_TEST
cd "$work" || exit 1

check() { # NAME WHY, after a command
    if [ $? -eq 0 ]; then echo "ok $1"; else echo "not ok $1: $2"; fi
}
has() { # NAME LINE
    grep -qx "$2" out
    check "$1" "$(cat out err)"
}

heddle-cc -g "$here/explored.c" -o explored 2> err
check "a plain main builds" "$(head -n 1 err)"
timeout 60 ./explored > out 2> err
check "and comes to its end" "status $?: $(tail -n 1 err)"
harm='1 confirmed harmful: deposit is not atomic on total (.*): an outcome that no serial execution has'
has "a harmful warning of a function that prints nothing" "observed: $harm"
has "and of one that prints" "printed: $harm"
has "all that it printed is handed over" 'the first line'
has "to the last line" 'the last line'
has "a failed assertion" 'asserted: 1 assertion: .*total == 2.*'
has "the caller's memory is as it was" 'still the first line, 0'
has "a strategy that there is not" 'nosuch: -1 cannot: strategy nosuch: no such strategy'
has "a strategy with a wrong argument" 'pct:x: -1 cannot: strategy pct:x: expected a depth .*, not x'
has "threads run afterwards" 'after: [12]'
has "none of them is one of the system" 'after: 1 of the system'
has "nor is one before" 'before: 1 of the system'

cat > spins.c <<'END'
#include <pthread.h>
static volatile int flag;
static void *spin(void *argument) {
    while (!flag) {
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    return pthread_join(thread, NULL);
}
END
heddle-cc -g spins.c -o spins 2> err && heddle test ./spins > out 2>&1
has "who waits for a plain variable is told what for" 'livelock: thread 0.1 spins on flag at spin (.*'

cat > words.c <<'END'
#include "unity.h"
#include <heddle_unity.h>
#include <stdlib.h>
void setUp(void) {}
void tearDown(void) {}
static void test_one(void) {}
int main(void) {
    UNITY_BEGIN();
    HEDDLE_TEST_OPTIONS(getenv("WORDS"));
    RUN_TEST(test_one);
    return UNITY_END();
}
END
heddle-cc -g -I"$UNITY" words.c "$UNITY/unity.c" -o words 2> err
check "a test with options builds" "$(head -n 1 err)"
refused() { # WORD REASON
    WORDS=$1 ./words > out 2> err
    [ $? -eq 2 ] && grep -qx "heddle: options of test_one: $1: $2" err
    check "HEDDLE_TEST_OPTIONS(\"$1\") is told with its test" "$(cat err)"
    HEDDLE_OPTIONS=$1 ./words > out 2> err
    [ $? -eq 2 ] && grep -qx "heddle: HEDDLE_OPTIONS: $1: $2" err
    check "HEDDLE_OPTIONS=$1 is told" "$(cat err)"
}
refused nosuch=1 'no such option'
refused seed=x 'expected a number'
refused executions=0 'expected a number from 1'
refused warnings=perhaps 'expected on or off'
WORDS=strategy=nosuch ./words > out 2> err
has "a strategy that there is not is the test's failure" \
    'words.c:[0-9]*:test_one:FAIL: cannot: strategy nosuch: no such strategy'

cat > told.c <<'END'
#include "unity.h"
#include <heddle_unity.h>
#include <unistd.h>
void setUp(void) {}
void tearDown(void) {}
static void test_expects(void) { TEST_ASSERT_EQUAL_INT(1, 2); }
static void test_closes(void) {
    close(1);
    TEST_FAIL();
}
int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_expects);
    RUN_TEST(test_closes);
    return UNITY_END();
}
END
heddle-cc -g -DUNITY_OUTPUT_COLOR -I"$UNITY" told.c "$UNITY/unity.c" -o told 2> err
check "tests in colour build" "$(head -n 1 err)"
./told > out 2> err
eval "$(grep '^HEDDLE_TEST=test_expects' out)" > again 2>&1
grep -q '^assertion in thread 0 at told.c:6: .*Expected 1 Was 2$' again
check "a failure in colour comes again with its message" "$(tail -n 1 again)"
grep -q '^2 Tests 2 Failures' out && grep -q 'told.c:[0-9]*:test_closes:.*FAIL.*: assertion: the test failed$' out
check "a test that has closed standard output fails aloud" "$(cat out)"
