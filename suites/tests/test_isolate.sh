#!/bin/sh
# test_isolate.sh - putting a process back is as good as a new one.
#
# Every litmus program under the same schedules both ways, with the snapshot and
# with a process for each execution: the same outcomes, counts and schedules, and
# the same bytes of trace for every single execution. ISOLATE_RUNS executions of
# each (make soak runs more). Once more without traces: what a restore then does not
# look at, since nobody can have written there, is as it was (sched/confined.h).
. suites/tests/build_litmus.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work ISOLATE_RUNS="${ISOLATE_RUNS:-8}"
one='
name=$(basename "$1" .c)
exe=$BUILD/litmus/$name
why=
[ -x "$exe" ] || { echo "not ok $name: does not build"; exit 0; }
for strategy in random dpor; do
    for how in quiet fork; do
        mkdir -p "$work/$name/$how"
        cd "$work/$name/$how"
        HEDDLE_OPTIONS="explore each strategy=$strategy seed=3 executions=$ISOLATE_RUNS steps=5000 $how milliseconds=60000 trace=. result=7" \
            timeout 100 "$exe" 7> lines > /dev/null 2>&1
        sed -i "/^nanoseconds/d" lines
        grep -q "^done" lines || why="${why:-does not come to its end ($strategy, $how)}"
    done
    diff -r "$work/$name/quiet" "$work/$name/fork" > "$work/$name.diff" ||
        why="${why:-$strategy: $(head -n 3 "$work/$name.diff" | tr "\n" " ")}"
    [ -s "$work/$name/fork/0.trace" ] || why="${why:-no trace was compared}"
    HEDDLE_OPTIONS="explore verify strategy=$strategy seed=3 executions=40 steps=5000 milliseconds=60000 result=7" \
        timeout 100 "$exe" 7> "$work/$name/lines" > /dev/null 2> "$work/$name/said"
    grep -q "^done" "$work/$name/lines" || why="${why:-$strategy, verify: $(head -n 1 "$work/$name/said")}"
    rm -rf "$work/$name"
done
if [ -n "$why" ]; then echo "not ok $name: $why"; else echo "ok $name is the same in a process of its own"; fi
rm -f "$work/$name.diff"
'
ls "$PWD"/suites/litmus/*.c | xargs -P 2 -n 1 sh -c "$one" one
