#!/bin/sh
# Waits that end for nothing: the complete search against enumeration, and loops that
# are not woken again where that makes no difference against loops that count.
. sched/tests/search/run.sh
MORE=spurious-wakeups

build woken woken.c
HEDDLE_OPTIONS= "$work/woken" > "$work/cases"
while read -r case; do
    why=
    explore all:visible 1000000 all "$work/woken" "$case"
    explore dpor 1000000 dpor "$work/woken" "$case"
    classes=$(total all classes)
    [ "$classes $classes" = "$(total dpor executions) $(total dpor classes)" ] ||
        why="$classes classes, search $(tr '\n' ' ' < "$work/dpor.totals")"
    [ "$(total all endings)" = "$classes" ] || why="$why; one class, several outcomes"
    cmp -s "$work/all.outcomes" "$work/dpor.outcomes" || why="$why; other outcomes"
    # Complete: unless it could have gone on for ever, which is told.
    case $case in *_counted | *tried) complete=0 ;; *) complete=1 ;; esac
    [ "$case" = woken_read_tried ] && complete=1
    [ "$(total dpor exhausted)" = "$complete" ] || why="$why; complete: $(total dpor exhausted)"
    cp "$work/dpor.outcomes" "$work/$case.outcomes"
    if [ -z "$why" ]; then echo "ok $case"; else echo "not ok $case: $why"; fi
done < "$work/cases"

for counted in "$work"/*_counted.outcomes; do
    case=$(basename "${counted%_counted.outcomes}")
    for each in "$work/$case.outcomes" "$counted"; do
        sed "s/\[[^]]*\]//g; s/_counted//g" "$each" | sort -u > "$each.seen"
    done
    missed=$(comm -13 "$work/$case.outcomes.seen" "$counted.seen")
    if [ -z "$missed" ]; then echo "ok as_often_as_counts_$case"
    else echo "not ok as_often_as_counts_$case: $missed"; fi
done
