#!/bin/sh
# test_library_unity.sh - what becomes of Unity tests, one by one.
#
# library/behaviour.c holds a test for everything that can happen to one. Here is
# written what Unity must print for each, and that the command after a failure
# brings the same failure back.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD/sched/tests/library
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_TEST
cd "$work" || exit 1

check() { # NAME WHY, after a command
    if [ $? -eq 0 ]; then echo "ok $1"; else echo "not ok $1: $2"; fi
}

build() { # NAME FILES: with each compiler
    heddle-cc -O1 -g -I"$UNITY" "$@" 2> err
    check "$3 builds" "$(head -n 1 err)"
}

build -o behaviour "$here/behaviour.c" "$UNITY/unity.c"
timeout 60 ./behaviour > out 2> err
status=$?
[ $status -ne 0 ]
check "a failed test is the exit status" "it is $status"

says() { # TEST PATTERN
    grep -q ":$1:$2" out
    check "$1 is $2" "$(grep ":$1:" out)"
}
says test_without_threads PASS
says test_fails_without_threads 'FAIL: on purpose$'
says test_lost_update 'FAIL: Expected 2 Was 1$'
says test_assertion_in_a_second_thread 'FAIL: Expected 1 Was 0. seen by the other thread$'
says test_leaves_globals_dirty PASS
says test_sees_what_main_did PASS
says test_ignored 'IGNORE: later$'
says test_ignored_by_a_second_thread 'IGNORE: not today$'
says test_passed_by_hand PASS
says test_passed_by_a_second_thread PASS
says test_crashes_in_one_order 'FAIL: crash: null pointer .* at write_to_null (.*behaviour.c:[0-9]*)$'
says test_deadlocks 'FAIL: deadlock: thread 0 locks mutex a at .*held by thread 0.1 since a_then_b'
says test_calls_exit 'FAIL: exit: '
says test_aborts 'FAIL: crash: abort() was called'
says test_chooses 'FAIL: Expected Not-Equal$'
says test_prints PASS
says test_leaves_a_thread_behind PASS
says test_after_all_of_that PASS
says test_with_options PASS

[ "$(grep -c '^printed by a test$' out)" -eq 1 ]
check "what a test prints is printed once" "$(grep -c '^printed by a test$' out) times"
[ "$(grep -c '^said by a test$' err)" -eq 1 ]
check "and so is what it says on standard error" "$(grep -c '^said by a test$' err) times"
grep -q '^19 Tests 8 Failures 2 Ignored' out
check "the counts are Unity's" "$(grep Tests out)"
grep -q '^after: shared 1, heap 7$' out
check "threads outside of an exploration run" "$(tail -n 1 out)"
[ "$(grep -c 'without a second thread: nothing to explore' err)" -eq 1 ] && [ "$(wc -l < err)" -eq 2 ]
check "tests without a second thread are told once" "$(cat err)"
timeout 60 ./behaviour > out2 2> err2
cmp -s out out2 && cmp -s err err2
check "another run says the same" "$(diff out out2 | head -n 2)"

