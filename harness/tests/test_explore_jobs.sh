#!/bin/sh
# test_explore_jobs.sh - one file of results, however many processes searched.
#
# Failures, crashes, programs that take their process down, data that shows late,
# budgets that end in the middle of what a worker did, workers that are killed.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat > racy.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
static int x, y, z, late;
static const char *how = "";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        y++;
        pthread_mutex_unlock(&m);
    }
    x++;
    z = x + y;
    if (z == 6) late++; /* not always: it becomes known late that two get there */
    return arg;
}
int main(int argc, char **argv) {
    pthread_t id[3];
    if (argc > 1) how = argv[1];
    for (int i = 0; i < 3; i++) pthread_create(&id[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(id[i], NULL);
    printf("%d %d %d\n", x, z, late);
    if (strcmp(how, "assert") == 0) assert(x > 1);
    if (strcmp(how, "crash") == 0 && x == 1) *(volatile int *)8 = 1;
    if (strcmp(how, "die") == 0 && x == 1 && z < 9) raise(SIGKILL);
    return x == 2;
}
C
heddle-cc -g -O1 racy.c -o racy || { echo "not ok it builds"; exit 1; }

plain() { sed -e '/"seconds"/d' -e '/"executions_per_second"/d' "$1"; }
same() { # NAME FILE FILE
    plain "$2" > 1.plain
    plain "$3" > 2.plain
    if [ -s 1.plain ] && cmp -s 1.plain 2.plain; then echo "ok $1"
    else echo "not ok $1: $(diff 1.plain 2.plain | head -n 4 | tr '\n' ' ')"; fi
}
search() { # JOBS OUT STRATEGY EXECUTIONS ARGUMENT
    heddle explore -q --jobs "$1" -o "$2" --strategy "$3" --executions "$4" --time 300 ./racy "$5" > /dev/null 2>&1
}

for strategy in dpor bounded:2 portfolio random; do
    for how in 'quiet 97' 'assert 1003' 'crash 400'; do
        search 1 one.json $strategy "${how#* }" "${how% *}"
        for jobs in 2 3 8; do
            search $jobs more.json $strategy "${how#* }" "${how% *}"
            same "$strategy, $how executions: $jobs processes" one.json more.json
        done
    done
    search 1 one.json $strategy 150 die
    search 3 more.json $strategy 150 die
    same "$strategy: executions that take their process down" one.json more.json
done

# ---- a worker is lost ---------------------------------------------------------------------
first_child() { # of PID: in $child
    child=
    [ -n "$1" ] && read -r child rest 2> /dev/null < "/proc/$1/task/$1/children"
}
for strategy in dpor bounded:3 portfolio random; do
    search 1 one.json $strategy 40000 quiet
    heddle explore -q --jobs 3 -o more.json --strategy $strategy --executions 40000 --time 300 ./racy quiet > /dev/null 2>&1 &
    heddle=$! killed=0
    while kill -0 $heddle 2> /dev/null && [ $killed -lt 5 ]; do
        first_child $heddle  # the program
        first_child "$child" # which contains the search
        first_child "$child" # which has workers
        [ -n "$child" ] && kill -s KILL "$child" 2> /dev/null && killed=$((killed + 1)) && sleep 0.05
    done
    wait $heddle
    [ $killed -gt 0 ] || echo "not ok $strategy: no worker was there to be killed"
    same "$strategy: workers are killed" one.json more.json
done
