#!/bin/sh
# Nothing passes in silence: what heddle does not control is let through with a
# note or refused by name. The table is in rules.c.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS
if ! "$BUILD/bin/heddle-cc" -g -w sched/tests/pthread/rules.c -o "$work/rules" 2>"$work/log"; then
    echo "not ok rules_builds: $(head -1 "$work/log")"
    exit 1
fi
"$work/rules" >"$work/cases" 2>/dev/null
[ -s "$work/cases" ] || echo "not ok rules_lists_its_cases: it does not"
while read -r name wanted words; do
    timeout 10 "$work/rules" "$name" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$words" = - ]; then said=$([ -s "$work/err" ] || echo yes)
    else said=$(grep -q "$words" "$work/err" && echo yes); fi
    if [ $status -eq "$wanted" ] && [ "$said" = yes ]; then echo "ok rule_$name"
    else echo "not ok rule_$name: status $status of $wanted, wanted $words, got $(head -1 "$work/err")"; fi
    [ "$wanted" -eq 3 ] || continue
    timeout 10 "$BUILD/bin/heddle" run "$work/rules" "$name" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ $status -eq 3 ] && grep -q "$words" "$work/err" && ! grep -q 'was lost' "$work/err"; then
        echo "ok rule_${name}_under_the_command"
    else echo "not ok rule_${name}_under_the_command: status $status, $(tail -1 "$work/err")"; fi
done <"$work/cases"

"$BUILD/bin/heddle-cc" -g -w -DHALFWAY sched/tests/pthread/early.c -o "$work/early"
timeout 10 "$work/early" >"$work/out" 2>"$work/err" </dev/null
status=$?
if [ $status -eq 3 ] && grep -q 'in the middle of its work' "$work/err"; then
    echo "ok rule_halfway_before_main"
else echo "not ok rule_halfway_before_main: status $status, $(head -1 "$work/err")"; fi

outcomes() {
    HEDDLE_OPTIONS="explore strategy=dpor executions=10000 result=3 $2" \
        "$work/rules" "$1" 3>&1 >/dev/null 2>&1 </dev/null | awk '$1 == "status" { print $2 }' |
        sort -u | tr '\n' ' '
}
# A child that was forked leaves the search to its parent.
for isolate in "" fork; do
    seen=$(outcomes threads_fork $isolate)
    if [ "$seen" = "0 " ]; then echo "ok threads_fork_$isolate"
    else echo "not ok threads_fork_$isolate: $seen"; fi
done
timeout 60 "$BUILD/bin/heddle" test -o "$work/verdicts.json" "$work/rules" threads_fork \
    >/dev/null 2>"$work/err" </dev/null
status=$?
if [ $status -eq 0 ] && grep -q 'the child runs as a plain process' "$work/err"; then
    echo "ok a_program_that_forks_is_tested"
else echo "not ok a_program_that_forks_is_tested: status $status, $(head -1 "$work/err")"; fi

# Spurious wake-ups are found when asked for, and only then.
seen=$(outcomes spurious)
if [ "$seen" = "0 " ]; then echo "ok nobody_wakes_for_nothing"
else echo "not ok nobody_wakes_for_nothing: $seen"; fi
seen=$(outcomes spurious spurious-wakeups)
if [ "$seen" = "0 9 " ]; then echo "ok who_asks_wakes_for_nothing"
else echo "not ok who_asks_wakes_for_nothing: $seen"; fi
