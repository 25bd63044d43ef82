# Executions a second of small programs: all by processor time of the whole command.

# rate STRATEGY EXECUTIONS PROGRAM [OPTIONS...]: executions a second of processor time
rate() {
    strategy=$1 many=$2 program=$3
    shift 3
    # what the command costs without the executions is taken off
    idle=$(spend 3 heddle explore --jobs 1 --strategy "$strategy" --executions 1 "$@" -o "$work/v.json" "$program")
    busy=$(spend 3 heddle explore --jobs 1 --strategy "$strategy" --executions "$many" "$@" -o "$work/v.json" "$program")
    calc %.0f "$(field "$work/v.json" executions)/($busy-$idle)"
}
locked=sched/tests/search/anchor_locked.c
heddle-cc -O2 -DN=4 $locked -o "$work/locked"
gcc -O2 -DN=4 -Dmain=workload -c $locked -o "$work/locked.o"
gcc -O2 $bench/forks.c "$work/locked.o" -o "$work/forks" -pthread
forks=$(calc %.0f "3000/$(spend 3 "$work/forks" 3000)")

random=$(rate random 300000 "$work/locked")
row '2 threads x 4 locked increments, random' "$random/s" "a fork of the plain program, $forks/s" \
    "$(calc %.0fx "$random/$forks")" '50x' "$(met "$random/$forks >= 50")"
apart=$(rate random 3000 "$work/locked" --isolate fork)
row '  put back in one process' "$random/s" "--isolate fork, $apart/s" \
    "$(calc %.0fx "$random/$apart")" '50x' "$(met "$random/$apart >= 50")"
row '  on one core' "$random/s" - - '250,000/s' "$(met "$random >= 250000")"
if [ -n "${ns_bare:-}" ]; then
    row '  in fiber switches' "$(calc '%.0f ns' "1e9/$random")" "bare switch, $ns_bare ns" \
        "$(calc %.0fx "1e9/$random/$ns_bare")" - -
fi
for strategy in pct pos surw; do
    other=$(rate $strategy 300000 "$work/locked")
    row "  $strategy" "$other/s" "random, $random/s" "$(calc %.2fx "$other/$random")" - -
done
heddle-cc -O2 -DN=8 $locked -o "$work/locked8"
walk=$(rate random 12870 "$work/locked8")
search=$(rate dpor 1000000 "$work/locked8")
row '2 threads x 8 locked increments, dpor' "$search/s" "random, $walk/s" \
    "$(calc '%.2fx slower' "$walk/$search")" 'at most 3x' "$(met "$walk/$search <= 3")"

heddle-cc -O2 -DMAPPED=64 $bench/touch.c -o "$work/much"
heddle-cc -O2 -DMAPPED=1 $bench/touch.c -o "$work/little"
much=$(rate random 3000 "$work/much")
little=$(rate random 3000 "$work/little")
row '100 kB touched of 64 MB mapped' "$much/s" "of 1 MB mapped, $little/s" \
    "$(calc %.2fx "$much/$little")" 'about 1x' "$(met "$much/$little >= 0.7")"

# two LABEL STRATEGY EXECUTIONS PROGRAM: two workers against one, on the clock
two() {
    start=$(date +%s.%N)
    heddle explore --jobs 1 --strategy "$2" --executions "$3" -o "$work/v.json" "$4" 2> /dev/null
    middle=$(date +%s.%N)
    heddle explore --jobs 2 --strategy "$2" --executions "$3" -o "$work/v.json" "$4" 2> /dev/null
    end=$(date +%s.%N)
    one=$(calc %.3f "$middle-$start") both=$(calc %.3f "$end-$middle")
    row "$1" "$(calc '%.2f s' "$both")" "one worker, $(calc '%.2f s' "$one")" \
        "$(calc %.2fx "$one/$both")" '1.8x' "$(met "$one/$both >= 1.8")"
}
heddle-cc -O2 -DN=6 sched/tests/search/anchor_atomic.c -o "$work/atomic6"
two 'two workers, random, time on the clock' random 300000 "$work/locked"
two '  dpor, two threads x 6 atomic increments' dpor 300000 "$work/atomic6"
two '  bounded:8, the same' bounded:8 300000 "$work/atomic6"
two '  portfolio, the same' portfolio 300000 "$work/atomic6"
