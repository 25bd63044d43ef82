#!/bin/sh
# test_failure_ids.sh - a failure has one id: wherever the program was built, on whatever
# line it is, whoever else waits, whichever seed found it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$BUILD/bin:$PATH
check() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, wanted $3"; fi
}
ids() { sed -n 's/^ *"id": "\(F[0-9a-z]*\)",*$/\1/p' "$1" | sort | tr '\n' ' '; }
build() { heddle-cc -g -O1 "$1" -o "$2" || echo "not ok $1 builds"; }

cat > "$work/p.c" << 'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
static int total;
static int *cell;
static void *forth(void *arg) {
    total++;
    if (cell) *cell = 1;
    pthread_mutex_lock(&lock1);
    pthread_mutex_lock(&lock2);
    pthread_mutex_unlock(&lock2);
    pthread_mutex_unlock(&lock1);
    return arg;
}
static void *back(void *arg) {
    total++;
    free(cell);
    pthread_mutex_lock(&lock2);
    pthread_mutex_lock(&lock1);
    pthread_mutex_unlock(&lock1);
    pthread_mutex_unlock(&lock2);
    return arg;
}
int main(void) {
    pthread_t t, u;
    cell = malloc(sizeof *cell);
    pthread_create(&t, NULL, forth, NULL);
    pthread_create(&u, NULL, back, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(total == 2);
    return 0;
}
C
mkdir -p "$work/else/where"
{ echo; echo '/* another line */'; cat "$work/p.c"; } > "$work/else/where/p.c"
(cd "$work" && build p.c p && build else/where/p.c else/p) # named otherwise to the compiler
(cd "$work" && heddle test --quiet -o a.json ./p < /dev/null)
(cd "$work" && heddle test --quiet -o b.json --baseline a.json else/p < /dev/null)
check 'known failures are known in another folder and on other lines' $? 0
check 'assertion, deadlock, use after free: three' "$(ids "$work/a.json" | wc -w)" 3
check 'with the same ids' "$(ids "$work/b.json")" "$(ids "$work/a.json")"
sed 's/total == 2/total == 1/' "$work/p.c" > "$work/q.c"
(cd "$work" && build q.c p && heddle test --quiet -o b.json --baseline a.json ./p < /dev/null)
check 'another assertion is another failure' $? 1

# One circle of two, in which other threads come to stand, too.
cat > "$work/circle.c" << 'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void forth(void) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
}
static void back(void) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
}
static void *first(void *arg) {
    forth();
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    return arg;
}
static void *second(void *arg) {
    back();
    return arg;
}
static void *third(void *arg) {
    forth();
    back();
    return arg;
}
int main(void) {
    void *(*const work[])(void *) = {first, second, third};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
C
# Who joins while it holds what the other one needs, wherever that one has come to.
cat > "$work/join.c" << 'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
C
# A signal that is lost: how many wait for it does not matter.
cat > "$work/lost.c" << 'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&go, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
C
# Writers who each wait for the other to stop reading.
cat > "$work/upgrade.c" << 'C'
#include <pthread.h>
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *reads_and_locks(void *arg) {
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_rwlock_unlock(&table);
    return arg;
}
static void *locks_and_writes(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_rwlock_wrlock(&table);
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, NULL, reads_and_locks, NULL);
    pthread_create(&u, NULL, locks_and_writes, NULL);
    pthread_create(&v, NULL, locks_and_writes, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_join(v, NULL);
    return 0;
}
C
for name in circle join lost upgrade; do
    build "$work/$name.c" "$work/$name"
    heddle test --quiet -o "$work/$name.1.json" "$work/$name" < /dev/null
    check "$name is one failure" "$(ids "$work/$name.1.json" | wc -w)" 1
    for seed in 2 3; do
        heddle test --quiet --seed $seed --baseline "$work/$name.1.json" -o "$work/$name.json" "$work/$name" < /dev/null
        check "$name is the same failure with seed $seed" "$(ids "$work/$name.json")" "$(ids "$work/$name.1.json")"
    done
    heddle explore --quiet --strategy dpor -o "$work/$name.json" "$work/$name" < /dev/null
    check "$name is the same failure to explore" "$(ids "$work/$name.json")" "$(ids "$work/$name.1.json")"
done
# What the message says is what the schedule that is kept comes to.
id=$(ids "$work/circle.1.json" | tr -d ' ')
heddle replay "$work/circle.1.json#$id" > "$work/out" 2>&1 < /dev/null
check 'the schedule that is kept replays' $? 1
message=$(sed -n 's/^ *"message": "\(.*\)",*$/\1/p' "$work/circle.1.json" | head -n 1)
check 'and comes to what the message says' "$(grep -cF "${message%%;*}" "$work/out")" 1