grep '^HEDDLE_TEST=' out > commands
[ "$(wc -l < commands)" -eq 8 ]
check "every failure under a schedule has a command" "$(wc -l < commands)"
while read -r command; do
    name=${command#HEDDLE_TEST=}
    name=${name%% *}
    eval "$command" > again 2>&1
    [ $? -eq 1 ] && grep -q -e "^assertion .*:$name:FAIL: " -e "^deadlock " -e "^crash " -e "^exit " again
    check "$name fails again on command" "$(tail -n 1 again)"
done < commands
eval "$(grep 'HEDDLE_TEST=test_lost_update ' commands)" > again 2>&1
[ "$(grep -c 'output stdout' again)" -eq 1 ] && grep -q 'write .*shared' again
check "what Unity prints is one step of the interleaving" "$(grep -c 'output stdout' again)"

HEDDLE_TEST=test_lost_update HEDDLE_OPTIONS=strategy=replay:results/behaviour.test_lost_update.schedule \
    ./behaviour > out 2> err
[ $? -eq 1 ] && grep -q ':test_lost_update:FAIL: Expected 2 Was 1$' out
check "a schedule can be followed without the command" "$(cat err)"
HEDDLE_TEST=test_prints ./behaviour > out 2>&1
grep -q '^1 Tests 0 Failures' out
check "HEDDLE_TEST runs one test" "$(grep Tests out)"
HEDDLE_TEST='?' ./behaviour > out 2>&1
[ "$(grep -c '^test_' out)" -eq 19 ]
check "HEDDLE_TEST=? names all tests" "$(head -n 1 out)"
HEDDLE_TEST=test_none ./behaviour > out 2>&1
[ $? -eq 2 ]
check "a test that is not there is told" "$(tail -n 1 out)"
HEDDLE_OPTIONS='executions=1 strategy=round-robin' ./behaviour > out 2>&1
grep -q ':test_lost_update:PASS' out
check "HEDDLE_OPTIONS is for all tests" "$(grep test_lost_update out)"

# Checkers on the side.
build -o side "$here/side.c" "$UNITY/unity.c"
timeout 60 ./side > out 2> err
says test_tells_a_lost_update 'FAIL: confirmed harmful: deposit is not atomic on total (.*side.c:[0-9]*): an outcome that no serial execution has$'
says test_tells_a_safe_update PASS
says test_hides_a_lost_update PASS
says test_ignored 'IGNORE: later$'
says test_larger_than_its_budget PASS
says test_fails_where_checkers_look 'FAIL: Expected 2 Was 1$'
grep -q '^7 Tests 2 Failures 1 Ignored' out && [ "$(grep -c 'test_tells_a_lost_update:' out)" -eq 1 ]
check "a warning makes a failure of a pass, once" "$(grep Tests out)"
[ "$(grep -c '^told by the test$' out)" -eq 1 ]
check "what the test printed stays" "$(head -n 3 out)"
command=$(grep -A 1 ':test_tells_a_lost_update:FAIL' out | sed -n 2p)
eval "$command" > again 2>&1
[ $? -eq 0 ] && grep -q 'total' again
check "the line after it shows the warning's witness" "$command: $(tail -n 1 again)"
command=$(grep -A 1 ':test_fails_where_checkers_look:FAIL' out | sed -n 2p)
eval "$command" > again 2>&1
[ $? -eq 1 ] && grep -q '^assertion .*test_fails_where_checkers_look:FAIL: Expected 2 Was 1' again
check "a failure that checkers led to fails again on command" "$command: $(tail -n 1 again)"
ls results | grep -v -e behaviour -e side.test_tells -e side.test_fails > left
[ ! -s left ]
check "tests without a finding leave no file" "$(head -n 1 left)"
timeout 60 ./side > out2 2> err2
cmp -s out out2 && cmp -s err err2
check "another run with checkers says the same" "$(diff out out2 | head -n 2)"
HEDDLE_OPTIONS=warnings=off timeout 60 ./side > out 2> err
grep -q '^7 Tests 0 Failures 1 Ignored' out
check "warnings=off turns checkers off" "$(grep Tests out)"
HEDDLE=/nowhere timeout 60 ./side > out 2> err
grep -q '^7 Tests 0 Failures' out && [ "$(grep -c 'there is no heddle command' err)" -eq 1 ]
check "a missing heddle command is told once" "$(cat err)"
mkdir apart && cd apart && PATH=/usr/bin:/bin timeout 60 ../side > ../out 2> ../err
cd ..
says test_tells_a_lost_update 'FAIL: confirmed harmful'
grep -q "^$BUILD/bin/heddle replay" out
check "the command beside the headers is found" "$(grep replay out)"
mkdir 'a place' && ln -s "$BUILD/bin/heddle" 'a place/heddle'
PATH=/usr/bin:/bin HEDDLE="$PWD/a place/heddle" timeout 60 ./side > out 2> err
command=$(grep -A 1 ':test_tells_a_lost_update:FAIL' out | sed -n 2p)
case $command in "'"*) eval "$command" > again 2>&1 ;; *) false ;; esac
check "HEDDLE says which command, and a shell can read it" "$command"
if [ "$(id -u)" -ne 0 ] || : > /proc/version 2> /dev/null; then mkdir shut && chmod 555 shut; else shut=/proc; fi
(cd "${shut:-shut}" && timeout 60 "$work/side" > "$work/out" 2> "$work/err")
says test_tells_a_lost_update 'FAIL: confirmed harmful'
check "a folder that cannot be written to costs the file alone" "$(tail -n 3 err)"

