#!/bin/sh
# test_values.sh - what reads saw and writes left, in traces and in the columns of a replay.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
cat > values.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int number = -3;
static long large = 1L << 60;
static signed char small;
static _Atomic int counted;
static void *work(void *arg) {
    number = number + 1;
    large = large + 1;
    small = small - 1;
    counted += 5;
    return arg;
}
int main(int argc, char **argv) {
    pthread_t a, b;
    (void)argv;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (argc > 1) *(volatile int *)(long)(argc + 6) = 1;
    return 0;
}
C
heddle-cc -g -O1 values.c -o values || { echo "not ok it builds"; exit 1; }
after() { grep -A1 "$1" text | sed -n 's/.* value //p' | tr '\n' ','; }
heddle run -q --values --trace v.trace --schedule v.json ./values
is "the trace is made" $? 0
heddle trace v.trace > text
is "reads of an int" "$(after ' rd number ')" "4294967293 0,4294967294 0,"
is "writes of an int" "$(after ' wr number ')" "4294967294 0,4294967295 0,"
is "writes of a long" "$(after ' wr large ')" "1 268435456,2 268435456,"
is "writes of a char" "$(after ' wr small ')" "255 0,254 0,"
is "atomic updates" "$(after ' vrmw counted ')" "5 0,10 0,"
heddle replay --values v.json ./values > said
is "columns show values" "$(grep -o 'write number = [-0-9]*' said | tr '\n' ',')" "write number = -2,write number = -1,"
is "columns show large values" "$(grep -c 'write large = 0x1000' said)" 2
heddle replay v.json ./values > plain
is "only when asked for" "$(grep -c 'number = -' plain)" 0
# A switch between hook and store would show the other's value: a lost update keeps its own.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    heddle run -q --strategy random --seed $seed --values --trace v.trace ./values
    heddle trace v.trace | awk '/ (rd|wr) number /{ kind = $2; who = $1; getline; if ($1 != who || $2 != "value") bad++;
        if (kind == "rd") { if ($3 != memory) bad++; seen[who] = $3 } else { if ($3 != seen[who] + 1) bad++; memory = $3 } }
        BEGIN { memory = 4294967293 } END { exit bad > 0 }' || echo "not ok values agree with each other (seed $seed)"
done
echo "ok values agree with each other under random schedules"
heddle run -q --every-access --trace without.trace --strategy random --seed 3 ./values
heddle run -q --values --trace with.trace --strategy random --seed 3 ./values
heddle check --json without.trace | grep -v '"witness"\|^ *[0-9, ]*\]*,*$' > 1.json
heddle check --json with.trace | grep -v '"witness"\|^ *[0-9, ]*\]*,*$' > 2.json
is "checkers do not look at values" "$(cmp 1.json 2.json && grep -c '"kind"' 1.json)" "$(grep -c '"kind"' 1.json)"
heddle run --values --trace crash.trace ./values x 2> said
is "a crash is where it was" "$(grep -c 'crash in thread 0 at .*values.c:22' said)" 1
