#!/bin/sh
# test_hostile.sh - programs that would take heddle's ground away.
#
# Each has four classes of executions and does something unkind at its end, some
# only when an update was lost. The search is complete all the same, both ways of
# isolation, and tells the two outcomes apart.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat > common.h <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int x;
static void *work(void *arg) {
    x++;
    return arg;
}
static void both(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
static void say(void) {
    printf("%d\n", x);
    fflush(stdout);
}
C
# NAME and what it does.
cat > list <<'C'
closes_all_first for (int i = 3; i < 1100; i++) close(i); both(); say();
closes_all_last both(); say(); for (int i = 0; i < 1100; i++) close(i);
closes_by_call both(); syscall(SYS_close_range, 3, ~0u, 0); say();
closes_a_range both(); closefrom(3); say();
copies_over both(); say(); for (int i = 900; i < 1000; i++) dup2(0, i); dup2(open("/dev/null", O_WRONLY), 1); puts("gone");
forks both(); say(); if (fork() == 0) { say(); exit(3); } int s; wait(&s);
becomes_another both(); say(); if (x == 1) execl("/bin/true", "true", (char *)0);
kills_itself both(); say(); if (x == 1) kill(getpid(), SIGKILL);
kills_its_group both(); say(); if (x == 1) kill(0, SIGTERM);
stops_itself both(); say(); if (x == 1) raise(SIGSTOP);
ignores_signals for (int i = 1; i < 32; i++) signal(i, SIG_IGN); both(); say();
leaves_no_ground mkdir("gone", 0777); if (chdir("gone")) return 1; rmdir("../gone"); both(); say();
leaves_by_system_call both(); say(); if (x == 1) syscall(SYS_exit_group, 5);
starts_a_session both(); setsid(); setpgid(0, 0); umask(0); say();
writes_much both(); for (int i = 0; i < 3000000; i++) putchar('a' + i % 7); say();
C
while read -r name body; do
    printf '#include "common.h"\nint main(void) { %s return 0; }\n' "$body" > $name.c
    heddle-cc -g -O1 -w $name.c -o $name || { echo "not ok $name builds"; continue; }
    for how in snapshot fork; do
        timeout 60 heddle explore -q --isolate $how --strategy dpor --time 50 -o $name.json ./$name > /dev/null 2> said
        found=$(tr -d '\n ' < $name.json | sed 's/.*"statistics":{"executions":\([0-9]*\),.*"exhausted":\([a-z]*\),.*/\1 \2/')
        outcomes=$(grep -c '"outcome":' $name.json)
        if [ "$found, $outcomes" = "4 true, 2" ]; then
            echo "ok $name ($how)"
        else
            echo "not ok $name ($how): $found, $outcomes outcomes; $(head -n 2 said)"
        fi
    done
done < list
# Its trace goes with it: nothing may be called refuted.
heddle test -q --executions 40 -o tested.json ./kills_itself > /dev/null 2> said
status=$?
lost=$(grep -c '"ended by signal 9\|ended by signal 9"' tested.json)
if [ "$status, $lost" = "1, 1" ] && grep -q '"exhausted": false' tested.json &&
    ! grep -q '"verdict": "refuted"' tested.json; then
    echo "ok kills_itself (test)"
else
    echo "not ok kills_itself (test): exit $status, $lost, $(head -n 2 said)"
fi
grep -q 'more than 65536 bytes' writes_much.json && echo "ok long output is noted" ||
    echo "not ok long output is noted"
