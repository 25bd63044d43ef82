#!/bin/sh
# test_names_locals.sh - locals that other threads get at go by their names.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
cat > locals.c <<'C'
#include <alloca.h>
#include <pthread.h>
#include <string.h>
struct pair {
    int a, b;
    struct {
        long deep;
        char c[4];
    } in;
};
static pthread_t t;
static void *bump(void *v) {
    ++*(int *)v;
    return v;
}
static void share(int *shared) {
    pthread_create(&t, NULL, bump, shared);
    ++*shared;
    pthread_join(t, NULL);
}
static void *parent(void *v) {
    int mine = 0;
    share(&mine);
    return v;
}
static void walk(int depth) {
    int here = depth;
    share(&here);
    if (depth) walk(depth - 1);
    share(&here);
}
static int parameters(int a, int b, int c, int d, int e, int f, int g, struct pair p) {
    share(&a);
    share(&g);
    share(&p.b);
    return a + b + c + d + e + f + g;
}
static void sized(int n) {
    int vla[n][2];
    struct pair *made = alloca(n * sizeof *made);
    memset(vla, 0, sizeof vla);
    memset(made, 0, n * sizeof *made);
    share(&vla[2][1]);
    share(&made[1].b);
}
static void *locked(void *v) {
    pthread_mutex_lock(v);
    pthread_mutex_unlock(v);
    return v;
}
static void before(void) { /* where the locals of whole() are going to be */
    int used[64];
    memset(used, 1, sizeof used);
}
static void whole(void) {
    int counter = 0, table[8] = {0};
    struct pair pair = {0};
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    share(&counter);
    share(&table[5]);
    share((int *)&pair.in.deep);
    pthread_create(&t, NULL, locked, &lock);
    locked(&lock);
    pthread_join(t, NULL);
    {
        int i = 1;
        share(&i);
    }
    {
        int i = 2;
        share(&i);
    }
    {
        _Alignas(64) int wide = 3;
        share(&wide);
    }
}
static void one(void) {
    int x = 0;
    share(&x);
}
static void other(void) {
    int y = 0;
    share(&y);
}
static void first(void) {
    int x = 0;
    pthread_create(&t, NULL, bump, &x);
    x++;
    pthread_join(t, NULL);
}
static void second(void) {
    int y = 0;
    pthread_create(&t, NULL, bump, &y);
    pthread_join(t, NULL);
    y++;
}
int main(int argc, char **argv) {
    before();
    switch (argc > 1 ? argv[1][0] : 'w') {
    case 't': pthread_create(&t, NULL, parent, NULL); pthread_join(t, NULL); break;
    case 'r': walk(2); break;
    case 'n': walk(1000); break;
    case 'p': parameters(1, 2, 3, 4, 5, 6, 7, (struct pair){0}); break;
    case 's': sized(4); break;
    case 'b': one(); other(); break;
    case 'd': first(); second(); break;
    case 'm': { int counter = 0; share(&counter); break; }
    default: whole(); break;
    }
}
C
# What a second thread touches: thread 0.1, or the child that 0.1 has.
shared() {
    heddle run -q --trace t "$@" > out 2>&1
    heddle trace t | sed -n "s/^\\($who\\) \\(rd\\|wr\\|acq\\) \\([^ ]*\\) .*/\\3/p" | sed 's/~[0-9]*$//' | grep -v '^stack\|^t$' | sort -u | tr '\n' ' '
}
HEDDLE_CC=clang; command -v clang > /dev/null || HEDDLE_CC=
for how in gcc:-O0 gcc:-O1 gcc:-O2 ${HEDDLE_CC:+clang:-O0}; do
    HEDDLE_CC=${how%:*} heddle-cc -g ${how#*:} locals.c -o locals || { echo "not ok $how builds"; continue; }
    who='0\.[0-9.]*'
    is "$how: one of main's" "$(shared ./locals m)" "main.counter "
    is "$how: elements, members, locks, blocks, alignment" "$(shared ./locals w)" \
        "whole.counter whole.i whole.i#1 whole.lock whole.pair.in.deep whole.table[5] whole.wide "
    who='0\.1\.1'
    is "$how: a thread's own" "$(shared ./locals t)" "parent#0.1.mine "
    who='0\.[0-9.]*'
    is "$how: calls in one another" "$(shared ./locals r)" "walk#0:1.here walk#0:2.here walk.here "
    is "$how: parameters" "$(shared ./locals p)" "parameters.a parameters.g parameters.p.b "
    case $how in
    *-O0) is "$how: arrays of variable size and alloca" "$(shared ./locals s)" "sized.made[1].b sized.vla[2][1] " ;;
    esac
    is "$how: two that had the same bytes" "$(shared ./locals b)" "one.x/other.y "
done
who='0\.[0-9.]*'
is "a thousand calls in one another" "$(shared ./locals n | tr ' ' '\n' | grep -c '^walk[#:0-9]*\.here$')" 1001
for isolate in snapshot fork; do
    heddle test -q --isolate $isolate --executions 200 -o $isolate.json ./locals m > out 2>&1
    is "$isolate: exit status" $? 0
    is "$isolate: in verdicts" "$(grep -o '"variable": "[^"]*"' $isolate.json | sort -u)" '"variable": "main.counter"'
done
heddle-cc -g -O1 locals.c -o direct
heddle test -q --executions 200 -o direct.json ./direct d > out 2>&1
is "in a warning, the one that is meant" "$(grep -o '"variable": "[^"]*"' direct.json | sort -u | tr '\n' ' ')" \
    '"variable": "first.x" '
id=$(sed -n 's/.*"id": "\(W[^"]*\)".*/\1/p' snapshot.json)
is "the same id in both" "$(sed -n 's/.*"id": "\(W[^"]*\)".*/\1/p' fork.json)" "$id"
is "in the columns of a replay" "$(heddle replay snapshot.json#$id 2>&1 | grep -c 'write main.counter')" 3
# A small edit moves the frame and not the id.
sed 's/int counter = 0; share/long more[3] = {0}; int counter = (int)more[0]; share/' locals.c > edited.c
heddle-cc -g -O0 locals.c -o locals && heddle test -q -o 1.json ./locals m 2> out
heddle-cc -g -O2 edited.c -o locals && heddle test -q -o 2.json ./locals m 2> out
is "the id outlives an edit and another -O" "$(sed -n 's/.*"id": "\(W[^"]*\)".*/\1/p' 2.json)" \
    "$(sed -n 's/.*"id": "\(W[^"]*\)".*/\1/p' 1.json)"
