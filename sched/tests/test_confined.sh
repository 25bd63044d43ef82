#!/bin/sh
# test_confined.sh - a restore leaves out what nobody can have written, and nothing else.
#
# Small programs that must, or must not, count as confined (sched/confined.h). Each of
# those that are not would leak from one execution into the next if it were: its
# outcomes are counted, too.
export PATH="$BUILD/bin:$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

begin='#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}
static void both(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
'
# program NAME BODY: compiled, run 20 times, its lines in NAME.lines
program() {
    printf '%s%s\n' "$begin" "$2" > "$work/$1.c"
    heddle-cc -O2 -w "$work/$1.c" -o "$work/$1" || { echo "not ok $1: does not build"; return 1; }
    HEDDLE_OPTIONS="explore verify strategy=random executions=20 result=7" \
        timeout 60 "$work/$1" 7> "$work/$1.lines" > /dev/null 2> "$work/$1.said" || true
    grep -q '^done' "$work/$1.lines" || { echo "not ok $1: $(head -n 1 "$work/$1.said")"; return 1; }
}
alone() { grep -q '^note an execution left the libraries alone' "$work/$1.lines"; }
# All 20 executions end in the same way.
same() {
    grep -q '^count 0 20$' "$work/$1.lines" && return
    echo "not ok $1: leaks: $(grep '^count' "$work/$1.lines" | tr '\n' ' ')"
    return 1
}
confined() {
    program "$1" "$2" && same "$1" || return
    if alone "$1"; then echo "ok $1 is confined"; else echo "not ok $1: everything is compared"; fi
}
wide() {
    program "$1" "$2" && same "$1" || return
    if alone "$1"; then echo "not ok $1: counts as confined"
    elif [ -n "${3:-}" ] && ! grep -q "$3" "$work/$1.lines"; then echo "not ok $1: no $3"
    else echo "ok $1 is not"; fi
}

confined locks 'int main(void) { both(); return n != 2; }'
confined heap 'int main(void) { char *p = calloc(1, 100); both(); memset(p, 1, 100); free(p); return 0; }'
confined statics 'static char big[100000]; static int table[4] = {1, 2, 3, 4}; static __thread int own = 3;
int main(void) { both(); int was = big[77777] + table[2] + own; big[77777] = table[2] = own = 9; return was != 6; }'
# What a frame does not write it may see: of an earlier execution nothing (stack.c), with
# frames that are small, large, of a size that is not fixed, or aligned to a page.
deep='__attribute__((noinline)) static int deep(int size, int left) { volatile char frame[SIZE];
    int was = frame[size / 2]; frame[size / 2] = 1; return left ? was + deep(size, left - 1) : was; }
static void *thread(void *arg) { n += deep(ROOM, LEFT); return arg; }
int main(void) { pthread_t t; both(); int was = deep(ROOM, LEFT); pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL); return was + n != 2; }'
frames() { confined "$1" "#define ROOM $2
#define SIZE $3
#define LEFT $4
$deep"; }
frames small_frames 1000 ROOM 200
frames frames_of_half_a_page 2000 ROOM 20
frames a_large_frame 300000 ROOM 0
frames frames_with_holes 20000 ROOM 3
frames variable_frames 50000 size 2
confined frame_of_a_page '__attribute__((noinline)) static int deep(int left) {
    volatile char frame[64] __attribute__((aligned(4096))); int was = frame[9]; frame[9] = 1;
    return left ? was + deep(left - 1) : was; }
int main(void) { both(); return deep(7); }'

wide prints 'int main(void) { both(); printf("%d\n", n); return 0; }' '^output 2'
wide writes 'int main(void) { both(); return write(1, "two", 3) != 3; }' '^output two'
wide errno_text 'int main(void) { both(); return strlen(strerror(12345)) < 5; }'
confined environment 'extern char **environ; int main(void) { both(); int had = environ[0] && !strcmp(environ[0], "X=1");
    static char *mine[] = {"X=1", NULL}; environ = mine; return had; }'
wide a_stream 'int main(void) { both(); int was = stdout->_fileno; stdout->_fileno = 7; return was != 1; }'
wide by_dlsym 'int main(void) { both(); void *libc = dlopen("libc.so.6", RTLD_NOW); int (*put)(const char *) = dlsym(libc, "puts");
    put("past"); fflush(stdout); return 0; }' '^output past'
wide by_next 'int main(void) { both(); int (*put)(const char *) = dlsym(RTLD_NEXT, "puts"); put("next"); fflush(stdout); return 0; }' '^output next'
wide handler 'static void on(int s) { (void)s; } int main(void) { both(); return signal(SIGUSR1, on) != SIG_DFL; }'
wide handlers 'static void on(int s) { (void)s; } int main(void) { struct sigaction a = {.sa_handler = on, .sa_flags = SA_RESETHAND}, o;
    both(); if (sigaction(SIGUSR2, &a, &o) || o.sa_handler != SIG_DFL) return 1; raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &o); return o.sa_handler != SIG_DFL; }'
wide key 'int main(void) { pthread_key_t k; pthread_key_create(&k, NULL); both(); return k != 0; }'
wide random_numbers 'int main(void) { both(); return rand() == 0; }'
case $(uname -m) in
x86_64) wide own_call 'int main(void) { both(); long r = 1; __asm__ volatile("syscall" : "+a"(r) : "D"(1L), "S"("raw"), "d"(3L)
    : "rcx", "r11", "memory"); return 0; }' '^output raw' ;;
esac
