#!/bin/sh
# A search ends when its time is over, whatever the program does; what only the
# schedule or a missing timer brought about is no failure, and no complete search.
. sched/tests/search/run.sh

build ends ends.c

ends() { # ends NAME CASE STRATEGY OPTIONS ENDED FAILURE
    MORE=$4 explore "$3" 100000 out "$work/ends" "$2"
    ended=$(awk '$1 == "ended" { print $2 }' "$work/out.result")
    failure=$(awk '$1 == "failure" { print $2; exit }' "$work/out.result")
    if [ "$ended" = "$5" ] && [ "${failure:-none}" = "$6" ] &&
        { [ "$6" != none ] || [ "$(total out exhausted)" = 0 ]; }; then
        echo "ok ends_$1"
    else
        echo "not ok ends_$1: ended by $ended, failure ${failure:-none}, $(tr '\n' ' ' < "$work/out.totals")"
    fi
}
ends long_executions counting dpor milliseconds=700 time none
ends no_event_at_all computing random milliseconds=700 time none
ends unfair_schedules polling dpor 'steps=3000 milliseconds=700' time none
ends nobody_else alone dpor steps=3000 search livelock
for strategy in dpor bounded:2; do
    ends "aside_$strategy" aside $strategy steps=3000 search livelock
    if grep -q '^message .*goes round without end' "$work/out.result" && [ "$(total out cut)" = 0 ]; then
        echo "ok ends_aside_at_once_$strategy"
    else
        echo "not ok ends_aside_at_once_$strategy: $(tr '\n' ' ' < "$work/out.totals")"
    fi
done
aside() { # aside CASE
    explore dpor 100000 out "$work/ends" "$1"
    if [ "$(total out cut)" = 0 ] && [ "$(total out exhausted)" = 1 ] && ! grep -q '^failure' "$work/out.result"; then
        echo "ok ends_$1"
    else
        echo "not ok ends_$1: $(grep -m1 '^failure' "$work/out.result") $(tr '\n' ' ' < "$work/out.totals")"
    fi
}
aside aside_for_once
aside aside_often
ends a_timer_with_a_handler alarmed dpor '' search none
ends a_timer_waited_for waited dpor '' search none
ends a_timer_that_kills guarded dpor '' search deadlock
ends a_timer_beside ticking dpor '' search none
ends a_timer_before_its_handler handled_later dpor '' search none
ends a_fork_beside_a_thread forking dpor '' search none

for case in disarmed forking_alone; do
    MORE='' explore dpor 1000 out "$work/ends" $case
    if [ "$(total out exhausted)" = 1 ]; then echo "ok ends_$case"
    else echo "not ok ends_$case: $(tr '\n' ' ' < "$work/out.totals")"; fi
done

# Who polls under a lock is not let go on for ever by strategies that may choose.
for strategy in dpor bounded:2 pct:3 random pos surw; do
    explore $strategy 60 out "$work/ends" stealing
    if [ "$(total out cut)" = 0 ] && [ "$(total out executions)" = 60 ]; then
        echo "ok no_turn_without_end_$strategy"
    else
        echo "not ok no_turn_without_end_$strategy: $(tr '\n' ' ' < "$work/out.totals")"
    fi
done
