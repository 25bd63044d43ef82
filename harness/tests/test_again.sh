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
# Programs that follow the schedule to its end and do something else on the way.
cat > "$work/q.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int x, y;
static void *bump(void *arg) {
    x++;
    y = 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, bump, NULL);
    pthread_create(&b, NULL, bump, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
C
heddle-cc -g -O1 "$work/q.c" -o "$work/q" || exit 1
heddle test --quiet -o "$work/q.json" "$work/q" < /dev/null
failure=$(ids "$work/q.json" | tr ' ' '\n' | grep F)
race=$(awk '/"id": "W/ { id = $2 } /"variable": "x"/ { print id; exit }' "$work/q.json" | tr -d '",')
edit() { # NAME ENTRY WANTED WHY SED
    sed "$5" "$work/q.c" > "$work/e.c"
    heddle-cc -g -O1 "$work/e.c" -o "$work/q" || echo "not ok $1: it does not build"
    heddle replay "$work/q.json#$2" > "$work/out" 2> "$work/err" < /dev/null
    check "$1" "$? $(grep -c "$4" "$work/err")" "$3 1"
}
edit "a_message_does_not_matter" $failure 1 'the schedule still fits' 's/x == 2/x == 2 \&\& "both"/'
edit "nor_do_other_lines" $race 1 'the schedule still fits' 's/^static int x, y;/\n\n&/'
edit "another_variable_does" $race 3 'no read of x in bump any more; the program was built anew' 's/x++/y++/; s/y = 1/x = 1/'
edit "another_function_does" $race 3 'no [a-z]* of x in bump any more' 's/bump/other/'
edit "a_failure_that_is_gone" $failure 3 'it ends well now, not with assertion' 's/x == 2/x >= 1/'
edit "another_failure" $failure 3 'it ends with exit now, not with assertion' 's/assert(x == 2)/if (x != 2) return 4/'
edit "an_access_less" $race 3 'not the same execution' 's/x++/x = 1/'
edit "a_lock_more" $race 3 'not the same execution' 's/^static int x, y;/& static pthread_mutex_t m;/; s/x++;/pthread_mutex_lock(\&m); x++; pthread_mutex_unlock(\&m);/'
edit "a_thread_less" $race 3 'not the same execution' '/&b, NULL/d; s/pthread_join(b, NULL);//; s/, b;/;/'
