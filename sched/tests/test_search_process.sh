#!/bin/sh
# The end of the process against what others still do: with static data as part of the
# outcome, and by every search that can be complete.
. sched/tests/search/run.sh

build process process.c

known() { # known CASE OUTCOMES OPTIONS: every complete search finds as many as enumeration
    for strategy in all dpor bounded:8 portfolio; do
        MORE=$3 explore "$strategy" 100000 "$1" "$work/process" "$1"
        [ "$strategy" = all ] && cp "$work/$1.outcomes" "$work/all.outcomes"
        found=$(wc -l < "$work/$1.outcomes")
        if [ "$found $(total "$1" exhausted)" = "$2 1" ] &&
            cmp -s "$work/all.outcomes" "$work/$1.outcomes"; then
            echo "ok process_$1_$strategy"
        else
            echo "not ok process_$1_$strategy: $found outcomes, wanted $2, exhausted $(total "$1" exhausted)"
        fi
    done
}
known end_set 3 globals
known end_printed 3 ''
known end_by_other 3 ''
known end_or_failure 2 ''
known end_failure_first 2 ''
