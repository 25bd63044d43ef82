#!/bin/sh
# test_modules_native.sh - the modules as their users build them, without heddle.
#
# Every module builds without a warning with and without its defect, and its unit
# tests pass. Its stress test passes with the defect, too, which is why that is
# worth exploring for. A few runs here; `make soak` has 1,000 of each.
cd suites/modules || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CC=${CC:-gcc}
RUNS=${RUNS:-20}
flags='-std=gnu11 -O1 -g -Wall -Wextra -Werror -pthread'

say() { # ok? NAME WHY
    if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; fi
}

$CC -O1 -w -c "$UNITY/unity.c" -o "$work/unity.o" || exit 1

for readme in */README.md; do
    m=${readme%/README.md}
    [ "$(wc -l < "$readme")" -eq 5 ]
    say $? "$m has a README of five lines" "it has $(wc -l < "$readme")"
    lines=$(cat "$m"/*.[ch] | wc -l)
    [ "$lines" -ge 150 ] && [ "$lines" -le 500 ]
    say $? "$m is of a module's size" "$lines lines"
    for defect in '' -DDEFECT; do
        name="$m${defect:+ with its defect}"
        if ! $CC $flags $defect "$m/$m.c" "$m/stress_$m.c" -o "$work/stress" 2> "$work/err" ||
            ! $CC $flags $defect -I"$UNITY" "$m/$m.c" "$m/test_$m.c" "$work/unity.o" -o "$work/test" 2>> "$work/err"; then
            say 1 "$name builds" "$(head -n 1 "$work/err")"
            continue
        fi
        say 0 "$name builds"
        if [ -z "$defect" ]; then # with it they nearly always do
            timeout 10 "$work/test" > "$work/out" 2>&1
            say $? "$name passes its unit tests natively" "$(grep -m 1 FAIL "$work/out")"
        fi
        failed=0
        for run in $(seq "$RUNS"); do
            timeout 10 "$work/stress" > "$work/out" 2>&1 || failed=$((failed + 1))
        done
        [ "$failed" -eq 0 ]
        say $? "$name passes its stress test natively, $RUNS of $RUNS times" "failed $failed of $RUNS: $(head -n 1 "$work/out")"
    done
done
