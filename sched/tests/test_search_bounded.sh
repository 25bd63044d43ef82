#!/bin/sh
# Searches with a bound on preemptions against plain enumeration with the same
# bound: the same outcomes and the same classes; and no schedule runs twice.
. sched/tests/search/run.sh

for file in mutex shared cond data life time spin; do
    build "$file" "$file.c"
done

for each in mutex:mutex_abba mutex:try_both mutex:mutex_late mutex:try_retry shared:rw_two_readers \
    shared:sem_try_and_wait shared:once_slow shared:barrier_two cond:cond_flag cond:cond_lost \
    cond:cond_who cond:cond_timed data:store_buffer data:cas_three data:plain_increments \
    data:late_race life:nested life:exit_early life:assertion life:choose_both life:yields \
    time:equal_naps time:timed_lock time:timed_sem spin:wait_atomic spin:tas_lock; do
    file=${each%:*} case=${each#*:} why=
    for bound in 0 1 2; do
        explore "all:$bound" 1000000 all "$work/$file" "$case"
        MORE=each explore "bounded:$bound" 1000000 bounded "$work/$file" "$case"
        cmp -s "$work/all.outcomes" "$work/bounded.outcomes" || why="$why; outcomes differ at $bound"
        [ "$(total all classes)" = "$(total bounded classes)" ] ||
            why="$why; $(total all classes) and $(total bounded classes) classes at $bound"
        twice=$(awk '/^restart/ { print "restart" } /^finding/ { text = "" }
                     /^(choice|value)/ { text = text " " $0 } /^end$/ { print text }' \
            "$work/bounded.result" | awk '/restart/ { for (k in seen) delete seen[k]; next }
                     seen[$0]++ == 1 { n++ } END { print n + 0 }')
        [ "$twice" = 0 ] || why="$why; $twice schedules ran twice at $bound"
    done
    if [ -z "$why" ]; then echo "ok bounded_$case"; else echo "not ok bounded_$case: $why"; fi
done

# Unbounded in effect, it is complete and says so; cut, it does not.
explore bounded:1000 1000000 whole "$work/mutex" mutex_abba
if [ "$(total whole exhausted)" = 1 ] && [ "$(total whole classes)" = 3 ]; then
    echo "ok bounded_that_cuts_nothing_is_complete"
else
    echo "not ok bounded_that_cuts_nothing_is_complete: $(tr '\n' ' ' < "$work/whole.totals")"
fi
explore bounded:0 1000000 cut "$work/mutex" mutex_abba
if [ "$(total cut exhausted)" = 0 ]; then
    echo "ok bounded_that_cuts_is_not"
else
    echo "not ok bounded_that_cuts_is_not: $(tr '\n' ' ' < "$work/cut.totals")"
fi
