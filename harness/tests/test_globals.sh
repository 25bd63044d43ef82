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
cat > "$work/n.c" <<'END'
#include <pthread.h>
static int below; static signed char c; static unsigned char u; static float f; static double d;
static struct { long double wide; double in; short s[3]; } s;
static void *work(void *arg) {
    below = -7; c = -1; u = 255; f = 0.1f; d = -2.5e300; s.in = 1.0 / 3; s.s[1] = -2;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
END
"$BUILD/bin/heddle-cc" -g "$work/n.c" -o "$work/n" || exit 1
check "numbers_as_the_program_reads_them" "$("$BUILD/bin/heddle" explore --quiet --json -o "$work/e.json" \
    --observe globals "$work/n" | sed -n 's/^ *"outcome": "globals \(.*\)",*$/\1/p' | tr ' ' '\n' | sort | tr '\n' ' ')" \
    "below=-7 c=-1 d=-2.5e+300 f=0.1 s.in=0.3333333333333333 s.s[1]=-2 u=255 "
check "without_it_there_is_one_outcome" "$(outcomes)" "exit 0"
check "changed_variables_by_name" "$(outcomes --observe exit,globals)" "$wanted"
check "the_same_in_a_process_for_each" "$(outcomes --observe exit,globals --isolate fork)" "$wanted"
"$BUILD/bin/heddle" test --quiet --json -o "$work/v.json" "$work/p" > "$work/without"
"$BUILD/bin/heddle" test --quiet --json --observe globals -o "$work/v.json" "$work/p" > "$work/with"
check "a_lost_update_that_nobody_prints_is_benign" "$(grep -c '"impact": "benign"' "$work/without")" 1
check "and_harmful_where_data_counts" "$(grep -c '"impact": "harmful"' "$work/with")" 1
