#!/bin/sh
# test_endings.sh - an execution ends cleanly whatever happens.
#
# Each program below ends in another way; the failure kind and a word of the
# message must be right, heddle itself must survive (exit 0 or 1), and so must
# the next execution: every program also runs twenty times in one process.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# try NAME KIND WORD -- program text on standard input
try() {
    cat > "$1.c"
    if ! "$BUILD/bin/heddle-cc" -g -O1 "$1.c" -o "$1" 2> err; then
        echo "not ok $1 builds: $(head -n 1 err)"
        return
    fi
    timeout 60 "$BUILD/bin/heddle" run --quiet "./$1" > out 2> err
    status=$?
    if [ "$2" = none ]; then
        if [ $status -eq 0 ]; then echo "ok $1 ends well"; else echo "not ok $1 ends well: exit $status, $(tail -n 1 err)"; fi
    elif [ $status -ne 1 ] || ! grep -q "heddle: $2 in thread" err || ! grep -q -- "$3" err; then
        echo "not ok $1 is a $2: exit $status, $(tail -n 1 err)"
    else
        echo "ok $1 is a $2"
    fi
    timeout 60 "$BUILD/bin/heddle" explore --strategy random --executions 20 --quiet --json -o v.json "./$1" > v 2> err
    runs=$(sed -n 's/^ *"executions": \([0-9]*\),$/\1/p' v | tail -n 1)
    if [ "$runs" = 20 ] && ! grep -q '"ended_by": "lost"' v; then
        echo "ok $1 twenty times in one process"
    else
        echo "not ok $1 twenty times in one process: $runs executions, $(tail -n 1 err)"
    fi
}

try returns none '' <<'E'
#include <pthread.h>
static void *w(void *a) { for (volatile int i = 0; i < 100; i++); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return 0; }
E
try exit_elsewhere none '' <<'E'
#include <pthread.h>
#include <stdlib.h>
static void *w(void *a) { exit(0); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 3; }
E
try aborts crash 'abort() was called' <<'E'
#include <stdlib.h>
int main(void) { abort(); }
E
try asserts assertion 'x == 2' <<'E'
#include <assert.h>
int main(void) { int x = 1; assert(x == 2); return 0; }
E
try null crash 'null pointer' <<'E'
int main(int c, char **v) { (void)v; int *p = (int *)(long)(c - 1); return *p; }
E
try wild crash 'SIGSEGV' <<'E'
int main(int c, char **v) { (void)v; int *p = (int *)(long)(c * 0x123456789000); *p = 3; return 0; }
E
try divides crash 'SIGFPE' <<'E'
int main(int c, char **v) { (void)v; volatile int zero = c - 1; return 7 / zero; }
E
try illegal crash 'SIGILL' <<'E'
int main(void) { __builtin_trap(); }
E
try overflows crash 'stack overflow in thread 0.1' <<'E'
#include <pthread.h>
static int deep(volatile int n) { volatile char pad[4096]; pad[n & 4095] = 1; return deep(n + 1) + pad[0]; }
static void *w(void *a) { deep(0); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
E
try use_after_free misuse 'use after free' <<'E'
#include <stdlib.h>
int main(void) { int *p = malloc(40); p[3] = 1; free(p); return p[3]; }
E
try double_free misuse 'double free' <<'E'
#include <stdlib.h>
int main(void) { char *p = malloc(40); free(p); free(p); return 0; }
E
try wild_free misuse 'malloc did not return' <<'E'
#include <stdlib.h>
int main(void) { char *p = malloc(40); free(p + 8); return 0; }
E
try abba deadlock 'held by thread' <<'E'
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *x) { pthread_mutex_lock(&b); sched_yield(); pthread_mutex_lock(&a); return x; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&a); sched_yield(); pthread_mutex_lock(&b); return 0; }
E
try abba_beside_a_sleeper deadlock 'in thread 0 at .*thread 0 locks mutex .*held by thread 0.2.*0.2 locks mutex .*held by thread 0 ' <<'E'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *sleeper(void *x) { for (;;) sleep(1); return x; }
static void *w(void *x) { pthread_mutex_lock(&b); pthread_barrier_wait(&both); pthread_mutex_lock(&a); return x; }
int main(void) {
    pthread_t t;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&t, 0, sleeper, 0);
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&a);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&b);
    return 0;
}
E
try spins_for_ever livelock 'spins on [^ ]' <<'E'
#include <stdatomic.h>
static atomic_int flag;
int main(void) { while (!flag); return 0; }
E
try waits_for_ever deadlock 'waits' <<'E'
#include <semaphore.h>
int main(void) { sem_t s; sem_init(&s, 0, 0); sem_wait(&s); return 0; }
E
try foreign_unlock misuse 'mutex' <<'E'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *x) { pthread_mutex_unlock(&m); return x; }
int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
E
try sleeps_an_hour none '' <<'E'
#include <unistd.h>
int main(void) { sleep(3600); return 0; }
E
try throws none '' <<'E'
#include <setjmp.h>
static jmp_buf b;
static void out(void) { longjmp(b, 5); }
int main(void) { int r = setjmp(b); if (!r) out(); return r != 5; }
E

# A loop without any event: the watchdog. A loop with events: --steps.
cat > busy.c <<'E'
int main(void) { for (;;) __asm__ volatile(""); }
E
"$BUILD/bin/heddle-cc" -g -O1 busy.c -o busy
HEDDLE_OPTIONS=watchdog=1 timeout 60 ./busy > out 2> err
if grep -q 'timeout in thread 0' err; then echo "ok a loop without events is a timeout"; else echo "not ok a loop without events is a timeout: $(tail -n 1 err)"; fi
cat > turns.c <<'E'
volatile int flag;
int main(void) { for (;;) flag++; }
E
"$BUILD/bin/heddle-cc" -g -O1 turns.c -o turns
timeout 60 "$BUILD/bin/heddle" run --steps 5000 ./turns > out 2> err
if grep -q 'cut at 5000 visible operations' err; then echo "ok a loop with events ends at --steps"; else echo "not ok a loop with events ends at --steps: $(tail -n 1 err)"; fi
