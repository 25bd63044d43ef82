#!/bin/sh
# test_determinism.sh - the first promise: the same seed, the same execution.
#
# For every litmus program: a hundred executions in one process, all drawing the
# same chance, are of one class and have one outcome; two fresh processes with
# the same seed write the same bytes of trace and schedule; the schedule replays
# in another process to the same bytes, with address randomisation off and on.
. suites/tests/build_litmus.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
one='
name=$(basename "$1" .c)
exe=$BUILD/litmus/$name
why=
[ -x "$exe" ] || { echo "not ok $name: does not build"; exit 0; }
cd "$work"
HEDDLE_OPTIONS="explore strategy=random same seed=3 executions=100 steps=20000 milliseconds=20000 result=7" \
    timeout 60 "$exe" 7> "$name.result" > /dev/null 2>&1
classes=$(sed -n "s/^classes //p" "$name.result")
kinds=$(grep -c "^count" "$name.result")
[ "$classes" = 1 ] && [ "$(grep -c "^count .* [1-9]" "$name.result")" = 1 ] || why="$classes classes and $kinds outcomes of one schedule"
for i in 1 2; do
    timeout 60 "$BUILD/bin/heddle" run --quiet --seed 5 --strategy random --steps 20000 \
        --trace "$name.$i.trace" --schedule "$name.$i.schedule" "$exe" > "$name.$i.out" 2>&1
done
cmp -s "$name.1.trace" "$name.2.trace" || why="${why:-two traces of one seed differ}"
cmp -s "$name.1.schedule" "$name.2.schedule" || why="${why:-two schedules of one seed differ}"
timeout 60 "$BUILD/bin/heddle" run --quiet --strategy replay:"$name.1.schedule" --steps 20000 \
    --trace "$name.3.trace" --schedule "$name.3.schedule" "$exe" > /dev/null 2>&1
cmp -s "$name.1.trace" "$name.3.trace" || why="${why:-the replay of a schedule has another trace}"
cmp -s "$name.1.schedule" "$name.3.schedule" || why="${why:-the replay of a schedule has another schedule}"
tr -d "\n" < "$name.1.schedule" | sed -e "s/.*\"choices\": \[//" -e "s/\],  *\"values\".*//" |
    grep -o "\"[0-9.]*\", [0-9]*" | tr -d "\"," > "$name.plain"
sed -n "s/.*\"values\": \[\(.*\)\].*/\1/p" "$name.1.schedule" | tr "," "\n" | sed -n "s/^ *\([0-9][0-9]*\)/value \1/p" >> "$name.plain"
HEDDLE_OPTIONS="strategy=replay:$name.plain steps=20000 schedule=$name.4.plain" timeout 60 "$exe" > /dev/null 2>&1
cmp -s "$name.plain" "$name.4.plain" || why="${why:-the schedule does not replay with randomised addresses}"
if [ -n "$why" ]; then echo "not ok $name: $why"; else echo "ok $name is the same every time"; fi
rm -f "$name".*
'
ls suites/litmus/*.c | sed "s|^|$PWD/|" | xargs -P 2 -n 1 sh -c "$one" one
