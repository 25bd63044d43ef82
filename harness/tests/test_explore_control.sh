#!/bin/sh
# test_explore_control.sh - ending a search, going on with it, and watching it.
#
# Killed at any moment, heddle leaves a valid file of what was found, and a search
# that is resumed ends with the bytes of one that was not interrupted. Budgets end
# a search with what was found. Progress is shown when it is asked for.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
schema=$PWD/docs/verdict.schema.json
validate=$PWD/harness/tests/validate.py
cd "$work" || exit 1

cat > wide.c <<'C'
#include <pthread.h>
#include <stdio.h>
static int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        y++;
        pthread_mutex_unlock(&m);
    }
    x++;
    z = x + y;
    return arg;
}
int main(void) {
    pthread_t id[4];
    for (int i = 0; i < 4; i++) pthread_create(&id[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++) pthread_join(id[i], NULL);
    printf("%d %d\n", x, z);
    return x == 1;
}
C
heddle-cc -g -O1 wide.c -o wide || { echo "not ok it builds"; exit 1; }

is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
has() { case $2 in *"$3"*) echo "ok $1" ;; *) echo "not ok $1: no '$3' in: $2" ;; esac; }
plain() { sed -e '/"seconds"/d' -e '/"executions_per_second"/d' "$1"; }
same() { # NAME FILE FILE
    plain "$2" > 1.plain
    plain "$3" > 2.plain
    if cmp -s 1.plain 2.plain; then echo "ok $1"; else echo "not ok $1: $(diff 1.plain 2.plain | head -n 4 | tr '\n' ' ')"; fi
}
number() { sed -n "s/.*\"$2\": \([0-9a-z\"]*\),*/\1/p" "$1" | tail -n 1; }

# ---- killed, and resumed --------------------------------------------------------------
for strategy in random dpor bounded:2 portfolio; do
    heddle explore -q --strategy $strategy --executions 12000 --time 300 -o whole.json ./wide
    for kill in INT 0.3 TERM 0.7 HUP 0.1; do
        case $kill in [A-Z]*) signal=$kill; continue ;; esac
        heddle explore --strategy $strategy --executions 12000 --time 300 -o cut.json ./wide 2> said &
        pid=$!
        sleep "$kill"
        kill -s $signal $pid 2> /dev/null
        wait $pid
        python3 "$validate" "$schema" cut.json > why 2>&1
        is "$strategy: the file is valid after SIG$signal" $? 0
        by=$(number cut.json ended_by)
        if [ "$by" = '"interrupt"' ]; then
            has "$strategy: says how to go on after SIG$signal" "$(cat said)" "heddle explore --resume cut.json goes on"
            heddle explore -q --time 300 --resume cut.json
        fi
        same "$strategy: resumed after SIG$signal it is as if nothing had happened" cut.json whole.json
    done
done
heddle test -q --executions 600 --time 300 -o whole.json ./wide
heddle test --executions 600 --time 300 -o cut.json ./wide 2> said &
pid=$!
sleep 1
kill -s INT $pid 2> /dev/null
wait $pid
python3 "$validate" "$schema" cut.json > why 2>&1
is "test: the file is valid after SIGINT" $? 0
[ "$(number cut.json ended_by)" != '"interrupt"' ] || heddle test -q --time 300 --resume cut.json
same "test: resumed it is as if nothing had happened" cut.json whole.json

# What was asked for is in the file, and need not be said again.
asked="--checkers races:algorithm=hb,deadlock --record round-robin,random*2 --observe exit --steps 5000 --transactions none"
heddle test -q $asked --executions 600 --time 300 -o whole.json ./wide
heddle test -q $asked --executions 600 --time 300 -o cut.json ./wide &
pid=$!
sleep 0.4
kill -s TERM $pid 2> /dev/null
wait $pid
python3 "$validate" "$schema" cut.json > why 2>&1
is "test: the file is valid after SIGTERM" $? 0
heddle test -q --time 300 --resume cut.json
same "test: resumed with all that was asked for" cut.json whole.json
python3 "$validate" "$schema" cut.json > why 2>&1
is "test: the resumed file is valid" $? 0

for verb in explore test; do
rm -f killed.json
heddle $verb -q --strategy dpor --executions 100000000 --time 300 -o killed.json ./wide &
pid=$!
sleep 2 # the first file is written long before
kill -s KILL $pid
wait $pid 2> /dev/null
python3 "$validate" "$schema" killed.json > why 2>&1
is "$verb: a file of what was found is there when heddle itself is killed" $? 0
sleep 0.5
is "$verb: the program ends with heddle" "$(pgrep -f "^$work/wide|^./wide" | wc -l)" 0
done

