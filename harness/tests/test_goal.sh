#!/bin/sh
# test_goal.sh - an order of events that a person asks for: the file is read, the order
# comes about or a note says that it did not.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat > order.c <<'C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", x);
    return 0;
}
C
heddle-cc -g order.c -o order || { echo "not ok it builds"; exit 1; }
heddle run -q --trace order.trace ./order > out

is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
outcomes() { sed -n 's/.*"outcome": "exit 0, stdout .*"\([12]\).*/\1/p' results/order.json | sort | tr '\n' ' '; }
notes() { grep -o '"goal: [^"]*"' results/order.json | tr '\n' ' ' | sed 's/ $//'; }
place() { # LINE: of the operation there that comes first
    heddle trace order.trace | sed -n "s/^%site order.c:$1[ ~].*.*address=0x\([0-9a-f]*\)/+0x\1/p" | head -n 1
}
goal() { heddle explore -q --strategy goal:rules ./order > out 2> said; status=$?; }

echo "hold 0.1 $(place 6) 1 until 0.2 $(place 14) 1" > rules
goal
is "one order" "$status, $(outcomes)" "0, 1 "
is "it came about" "$(notes)" '"goal: an execution keeps to the order that was asked for"'

echo "hold 0.2 $(place 12) 1 until 0.1 $(place 8) 1" > rules
goal
is "the other one" "$status, $(outcomes)" "0, 2 "

echo "hold 0.1 $(place 6) 1 until 0.2 $(place 14) 7" > rules
goal
none='"goal: no execution keeps to the order that was asked for"'
is "what cannot be" "$status, $(notes)" \
    "0, \"goal: thread 0.2 reached two (order.c:14) 1 time at most, never for the 7th time\" $none"

echo "hold 0.9 $(place 6) 1 until 0.2 $(place 6) 1" > rules
goal
is "who and what never was" "$status, $(notes)" \
    "0, \"goal: there was never a thread 0.9\" \"goal: thread 0.2 never reached one (order.c:6)\" $none"

echo "hold 0.1 $PWD/order$(place 6) 1 until 0.2 $(place 14) 1" > rules
goal
is "a place with a path" "$status, $(cat said)" \
    "2, heddle: strategy goal:rules: rules:1: a place is NAME+OFFSET, with the name of the program or library and no path"

echo "# nothing" > rules
goal
is "no goal" "$status, $(cat said)" "2, heddle: strategy goal:rules: rules: there is no goal in it"

echo "hold 0.1 here until 0.2 there" > rules
goal
is "what is no rule" "$status, $(cat said)" \
    '2, heddle: strategy goal:rules: rules:1: expected "hold THREAD SITE INSTANCE until THREAD SITE INSTANCE"'
rm rules
goal
is "no file" "$status, $(cat said)" "2, heddle: strategy goal:rules: cannot read rules"
