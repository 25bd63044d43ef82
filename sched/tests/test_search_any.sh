#!/bin/sh
# The complete search against enumeration on programs drawn at random: the same
# classes, each once, and the same outcomes; what is too large to enumerate is
# passed over, but what was seen of it must be known. With a bound on preemptions:
# the same outcomes and classes as enumeration with that bound. With SOAK, many
# more programs.
. sched/tests/search/run.sh

build any any.c sched/tests/search/any_more.c sched/tests/search/any_pieces.c
many=100 first=1
[ -n "${SOAK:-}" ] && many=2000 first=1001

against_all() {
    explore dpor 4000 dpor "$work/any" "$number" "$kind"
    [ "$(total dpor exhausted)" = 1 ] || return
    explore all:visible 20000 all "$work/any" "$number" "$kind"
    if [ "$(total all exhausted)" != 1 ]; then
        new=$(comm -23 "$work/all.outcomes" "$work/dpor.outcomes")
        [ -z "$new" ] || why="$why; $number: outcomes that the search does not know"
        return
    fi
    compared=$((compared + 1))
    of=$(total all classes)
    [ "$of" = "$(total all endings)" ] || why="$why; $number: one class, several outcomes"
    # How bytes fall into variables follows from the accesses that were seen so far: the
    # two may tell pieces of a word apart that the other does not.
    [ "$kind" = pieces ] && of=$(total dpor classes)
    [ "$of $of" = "$(total dpor executions) $(total dpor classes)" ] ||
        why="$why; $number: $of classes, search $(tr '\n' ' ' < "$work/dpor.totals")"
    cmp -s "$work/all.outcomes" "$work/dpor.outcomes" || why="$why; $number: other outcomes"
    [ $((number % 8)) = 0 ] && with_bound "$of"
}

with_bound() { # with_bound CLASSES: of the program without any bound
    for bound in 0 1 2; do
        explore "all:$bound" 20000 all "$work/any" "$number" "$kind"
        [ "$(total all executions)" -lt 20000 ] || continue
        explore "bounded:$bound" 100000 bounded "$work/any" "$number" "$kind"
        { [ "$kind" = pieces ] || [ "$(total all classes)" = "$(total bounded classes)" ]; } &&
            cmp -s "$work/all.outcomes" "$work/bounded.outcomes" ||
            why="$why; $number: bounded:$bound differs"
        [ "$(total bounded exhausted)" = 0 ] || [ "$kind" = pieces ] || [ "$(total bounded classes)" = "$1" ] ||
            why="$why; $number: bounded:$bound calls complete what is not"
    done
}

for kind in plain cancel timed locks writers woken more pieces; do
    MORE=
    [ "$kind" = woken ] && MORE=spurious-wakeups
    number=$first compared=0 why=
    while [ "$number" -lt $((first + many)) ]; do
        against_all
        number=$((number + 1))
    done
    [ "$compared" -ge $((many / 2)) ] || why="$why; only $compared of $many compared"
    if [ -z "$why" ]; then echo "ok any_$kind"; else echo "not ok any_$kind: $why"; fi
done
