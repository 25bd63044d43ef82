#!/bin/sh
# runner.sh - run test programs and scripts, add up what they counted.
#
# A test program is a Unity binary ("N Tests M Failures K Ignored"); a script
# prints "ok NAME" or "not ok NAME: why" a line. Each runs in its own process
# with a time limit. The last line is "N passed, N failed".
pass=0
fail=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The oracles make thousands of small trace files: in memory, where there is some.
memory=${TMPDIR:-/tmp}
[ -w /dev/shm ] && memory=/dev/shm
for test in "$@"; do
    case $test in
    *.sh) timeout 600 sh "$test" > "$log" 2>&1; status=$? ;;
    *) TMPDIR=$memory timeout 600 "$test" > "$log" 2>&1; status=$? ;;
    esac
    counts=$(sed -n 's/^\([0-9]*\) Tests \([0-9]*\) Failures.*/\1 \2/p' "$log" | tail -n 1)
    if [ -n "$counts" ]; then
        all=${counts% *}
        bad=${counts#* }
    else
        good=$(grep -c '^ok ' "$log")
        bad=$(grep -c '^not ok ' "$log")
        all=$((good + bad))
    fi
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "$test: exit $status"
        bad=1
        all=$((all + 1))
    fi
    [ "$all" -gt 0 ] || { echo "$test: asserted nothing"; bad=1; all=1; }
    pass=$((pass + all - bad))
    fail=$((fail + bad))
    if [ "$bad" -ne 0 ]; then
        echo "---- $test"
        grep -v -e ':PASS$' -e '^ok ' "$log" | tail -n 40
    else
        echo "$test: $all"
    fi
done
echo "$pass passed, $fail failed"
[ "$fail" -eq 0 ]
