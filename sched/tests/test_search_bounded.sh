#!/bin/sh
# Searches with a bound on preemptions against plain enumeration with the same
# bound: the same outcomes and the same classes; and no schedule runs twice.
. sched/tests/search/run.sh

for file in mutex shared held cond data life time spin polls process; do
    build "$file" "$file.c"
done

bounds=0
for each in mutex:mutex_two mutex:mutex_twice mutex:mutex_nested mutex:mutex_abba mutex:mutex_gated \
    mutex:mutex_late mutex:try_and_lock mutex:try_both mutex:try_retry mutex:held_at_end \
    mutex:mutex_recursive mutex:mutex_not_mine mutex:mutex_robust mutex:spin_two mutex:spin_tried \
    shared:rw_readers shared:rw_writers shared:rw_one_each shared:rw_two_readers \
    shared:rw_reads_twice shared:rw_try_read shared:rw_try_write shared:rw_upgrade \
    shared:sem_hand_over shared:sem_try shared:sem_try_and_wait shared:sem_lock shared:sem_ping_pong \
    shared:sem_value shared:barrier_two shared:barrier_again shared:once_two shared:once_slow \
    held:all_stay held:tries_stay_all held:writer_among_tries held:stream_twice held:futex_one \
    cond:cond_flag cond:cond_lost cond:cond_outside cond:cond_one_of_two cond:cond_timed \
    cond:cond_timed_alone data:store_buffer data:message data:two_writes data:only_reads \
    data:cas_two data:cas_three data:increments data:plain_increments data:volatile_buffer \
    data:late_race data:mixed_sizes data:wide_and_half life:nested life:exit_early life:assertion \
    life:choose_both life:yields life:keys life:canceled life:output life:memory time:equal_naps \
    time:nap_or_not time:timed_lock time:timed_sem spin:wait_atomic spin:tas_lock spin:wait_yield \
    polls:poll_one polls:poll_late process:end_printed process:end_two process:end_handler \
    process:end_by_other process:end_by_either process:end_or_failure process:end_failure_first; do
    file=${each%:*} case=${each#*:} why=
    for bound in 0 1 2 3; do
        explore "all:$bound" 20000 all "$work/$file" "$case"
        [ "$(total all executions)" -lt 20000 ] || continue
        bounds=$((bounds + 1))
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

[ "$bounds" -ge 250 ] || echo "not ok bounded_compared: only $bounds programs and bounds"

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
