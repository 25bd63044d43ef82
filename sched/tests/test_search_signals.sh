#!/bin/sh
# Signals from thread to thread: every search finds what plain enumeration finds, of each
# class one execution, wherever the first one had the signal; and says that it is not
# complete, with a note.
. sched/tests/search/run.sh

build signals signals.c

signals() { # signals CASE CLASSES OUTCOMES EXHAUSTED
    why=
    for strategy in all dpor bounded:8 portfolio; do
        explore "$strategy" 100000 out "$work/signals" "$1"
        [ "$strategy" = all ] && cp "$work/out.outcomes" "$work/all.outcomes"
        [ "$strategy" = portfolio ] || [ "$(total out classes)" = "$2" ] ||
            why="$why; $strategy: $(total out classes) classes"
        [ "$strategy" != dpor ] || [ "$(total out executions)" = "$2" ] ||
            why="$why; $strategy: $(total out executions) executions"
        [ "$(wc -l < "$work/out.outcomes")" = "$3" ] ||
            why="$why; $strategy: $(wc -l < "$work/out.outcomes") outcomes"
        cmp -s "$work/out.outcomes" "$work/all.outcomes" || why="$why; $strategy: other outcomes"
        [ "$(total out exhausted)" = "$4" ] || why="$why; $strategy: exhausted $(total out exhausted)"
        [ "$4" = 1 ] || grep -q '^note signals between threads' "$work/out.result" ||
            why="$why; $strategy: no note"
    done
    if [ -z "$why" ]; then echo "ok $1"; else echo "not ok $1: $why"; fi
}
signals kill_stores 5 2 0
signals kill_looks 7 5 0
signals kill_in_lock 5 3 0
signals kill_pauses 2 2 0
signals kill_masked 8 4 0
signals kill_ends 5 4 0
signals kill_late 4 4 0
signals queue_stores 5 2 0
signals kill_detached 5 2 1
signals process_stores 10 3 0
signals process_locks 9 2 0
signals process_alone 1 1 1
