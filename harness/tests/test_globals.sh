#!/bin/sh
# test_globals.sh - --observe globals: what is left in static data is part of the outcome.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/p.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, unused = PTHREAD_MUTEX_INITIALIZER;
static int x, same = 7;
static struct { char tag; short n; long total; } s;
static int *p, *q = &x;
static char name[12];
int get(void) { pthread_mutex_lock(&m); int v = x; pthread_mutex_unlock(&m); return v; }
void inc(void) {
    int v = get();
    pthread_mutex_lock(&m);
    x = v + 1;
    s.n++;
    pthread_mutex_unlock(&m);
    if (v) { pthread_mutex_lock(&unused); pthread_mutex_unlock(&unused); }
}
static void *work(void *arg) { inc(); return arg; }
int main(void) {
    pthread_t t, u;
    p = malloc(8);
    q = &same;
    name[3] = 'a';
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
END
"$BUILD/bin/heddle-cc" -g "$work/p.c" -o "$work/p" || exit 1
outcomes() { # OPTION...: the outcomes of all executions, a line each
    "$BUILD/bin/heddle" explore --strategy dpor --quiet --json -o "$work/e.json" "$@" "$work/p" |
        sed -n 's/^ *"outcome": "\(.*\)",*$/\1/p' | sed "s,$work/,,g" | sort
}
check() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2"; fi
}
heap='p=heap block 0#0 (8 bytes, allocated at main (p.c:20)), offset 0'
wanted="exit 0, globals q=&same x=1 s.n=2 $heap name[3]=97
exit 0, globals q=&same x=2 s.n=2 $heap name[3]=97"
check "without_it_there_is_one_outcome" "$(outcomes)" "exit 0"
check "changed_variables_by_name" "$(outcomes --observe exit,globals)" "$wanted"
check "the_same_in_a_process_for_each" "$(outcomes --observe exit,globals --isolate fork)" "$wanted"
"$BUILD/bin/heddle" test --quiet --json -o "$work/v.json" "$work/p" > "$work/without"
"$BUILD/bin/heddle" test --quiet --json --observe globals -o "$work/v.json" "$work/p" > "$work/with"
check "a_lost_update_that_nobody_prints_is_benign" "$(grep -c '"impact": "benign"' "$work/without")" 1
check "and_harmful_where_data_counts" "$(grep -c '"impact": "harmful"' "$work/with")" 1
