#!/bin/sh
# What may come between any two operations (asynchronous cancellation, handlers): the
# complete search sees what plain enumeration sees. Neither says that it is complete,
# since between two instructions of one stretch it is not tried.
. sched/tests/search/run.sh

build anytime anytime.c
for case in $(HEDDLE_OPTIONS= "$work/anytime"); do
    why=
    explore all 1000000 all "$work/anytime" "$case"
    explore dpor 1000000 dpor "$work/anytime" "$case"
    [ "$(wc -l < "$work/all.outcomes")" -gt 2 ] || why="nothing to compare"
    [ "$(total all exhausted)" = 0 ] || why="$why; enumeration says that it is complete"
    [ "$(total dpor exhausted)" = 0 ] || why="$why; the search says that it is complete"
    [ "$(total dpor executions)" = "$(total dpor classes)" ] || why="$why; a class twice"
    cmp -s "$work/all.outcomes" "$work/dpor.outcomes" || why="$why; the outcomes differ: $(diff "$work/all.outcomes" "$work/dpor.outcomes" | tr '\n' ' ')"
    if [ -z "$why" ]; then echo "ok $case"; else echo "not ok $case: $why"; fi
done
