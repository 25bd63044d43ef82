#!/bin/sh
# test_every_access.sh - repeated accesses that are recorded once say nothing new.
#
# Programs that touch the same data again and again, and programs that do what chance
# says, under several seeds: every checker makes the same claims on the trace with all
# accesses as on the shortened one (it may show another of several equal instances),
# and that one is shorter. And it is the same when the stamps by which repetitions are
# known are used up and renewed.
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
for seed in 1 2 3 4; do
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
    for stamps in 0 1 9; do
        HEDDLE_OPTIONS="quiet seed=$seed strategy=random stamps=$stamps trace=$work/stamps.$stamps" "$work/loop" > /dev/null 2>&1
    done
    if cmp -s "$work/stamps.0" "$work/stamps.1" && cmp -s "$work/stamps.0" "$work/stamps.9"; then
        echo "ok seed $seed: the same trace with few stamps"
    else
        echo "not ok seed $seed: another trace with few stamps"
    fi
done

# ---- what chance says ------------------------------------------------------------
cat > "$work/any.c" <<'E'
#include <pthread.h>
#include <stdlib.h>
/* Accesses in bursts, alone or under a lock, in functions of either linkage. */
enum { THREADS = 3, VARS = 4 };
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int v[VARS];
static unsigned chance(unsigned *s) { return (*s = *s * 1664525 + 1013904223) >> 16; }
static __attribute__((noinline)) int rd(int i) { return v[i]; }
static __attribute__((noinline)) void wr(int i, int x) { v[i] = x; }
static void burst(unsigned *s) {
    int own = chance(s) % VARS;
    for (unsigned n = 1 + chance(s) % 7; n > 0; n--) {
        int i = chance(s) % 4 ? own : (int)(chance(s) % VARS);
        switch (chance(s) % 5) {
        case 0: rd(i); break;
        case 1: wr(i, (int)n); break;
        case 2: v[i] = (int)n; break;
        case 3: v[i] += 1; break;
        default: if (v[i] == 12345) exit(3);
        }
    }
}
static void steps(unsigned *s, int deep);
void first(unsigned *s, int deep) { steps(s, deep); }
void second(unsigned *s, int deep) { burst(s); if (deep) steps(s, deep - 1); burst(s); }
static void third(unsigned *s, int deep) { steps(s, deep); }
static void steps(unsigned *s, int deep) {
    for (unsigned n = 1 + chance(s) % 3; n > 0; n--) {
        int l = chance(s) % 2;
        switch (chance(s) % (deep ? 6 : 3)) {
        case 0: case 1: burst(s); break;
        case 2: pthread_mutex_lock(&lock[l]); burst(s); pthread_mutex_unlock(&lock[l]); break;
        case 3: first(s, deep - 1); break;
        case 4: second(s, deep - 1); break;
        case 5: third(s, deep - 1); break;
        }
    }
}
static unsigned seeds[THREADS];
static void *body(void *a) { unsigned s = *(unsigned *)a; steps(&s, 3); return NULL; }
int main(int argc, char **argv) {
    pthread_t t[THREADS];
    unsigned s = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    for (int i = 0; i < THREADS; i++) { for (int k = 0; k < 9; k++) chance(&s); seeds[i] = s; pthread_create(&t[i], NULL, body, &seeds[i]); }
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
    return 0;
}
E
"$BUILD/bin/heddle-cc" -g -O1 "$work/any.c" -o "$work/any" || exit 1
some=0
for seed in 1 2 3 4 5 6; do
    for kind in short every; do
        option=; [ $kind = every ] && option=--every-access
        "$BUILD/bin/heddle" run --quiet $option --seed $seed --strategy random --trace "$work/$kind" "$work/any" $seed > /dev/null 2>&1
    done
    for checkers in blocks,reduction,reduction-online,races,velodrome,views,determinism \
        blocks:theorem=5,races:algorithm=eraser races:algorithm=multilockset; do
        for kind in short every; do
            "$BUILD/bin/heddle" check --transactions functions --json --checkers "$checkers" "$work/$kind" | python3 "$work/plain.py" | sort > "$work/$kind.out"
        done
        [ -s "$work/every.out" ] && some=$((some + 1))
        if cmp -s "$work/short.out" "$work/every.out"; then
            echo "ok any $seed: $checkers say the same"
        else
            echo "not ok any $seed: $checkers: $(diff "$work/short.out" "$work/every.out" | head -n 3 | tr '\n' ' ')"
        fi
    done
done
if [ $some -ge 9 ]; then echo "ok any: most have something to say"; else echo "not ok any: only $some of 18 had a warning"; fi

# ---- a static function that the user names --------------------------------------
cat > "$work/named.c" <<'E'
#include <pthread.h>
static int x, y;
static __attribute__((noinline)) int twice(void) { int a = x; y = 1; return a - x; }
static void *body(void *a) { if (x > 5) return a; if (x > 6) return a; twice(); return NULL; }
static void *other(void *a) { x = 1; return a; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, body, NULL);
    pthread_create(&u, NULL, other, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
E
"$BUILD/bin/heddle-cc" -g -O1 "$work/named.c" -o "$work/named" || exit 1
echo 'function twice' > "$work/named.txt"
"$BUILD/bin/heddle" run --quiet --trace "$work/short" "$work/named"
"$BUILD/bin/heddle" run --quiet --every-access --trace "$work/every" "$work/named"
"$BUILD/bin/heddle" check --transactions "@$work/named.txt" "$work/short" > "$work/short.out" 2>&1
"$BUILD/bin/heddle" check --transactions "@$work/named.txt" "$work/every" > "$work/every.out" 2>&1
if grep -q 'does not tell all that the static function twice does' "$work/short.out"; then
    echo 'ok a trace that was not recorded for it says so'
else echo "not ok a shortened call was taken for a whole one: $(cat "$work/short.out")"; fi
if grep -q 'twice is not atomic' "$work/every.out" && ! grep -q 'does not tell' "$work/every.out"; then
    echo 'ok with every access it is told whole'
else echo "not ok every access: $(cat "$work/every.out")"; fi
"$BUILD/bin/heddle" test --executions 200 --transactions "@$work/named.txt" -o "$work/v.json" "$work/named" > "$work/test.out" 2>&1
if grep -q 'twice is not atomic' "$work/test.out" && ! grep -q 'does not tell' "$work/test.out"; then
    echo 'ok heddle test records it whole'
else echo "not ok heddle test: $(cat "$work/test.out")"; fi
