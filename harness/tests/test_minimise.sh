#!/bin/sh
# test_minimise.sh - the schedule of a failure has as few preemptions as there can be: as
# many as the first of bounded:0, bounded:1, ... that finds it when each is searched whole.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$BUILD/bin:$PATH
one() { python3 -c 'import json, sys
doc = json.load(open(sys.argv[1]))
failure = doc["failures"][0] if doc["failures"] else None
if sys.argv[2] == "id": print(failure["id"] if failure else "none")
if sys.argv[2] == "whole": print("bound" in doc["statistics"] or doc["statistics"]["exhausted"])
if sys.argv[2] == "schedule":
    for thread, events in failure["schedule"]["choices"]: print(thread, events)
    for value in failure["schedule"]["values"]: print("value", value)' "$@"; }
least() { # PROGRAM: by search
    for most in 0 1 2 3; do
        heddle explore --quiet --strategy bounded:$most -o "$work/b.json" "$1" < /dev/null
        [ "$(one "$work/b.json" whole)" = True ] || { echo "bounded:$most is not through"; return; }
        [ "$(one "$work/b.json" id)" = none ] || { echo $most; return; }
    done
    echo none
}
preemptions() { # PROGRAM: of the schedule in $work/v.json, as the runtime counts them
    one "$work/v.json" schedule > "$work/schedule"
    HEDDLE_OPTIONS="result=9 strategy=replay:$work/schedule" "$1" 9> "$work/told" > /dev/null 2>&1 < /dev/null
    sed -n 's/^preemptions //p' "$work/told"
}
for name in lost_update split_pair philosophers vector_copy seqlock_unchecked iterator_invalid \
    last_element racy_counter tas_lock_split peterson_late termination_flag; do
    p=$work/$name
    heddle-cc -g -O1 suites/litmus/$name.c -o "$p" || { echo "not ok $name builds"; continue; }
    wanted=$(least "$p")
    for how in test 'explore --strategy dpor' 'explore --strategy random --executions 300'; do
        heddle $how --quiet -o "$work/v.json" "$p" < /dev/null
        got=$(preemptions "$p")
        if [ "$got" = "$wanted" ]; then echo "ok $name, $how: $got"; else echo "not ok $name, $how: $got preemptions, $wanted would do"; fi
    done
done
