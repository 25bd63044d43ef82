#!/bin/sh
# test_frameworks.sh - heddle_explore in a main of one's own, in Check, in cmocka.
#
# The examples are built as their opening comments say and run: right, they pass;
# with the defect they fail, and the command in the report shows it again.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
examples=$PWD/suites/examples
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_TEST CK_FORK
cd "$work" || exit 1

check() { # NAME WHY, after a command
    if [ $? -eq 0 ]; then echo "ok $1"; else echo "not ok $1: $2"; fi
}

try() { # NAME FILE EXPECTED-WHEN-RIGHT EXPECTED-WHEN-WRONG FLAGS
    name=$1 file=$2 right=$3 wrong=$4
    shift 4
    for defect in '' -DDEFECT; do
        heddle-cc $defect -g -I"$examples/plain" "$examples/plain/account.c" "$examples/$file" "$@" \
            -o "$name" 2> err
        check "$name${defect:+ with the defect} builds" "$(head -n 1 err)"
        timeout 60 "./$name" > out 2>&1
        status=$?
        if [ -z "$defect" ]; then
            [ $status -eq 0 ] && grep -q "$right" out
            check "$name passes" "status $status: $(tail -n 1 out)"
            continue
        fi
        [ $status -ne 0 ] && grep -q "$wrong" out
        check "$name finds the defect" "status $status: $(tail -n 1 out)"
        command=$(grep '^HEDDLE_TEST=' out)
        eval "$command" > again 2>&1
        [ $? -eq 1 ] && grep -q '^assertion in thread 0' again && ! grep -q 'no test' again
        check "$name shows it again" "$command: $(tail -n 1 again)"
    done
}

try plain plain/main.c '^two_deposits holds, balance is still 0' '^assertion: .*account_balance'

if pkg-config --exists check; then
    flags=$(pkg-config --cflags --libs check)
    try check check/test_account.c '100%: Checks: 2, Failures: 0' \
        'two_deposits_add_up:0: assertion: .*account_balance' $flags
    export CK_FORK=no
    try check-nofork check/test_account.c '100%: Checks: 2, Failures: 0' \
        'two_deposits_add_up:0: assertion: .*account_balance' $flags
    unset CK_FORK
else
    echo "ok check is not installed"
fi
if [ -e /usr/include/cmocka.h ]; then
    try cmocka cmocka/test_account.c 'PASSED.* 2 test' 'assertion: the function was left by longjmp in two_deposits' \
        -lcmocka
else
    echo "ok cmocka is not installed"
fi

gcc -g -Wall -Wextra -Werror -pthread -I"$BUILD/include" -I"$examples/plain" \
    "$examples/plain/account.c" "$examples/plain/main.c" -o native 2> err && ./native > out 2>&1
check "a plain compiler runs the function once" "$(cat err out | head -n 1)"
