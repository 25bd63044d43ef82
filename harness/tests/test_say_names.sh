#!/bin/sh
# test_say_names.sh - what an entry is called: a free is a free, a variable that is guarded
# is one entry, two regions of one function are told apart, and a failure that stands at a
# harmful race says so.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/freed.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object { atomic_int count; int data; };
static void put(struct object *it) {
    if (atomic_fetch_sub(&it->count, 1) == 1)
        free(it);
}
static void *late(void *arg) {
    struct object *it = arg;
    put(it);
    return (void *)(long)it->data;
}
int main(void) {
    struct object *it = calloc(1, sizeof *it);
    pthread_t t;
    it->data = 7;
    it->count = 2;
    pthread_create(&t, NULL, late, it);
    put(it);
    pthread_join(t, NULL);
    return 0;
}
END
cat > "$work/guarded.c" <<'END'
#include <heddle.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *without(void *arg) { n++; return arg; }
int main(void) {
    pthread_t t;
    HEDDLE_GUARDED_BY(&n, &lock);
    pthread_create(&t, NULL, without, NULL);
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return n > 2;
}
END
cat > "$work/both.c" <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) {
        n++;
        pthread_mutex_unlock(second);
    }
    pthread_mutex_unlock(first);
}
static void *other(void *arg) { both(&b, &a); return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
    return 0;
}
END
for name in freed guarded both; do
    "$BUILD/bin/heddle-cc" -g -O1 "$work/$name.c" -o "$work/$name" || echo "not ok $name: does not build"
    "$BUILD/bin/heddle" test --time 20 -o "$work/$name.json" "$work/$name" > "$work/$name.txt" 2>&1
done
check() { # NAME FILE PATTERN COUNT
    got=$(grep -c "$3" "$work/$2.txt")
    if [ "$got" = "$4" ]; then echo "ok $1"
    else echo "not ok $1: $got times, not $4: $3: $(cat "$work/$2.txt")"; fi
}
check free_is_named freed '^  0 *free *object#0.data ' 1
check block_is_named freed 'harmful: data race on object#0, which is freed (races)' 1
check failure_stands_at_race freed '^  why      see W' 1
check guarded_once guarded 'is used without the lock that guards it' 1
check guarded_reason guarded 'what comes of that, a race on it says' 1
check same_titles both "$(grep ' is not atomic on ' "$work/both.txt" | sort | uniq -d | head -1 | grep . || echo none)" 0
check no_goal_of_its_own both 'an execution keeps to the order' 0
