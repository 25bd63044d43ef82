#!/bin/sh
# runner.sh - run test programs and scripts, add up what they counted.
#
# A test program is a Unity binary ("N Tests M Failures K Ignored"); a script
# prints "ok NAME" or "not ok NAME: why" a line. Each runs in its own process
# with a time limit, as many at a time as there are cores (TEST_JOBS=N for
# another number). The last line is "N passed, N failed".
#
# usage: runner.sh TEST...
if [ "$1" = --one ]; then
    logs=$2 test=$3
    log=$(mktemp "$logs/log.XXXXXX")
    # The oracles make thousands of small trace files: in memory, where there is some.
    memory=${TMPDIR:-/tmp}
    [ -w /dev/shm ] && memory=/dev/shm
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
    why=
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        why="exit $status"
        bad=1
        all=$((all + 1))
    fi
    [ "$all" -gt 0 ] || { why="asserted nothing"; bad=1; all=1; }
    echo "$all $bad" > "$log.counts"
    if [ "$bad" -ne 0 ]; then # in one piece: others speak at the same time
        told=$(echo "---- $test: ${why:-$bad failed}"; grep -v -e ':PASS$' -e '^ok ' "$log" | tail -n 40)
        echo "$told"
    else
        echo "$test: $all"
    fi
    exit 0
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
printf '%s\n' "$@" | xargs -P "${TEST_JOBS:-$(nproc)}" -n 1 sh "$0" --one "$logs"
cat "$logs"/*.counts | {
    pass=0 fail=0
    while read -r all bad; do
        pass=$((pass + all - bad))
        fail=$((fail + bad))
    done
    [ "$(ls "$logs"/*.counts | wc -l)" -eq $# ] || { echo "a test was lost"; fail=$((fail + 1)); }
    echo "$pass passed, $fail failed"
    [ "$fail" -eq 0 ]
}
