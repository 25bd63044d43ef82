#!/bin/sh
# test_again.sh - verdicts that outlive a run: known warnings, stable ids, replays of a
# program that has changed.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$BUILD/bin:$PATH
check() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, wanted $3"; fi
}
ids() { sed -n 's/^ *"id": "\([WF][0-9a-z]*\)",*$/\1/p' "$1" | sort | tr '\n' ' '; }
source=suites/litmus/lost_update.c
heddle-cc -g -O1 $source -o "$work/p" || exit 1
heddle test --quiet -o "$work/v.json" "$work/p" < /dev/null
check "a_harmful_warning_fails_the_run" $? 1
heddle test --quiet --baseline "$work/v.json" -o "$work/w.json" "$work/p" < /dev/null
check "known_ones_do_not" $? 0
check "two_runs_name_them_alike" "$(ids "$work/w.json")" "$(ids "$work/v.json")"
heddle test --quiet --baseline "$work/none.json" -o "$work/w.json" "$work/p" < /dev/null 2> "$work/err"
check "a_baseline_that_is_not_there_is_bad_input" $? 2
cp "$work/p" "$work/first"
{ echo '/* three'; echo ' * more'; echo ' * lines */'; cat $source; } > "$work/p.c"
heddle-cc -g -O1 "$work/p.c" -o "$work/p" || exit 1
heddle test --quiet --baseline "$work/v.json" -o "$work/w.json" "$work/p" < /dev/null
warnings() { ids "$1" | tr ' ' '\n' | grep W; }
check "other_lines_same_warnings" "$(warnings "$work/w.json")" "$(warnings "$work/v.json")"
one=$(warnings "$work/v.json" | head -n 1)
heddle replay "$work/v.json#$one" > "$work/out" 2> "$work/err" < /dev/null
grep -q 'built anew' "$work/err"
check "a_replay_says_that_the_program_was_built_anew" $? 0
sed 's/pthread_mutex_lock(&guard);/pthread_mutex_lock(\&guard); pthread_mutex_unlock(\&guard); &/' $source > "$work/p.c"
heddle-cc -g -O1 "$work/p.c" -o "$work/p" || exit 1
heddle replay "$work/v.json#$one" > "$work/out" 2> "$work/err" < /dev/null
check "a_replay_that_does_not_fit_any_more_fails" $? 3
grep -q 'not the same execution.*built anew' "$work/err"
check "and_says_why" $? 0
cp "$work/first" "$work/p"
heddle replay "$work/v.json#$one" > "$work/out" 2> "$work/err" < /dev/null
check "the_same_program_replays" "$? $(grep -c 'built anew' "$work/err")" "1 0"
heddle test -o /proc/none/v.json "$work/p" < /dev/null > /dev/null 2> "$work/err"
check "a_file_that_cannot_be_written_is_not_promised" "$? $(grep -c 'verdicts in\|heddle replay' "$work/err")" "3 0"
heddle test --quiet --executions 5 -o "$work/w.json" "$work/p" < /dev/null
check "the_budget_is_not_overdrawn" "$(sed -n 's/^ *"executions": \([0-9]*\),$/\1/p' "$work/w.json" | sort -n | tail -n 1)" 5