# Ways to end that tests should not have.
build -o endings "$here/endings.c" "$UNITY/unity.c"
timeout 100 ./endings > out 2> err
says test_jumps_to_another_thread 'FAIL: misuse: longjmp to the stack of another thread, 0$'
says test_jumps_within_its_thread PASS
says test_is_left_without_a_word 'FAIL: exit: the test ended the process (status 0)$'
says test_ends_its_thread 'FAIL: exit: the test ended the process (status 0)$'
says test_does_not_end 'FAIL: timeout: an execution was cut before its end'
says test_computes_for_ever 'FAIL: timeout: thread 0 computed for 1 seconds without any event$'
says test_has_no_stack_left 'FAIL: crash: stack overflow in thread 0.1 '
says test_explores_inside PASS
says test_leaves_a_thread_that_fails 'FAIL: late$'
says test_talks_too_much PASS
says test_with_a_parameter 'FAIL: Expected 1 Was 2$'
says test_prepared 'FAIL: in setUp$'
says test_prepared 'FAIL: in tearDown$'
grep -q '^14 Tests 10 Failures 0 Ignored' out && [ "$(grep -c ':test_.*:[PF]A[SI][SL]' out)" -eq 14 ]
check "one line for each test, and the counts agree" "$(grep Tests out)"
grep -q "^HEDDLE_TEST='test_with_a_parameter#2' heddle replay" out
check "a test that is run twice has two names" "$(grep 'HEDDLE_TEST=.*parameter' out)"
grep -e 'parameter#2' -e 'test_is_left' -e 'test_does_not_end' -e 'test_has_no_stack' out | grep '^HEDDLE_TEST=' > commands
while read -r command; do
    eval "$command" > again 2>&1
    [ $? -eq 1 ] && grep -q -e '^assertion .*Expected 1 Was 2' -e '^exit .*the test ended the process' \
        -e '^timeout: the execution was cut' -e '^crash .*stack overflow' again
    check "such a test fails again on command" "$command: $(tail -n 1 again)"
done < commands
grep -q 'has waited in a system call' err
[ $? -ne 0 ]
check "waiting for a test is no waiting of the program" "$(head -n 1 err)"

build -o fixture "$here/fixture.c" "$UNITY/unity.c" "$UNITY/unity_fixture.c" "$UNITY/unity_memory.c"
timeout 60 ./fixture > out 2> err
grep -q '^5 Tests 2 Failures 1 Ignored' out && grep -q 'TEST(counter, together):FAIL: Expected 2 Was 1$' out
check "groups of unity_fixture are explored" "$(grep Tests out)"
grep -q 'TEST(counter, told_and_not_looked_at):FAIL: confirmed harmful: ' out
check "and looked at by checkers" "$(grep told_and out)"
heddle test --quiet ./fixture > out 2> err
[ $? -eq 1 ] && [ ! -s out ]
check "what main prints on the way to a test is not repeated" "$(head -n 1 out)"
for arguments in '' -v; do
    heddle test --filter together ./fixture $arguments > out 2> err
    grep -q "^assertion: $here/fixture.c:[0-9]*:.*:FAIL: Expected 2 Was 1" err &&
        grep -q '^  where    .*fixture.c:[0-9]*$' err
    check "a failed assertion is where Unity says, not in Unity${arguments:+ ($arguments)}" "$(head -n 2 err)"
done
timeout 60 ./fixture -v -n one_after > out 2> err
grep -q '^1 Tests 0 Failures' out && grep -q '^TEST(counter, one_after_the_other) PASS' out
check "-n and -v of unity_fixture are heeded" "$(grep Tests out)"

gcc -O1 -w -pthread -I"$UNITY" -I"$BUILD/include" "$here/fixture.c" "$UNITY/unity.c" \
    "$UNITY/unity_fixture.c" "$UNITY/unity_memory.c" -o plain 2> err
check "a plain compiler takes the header too" "$(head -n 1 err)"
timeout 20 ./plain > out 2>&1
grep -q '^5 Tests ' out
check "and leaves Unity as it is" "$(tail -n 2 out)"
