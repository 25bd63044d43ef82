#!/bin/sh
# test_strangers.sh - what --transactions @FILE names and nobody calls is told.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
cat > inlined.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static int get(void) { pthread_mutex_lock(&m); int v = n; pthread_mutex_unlock(&m); return v; }
static void put(int v) { pthread_mutex_lock(&m); n = v; pthread_mutex_unlock(&m); }
static inline void bump(void) { put(get() + 1); }
static void *work(void *v) { bump(); return v; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    bump();
    pthread_join(t, 0);
    return n != 2;
}
C
printf 'function bump\nnot nobody\n' > policy
for how in -O0 -O2 '-O2 -fno-inline'; do
    heddle-cc -g $how inlined.c -o inlined
    heddle run -q --every-access --trace inlined.trace ./inlined
    heddle check --transactions @policy inlined.trace > inlined.check
    heddle test --transactions @policy -o inlined.json ./inlined 2> inlined.said
    case $how in -O2) met=1 ;; *) met=0 ;; esac
    is "$how: check tells of bump" "$(grep -c 'note: function bump, which --transactions names, is called nowhere' inlined.check)" $met
    is "$how: so does test" "$(grep -c 'note: function bump, .* build with -fno-inline' inlined.said)" $met
    is "$how: a name that nobody has" "$(grep -c 'function nobody, ' inlined.check inlined.said inlined.json | tr '\n' ' ')" \
        "inlined.check:1 inlined.said:1 inlined.json:1 "
    is "$how: it is a transaction where it is called" "$(grep -c 'bump is not atomic on n' inlined.said)" $((1 - met))
done
