#!/bin/sh
# test_budget.sh - who gets what of the budget, and what is said when it was not enough.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$BUILD/bin/heddle

build() { # NAME: from standard input
    cat > "$work/$1.c"
    "$BUILD/bin/heddle-cc" -g -O1 "$work/$1.c" -o "$work/$1" || echo "not ok $1 builds"
}
ask() { # NAME OPTION...: verdicts in $work/NAME.json, talk in $work/NAME.talk
    name=$1
    shift
    "$heddle" test --no-color --progress never -o "$work/$name.json" "$@" "$work/$name" > /dev/null 2> "$work/$name.talk"
}
check() { # WHAT CONDITION...
    what=$1
    shift
    if "$@"; then echo "ok $what"; else echo "not ok $what"; fi
}
told() { grep -q -- "$2" "$work/$1.talk"; }
count() { grep -c -- "$2" "$work/$1.talk"; }

# Twelve transactions that can be interrupted, each by one thread at one place: by
# chance that hardly happens to all of them, but each has a plan that shows it. The
# budget is enough for one plan of each, no more.
{
    echo '#include <pthread.h>'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
        cat << EOF
static pthread_mutex_t m$i = PTHREAD_MUTEX_INITIALIZER;
static int v$i;
void split$i(void) {
    pthread_mutex_lock(&m$i);
    int seen = v$i;
    pthread_mutex_unlock(&m$i);
    pthread_mutex_lock(&m$i);
    v$i = seen + 1;
    pthread_mutex_unlock(&m$i);
}
EOF
    done
    echo 'static void *all(void *arg) {'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "    split$i();"; done
    cat << 'EOF'
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, all, NULL);
    pthread_create(&t2, NULL, all, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
EOF
} | build many
ask many --executions 52 --record round-robin --checkers blocks
check 'no warning starves: a plan of each was tried' [ "$(count many '^confirmed.*: split')" -eq 12 ]

# What it wanted and did not come to.
build late << 'EOF'
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t go;
static int total;
void first_half(void) {
    pthread_mutex_lock(&lock);
    int seen = total;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    total = seen + 1;
    pthread_mutex_unlock(&lock);
}
static void *early(void *arg) {
    first_half();
    sem_post(&go);
    return arg;
}
static void *late(void *arg) {
    sem_wait(&go);
    pthread_mutex_lock(&lock);
    total += 10;
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    sem_init(&go, 0, 0);
    pthread_create(&t1, NULL, early, NULL);
    pthread_create(&t2, NULL, late, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return total != 11;
}
EOF
ask late --executions 3 --checkers reduction,blocks
check 'undecided says how near it came' told late 'thread 0.1 never reached .*late.c:11 after thread 0.2 had passed .*late.c:22'
check 'undecided advises a larger budget' told late 'more .*--executions 30'
ask late --checkers reduction,blocks
check 'with the default budget it is refuted' told late '^refuted: first_half'
ask late --strategy bounded:1 --checkers reduction,blocks
check 'a bounded search that is through refutes nothing' told late '^undecided: first_half'
check 'it says what it tried' told late 'not in schedules with at most 1 preemption'
check 'it advises another search' told late 'more .*--strategy dpor .*, or a larger bound'
check 'not a larger budget' [ "$(count late '--executions')" -eq 0 ]

# A race in a transaction is an atomicity violation, too. Who asks for races gets these.
build lost << 'EOF'
#include <pthread.h>
static int total;
void add(void) { total++; }
static void *worker(void *arg) {
    add();
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return total == 3;
}
EOF
ask lost
check 'all kinds are told' told lost 'add is not atomic'
ask lost --checkers races:algorithm=hb
check 'of kinds that were not asked for, none is' [ "$(count lost 'not atomic')" -eq 0 ]
check 'those that were asked for are' told lost 'data race on total'

# An execution that is not serializable, too long for the judge to say who was
# interrupted: that a transaction goes without blame in it refutes nothing.
build long << 'EOF'
#include <pthread.h>
#define MANY 40000
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, ballast[MANY];
void write_both(void) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y = 1;
    pthread_mutex_unlock(&lock);
}
void read_both(void) {
    pthread_mutex_lock(&lock);
    int seen = y + x;
    (void)seen;
    pthread_mutex_unlock(&lock);
}
void fill(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MANY; i++) ballast[i]++;
    pthread_mutex_unlock(&lock);
}
static void *writer(void *arg) {
    write_both();
    fill();
    return arg;
}
static void *reader(void *arg) {
    read_both();
    fill();
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
EOF
ask long --checkers blocks,reduction
check 'the search of the long program is complete' told long 'search complete'
check 'a trace too long for the judge refutes nothing' [ "$(count long '^refuted: write_both')" -eq 0 ]
check 'it says that it was too long' told long 'too long to tell all transactions'
