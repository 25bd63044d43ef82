#!/bin/sh
# test_every_access.sh - repeated accesses that are recorded once say nothing new.
#
# Programs that touch the same data again and again, under several seeds: every
# checker makes the same claims on the trace with all accesses as on the shortened
# one (it may show another of several equal instances), and that one is shorter.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/loop.c" <<'E'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int total, table[16], flag, mixed;
int sum(void) { int s = 0; for (int k = 0; k < 5; k++) for (int i = 0; i < 16; i++) s += table[i]; return s; }
void bump(int by) { pthread_mutex_lock(&m); for (int i = 0; i < 8; i++) total += by; pthread_mutex_unlock(&m); }
void twice(void) { pthread_mutex_lock(&m); int seen = total; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); total = seen + 1; total = total + 0; pthread_mutex_unlock(&m); }
static void *worker(void *a) {
    for (int i = 0; i < 3; i++) { bump(1); twice(); table[i] = i; flag += sum(); *(char *)&mixed = (char)i; mixed |= 256; }
    pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&n); pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
E
"$BUILD/bin/heddle-cc" -g -O1 "$work/loop.c" -o "$work/loop" || exit 1
cat > "$work/plain.py" <<'E'
import json, sys
# What is claimed, of what; not which of several equal instances is shown for it.
for w in sorted(json.load(sys.stdin)["warnings"], key=json.dumps):
    of = (w["transaction"] or {}).get("function")
    names = sorted({a["variable"] for a in w["accesses"]})
    print(w["kind"], w["checkers"], of, "" if w["checkers"][0].startswith("reduction") else (w["pattern"], names))
E
for seed in 1 2 3 4 5 6; do
    for kind in short every; do
        option=; [ $kind = every ] && option=--every-access
        "$BUILD/bin/heddle" run --quiet $option --seed $seed --strategy random --trace "$work/$kind" "$work/loop" > /dev/null 2>&1
    done
    a=$("$BUILD/bin/heddle" trace "$work/short" | grep -vc '^%')
    b=$("$BUILD/bin/heddle" trace "$work/every" | grep -vc '^%')
    if [ "$a" -lt "$b" ]; then echo "ok seed $seed: $a events instead of $b"; else echo "not ok seed $seed: $a events, all: $b"; fi
    for checker in blocks blocks:theorem=5 reduction reduction-online races races:algorithm=eraser races:algorithm=praun-gross \
        races:algorithm=flanagan-freund races:algorithm=multilockset races:algorithm=hb velodrome deadlock views determinism; do
        for kind in short every; do
            "$BUILD/bin/heddle" check --json --checkers "$checker" "$work/$kind" | python3 "$work/plain.py" | sort > "$work/$kind.out"
        done
        if cmp -s "$work/short.out" "$work/every.out"; then
            echo "ok seed $seed: $checker says the same"
        else
            echo "not ok seed $seed: $checker says something else: $(diff "$work/short.out" "$work/every.out" | head -n 3 | tr '\n' ' ')"
        fi
    done
done
