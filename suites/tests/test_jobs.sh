#!/bin/sh
# test_jobs.sh - what a search finds does not depend on who runs it.
#
# Every litmus program with one process and with three: the same lines, in the
# same order (outcomes, counts, classes, schedules), and with each, the same
# bytes of trace for every execution. `eager` shares out all that can be, in pieces
# so small that many are cut short.
. suites/tests/build_litmus.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
one='
name=$(basename "$1" .c)
exe=$BUILD/litmus/$name
why=
[ -x "$exe" ] || { echo "not ok $name: does not build"; exit 0; }
for how in "random executions=200" "surw executions=100 each trace=." "dpor executions=150 eager" \
    "bounded:2 executions=150 eager" "portfolio executions=150 eager"; do
    for jobs in 1 3; do
        mkdir -p "$work/$name/$jobs"
        cd "$work/$name/$jobs"
        HEDDLE_OPTIONS="explore strategy=$how seed=3 steps=5000 jobs=$jobs milliseconds=60000 result=7" \
            timeout 100 "$exe" 7> lines > /dev/null 2>&1
        grep -q "^done" lines || why="${why:-does not come to its end ($how, $jobs)}"
        sed -i "/^nanoseconds/d" lines
    done
    # What workers ran beyond the budget leaves traces, which nobody is told of.
    (cd "$work/$name/1" && ls) > "$work/$name.files"
    while read -r file; do
        cmp -s "$work/$name/1/$file" "$work/$name/3/$file" || why="${why:-$how: $file differs}"
    done < "$work/$name.files"
    rm -rf "$work/$name"
done
if [ -n "$why" ]; then echo "not ok $name: $why"; else echo "ok $name is the same for three processes"; fi
rm -f "$work/$name.files"
'
ls "$PWD"/suites/litmus/*.c | xargs -P 2 -n 1 sh -c "$one" one
