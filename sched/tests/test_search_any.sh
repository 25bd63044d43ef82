#!/bin/sh
# The complete search against enumeration on programs drawn at random: the same
# classes, each once, and the same outcomes. SOAK=N looks at N programs of each
# kind instead of a few; what is too large to enumerate is passed over.
. sched/tests/search/run.sh

build any any.c
for kind in plain timed; do
    number=1 compared=0 why=
    while [ "$number" -le "${SOAK:-60}" ]; do
        explore all:visible 20000 all "$work/any" "$number" "$kind"
        if [ "$(total all exhausted)" = 1 ]; then
            compared=$((compared + 1))
            explore dpor 20000 dpor "$work/any" "$number" "$kind"
            of=$(total all classes)
            [ "$of" = "$(total all endings)" ] || why="$why; $number: one class, several outcomes"
            [ "$of $of 1" = "$(total dpor executions) $(total dpor classes) $(total dpor exhausted)" ] ||
                why="$why; $number: $of classes, search $(tr '\n' ' ' < "$work/dpor.totals")"
            cmp -s "$work/all.outcomes" "$work/dpor.outcomes" || why="$why; $number: other outcomes"
        fi
        number=$((number + 1))
    done
    [ "$compared" -ge $((number / 2)) ] || why="$why; only $compared of $((number - 1)) compared"
    if [ -z "$why" ]; then echo "ok any_$kind"; else echo "not ok any_$kind: $why"; fi
done
