#!/bin/sh
# Undefined behaviour ends with the right kind of failure and a sentence that
# says what was done to what, never with a hang: the table is in misuse.c.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS
if ! "$BUILD/bin/heddle-cc" -g -O1 sched/tests/pthread/misuse.c -o "$work/misuse" 2>"$work/log"; then
    echo "not ok misuse_builds: $(head -1 "$work/log")"
    exit 1
fi
"$work/misuse" >"$work/cases" 2>/dev/null
[ -s "$work/cases" ] || echo "not ok misuse_lists_its_cases: it does not"
while read -r name kind words; do
    timeout 10 "$work/misuse" "$name" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ $status -ne 0 ] && [ $status -ne 124 ] && grep -q "^heddle: $kind in thread .*$words" "$work/err"; then
        echo "ok misuse_$name"
    else
        echo "not ok misuse_$name: status $status, wanted $kind ... $words, got $(tail -1 "$work/err")"
    fi
done <"$work/cases"
# What goes wrong inside of the runtime or of libc is told of the line that called them.
for name in no_mutex no_memory garbage_mutex; do
    "$BUILD/bin/heddle" run "$work/misuse" $name 2>"$work/err" >/dev/null
    line=$(sed -n "/static void $name(/=" sched/tests/pthread/misuse.c)
    if grep -q "in thread 0 at .*misuse.c:$line:" "$work/err"; then
        echo "ok misuse_${name}_is_where_it_is_written"
    else
        echo "not ok misuse_${name}_is_where_it_is_written: line $line, not $(head -1 "$work/err")"
    fi
done
for level in -O0 -O2; do
    "$BUILD/bin/heddle-cc" -g $level sched/tests/pthread/prepared.c -o "$work/prepared"
    out=$("$BUILD/bin/heddle" run -q "$work/prepared" 2>&1)
    "$BUILD/bin/heddle" explore -q --executions 50 -o "$work/prepared.json" "$work/prepared"
    if [ "$? $out" = "0 all of them" ]; then
        echo "ok misuse_is_not_what_was_initialised ($level)"
    else
        echo "not ok misuse_is_not_what_was_initialised ($level): $out"
    fi
done
