# test_watch.sh - what stands still is told, and never hangs.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/team.c" <<'C'
int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    return sum != 4950;
}
C
cat > "$work/waits.c" <<'C'
#include <stdlib.h>
int main(void) { return system("sleep 5"); }
C
cat > "$work/spins.c" <<'C'
int main(void) {
    for (unsigned i = 1; i; i += 2) __asm__ volatile("");
    return 0;
}
C
cat > "$work/may_spin.c" <<'C'
#include <pthread.h>
static int flag;
static void *look(void *argument) {
    if (flag) for (;;) { }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    flag = 1;
    pthread_join(thread, NULL);
    return 0;
}
C
expect() { # expect NAME STATUS TEXT COMMAND...
    name=$1 want=$2 text=$3
    shift 3
    timeout 60 "$@" > "$work/out" 2>&1
    got=$?
    if [ $got -eq "$want" ] && grep -q "$text" "$work/out"; then
        echo "ok $name"
    else
        echo "not ok $name: exit $got: $(tail -n 2 "$work/out" | tr '\n' ' ')"
    fi
}
heddle-cc -g -fopenmp "$work/team.c" -o "$work/team"
heddle-cc -g "$work/waits.c" -o "$work/waits"
heddle-cc -g "$work/spins.c" -o "$work/spins"
heddle-cc -g "$work/may_spin.c" -o "$work/may_spin"
expect "a library that waits by itself is named" 3 "waits in libgomp" "$work/team"
expect "a wait for the outside is told and goes on" 0 "waited in a system call" "$work/waits"
expect "a loop without events is a timeout" 1 "without any event" \
    env HEDDLE_OPTIONS=watchdog=1 "$work/spins"
expect "an execution that the time is over for is said to be that" 0 \
    "note: 1 execution was cut at --steps or when the time was over" \
    heddle test --time 1 -o "$work/verdicts.json" "$work/spins"
HEDDLE_OPTIONS="watchdog=4 fork explore executions=10 result=3 strategy=dpor" timeout 60 "$work/may_spin" 3> "$work/results" 2> "$work/out"
if grep -q '^failure timeout' "$work/results" && grep -q '^executions 2' "$work/results" && [ ! -s "$work/out" ]; then
    echo "ok in a process of its own a loop without events is a timeout, too"
else
    echo "not ok in a process of its own a loop without events is a timeout, too: $(cat "$work/results" "$work/out" | tr '\n' ' ')"
fi
# The watch looks once a second; the end of the time is not rounded up to two of its looks.
before=$(date +%s%N)
timeout 60 heddle explore --quiet --time 3 --strategy dpor -o "$work/verdicts.json" "$work/may_spin"
took=$((($(date +%s%N) - before) / 1000000))
if [ $took -lt 3800 ]; then echo "ok the time is over when it is over"; else
    echo "not ok the time is over when it is over: $took ms"
fi