# What was done before costs no time: it goes on from there; and what it does not come to
# again replaces nothing.
for verb in explore test; do
    heddle $verb -q --strategy dpor --executions 100000000 --time 1 -o more.json ./wide
    first=$(number more.json executions)
    heddle $verb -q --resume more.json --time 1
    second=$(number more.json executions)
    [ "$second" -gt "$first" ] && echo "ok $verb: resumed it comes further" ||
        echo "not ok $verb: resumed it comes further: $second executions, $first before"
    cp more.json kept.json
    heddle $verb --resume more.json --time 1 2> said &
    pid=$!
    sleep 0.5
    kill -s TERM $pid
    wait $pid
    cmp -s more.json kept.json && echo "ok $verb: what says less replaces nothing" ||
        echo "not ok $verb: what says less replaces nothing: $(number more.json executions) executions, $second before"
    has "$verb: and it is told" "$(cat said)" "heddle: more.json is left as it was: it tells of more than this search came to"
done

heddle explore --resume nowhere.json 2> said
is "resume of a file that is not there" $? 2
heddle test --resume cut.json ./other 2> said
is "resume of another program" "$?, $(cat said)" "2, heddle: cut.json: is of ./wide; --resume needs no program, or the same one"
heddle explore --resume cut.json 2> said
is "resume of what another command wrote" "$?, $(cat said)" \
    "2, heddle: cut.json: heddle test wrote it; heddle test --resume cut.json goes on"
heddle test --resume cut.json --strategy random 2> said
is "resume with another strategy" "$?, $(cat said)" \
    "2, heddle: cut.json: its search was dpor, and goes on as that: --resume takes no other --strategy"
heddle explore --strategy foo ./wide 2> said
is "a strategy that is like no other" "$?, $(cat said)" "2, heddle: --strategy foo: no such strategy; there are dpor, bounded, random, pct, pos, surw, round-robin, replay, portfolio, goal, all"
heddle explore --strategy dpro ./wide 2> said
is "a strategy that is like one" "$?, $(cat said)" "2, heddle: --strategy dpro: no such strategy; there is dpor (heddle list strategies)"
for verb in explore test; do
    heddle $verb -q --time 0 --strategy random --executions 40 -o limit.json ./wide
    is "$verb: no limit of time" "$(number limit.json ended_by), $(number limit.json executions)" '"executions", 40'
done
sed 's/"steps": 5000/"steps": 0/' cut.json > bad.json
heddle test --resume bad.json 2> said
is "resume with no steps at all" "$?, $(cat said)" \
    "2, heddle: bad.json: configuration.steps: expected at least 1, found 0"
sed 's/"isolate": "snapshot"/"isolate": "snap"/' cut.json > bad.json
heddle test --resume bad.json 2> said
is "resume with a word that is none" "$?, $(cat said)" \
    "2, heddle: bad.json: configuration.isolate: \"snap\" is not a word that heddle knows here"
cp wide kept
heddle-cc -g -O1 -DANEW=1 -O0 wide.c -o wide
heddle test --resume cut.json 2> said
is "resume of a program built anew" "$?, $(cat said)" \
    "2, heddle: cut.json: ./wide was built anew since; what was found is not of this program. Begin again, without --resume"
mv kept wide

# ---- budgets ---------------------------------------------------------------------------
heddle explore -q --strategy dpor --executions 100000000 --time 300 --memory 1M -o memory.json ./wide
is "--memory ends a search" "$(number memory.json ended_by), $(number memory.json exhausted)" '"memory", false'
[ "$(number memory.json executions)" -gt 100 ] && echo "ok what was found before stands" ||
    echo "not ok what was found before stands: $(number memory.json executions)"
heddle explore -q --strategy random --executions 100000000 --time 0.5 -o time.json ./wide
is "--time ends a search" "$(number time.json ended_by)" '"time"'
for jobs in 1 2 3; do
    heddle explore -q --strategy random --executions 777 --jobs $jobs -o jobs.json ./wide
    is "--executions is exact with $jobs processes" "$(grep '"executions": 777,' jobs.json | wc -l)" 2
done

# ---- classes ----------------------------------------------------------------------------
cat > late.c <<'C'
#include <pthread.h>
static int x;
static void *add(void *arg) { x++; return arg; }
int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, add, NULL);
    int seen = x;
    pthread_join(id, NULL);
    return seen > 1;
}
C
heddle-cc -g -O1 late.c -o late
for strategy in dpor random portfolio; do
    heddle explore -q --strategy $strategy --executions 500 -o late.json ./late
    is "$strategy: classes from before data was visible do not count" "$(number late.json distinct_traces)" 2
done

# ---- progress -----------------------------------------------------------------------------
heddle explore --strategy dpor --executions 100000000 --time 2.5 -o p.json ./wide 2> said
is "no progress line where there is no terminal" "$(grep -c 'a second' said)" 0
heddle explore --progress always --strategy dpor --executions 100000000 --time 2.5 -o p.json ./wide 2> said
has "progress when it is asked for" "$(cat said)" " of 100000000 executions, "
has "progress tells distinct executions" "$(cat said)" " distinct, "
has "progress tells what is left" "$(cat said)" " s left"
has "progress tells how deep it is" "$(cat said)" ", depth "
has "progress tells the share that is done" "$(cat said)" "% of the search"
if command -v script > /dev/null; then
    script -qc "heddle explore --strategy random --executions 100000000 --time 1 -o p.json ./wide" said > /dev/null 2>&1
    has "a line on a terminal" "$(tr '\r' '\n' < said)" " a second, "
fi
