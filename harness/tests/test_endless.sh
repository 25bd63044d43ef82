#!/bin/sh
# test_endless.sh - loops over plain data. One that nobody can end is a livelock, found in a
# moment and replayed; one that ends after all is none, however long it takes.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

head='#include <pthread.h>
#include <stdio.h>
#include <time.h>
static int done, other;
static unsigned rounds;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define START(f) pthread_t t_##f; pthread_create(&t_##f, NULL, f, NULL)
#define END(f) pthread_join(t_##f, NULL)
#define WORK(f) static void *f(void *arg)
'
is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
program() { # NAME TEXT
    { echo "$head"; echo "$2"; } > "$1.c"
    heddle-cc -g -O1 "$1.c" -o "$1" || echo "not ok $1 builds"
}
ends() { # NAME: how it ends, as a complete search sees it
    heddle explore -q --strategy dpor --time 100 -o "$1.json" "./$1" > out 2>&1
    python3 -c 'import json, sys
doc = json.load(open(sys.argv[1]))
print(doc["statistics"]["exhausted"], *sorted(o["outcome"] for o in doc["outcomes"]))' "$1.json"
}
again() { # NAME: what the replay of the first failure says
    id=$(sed -n 's/^ *"id": "\(F[0-9a-f]*\)".*/\1/p' "$1.json" | head -n 1)
    heddle replay "$1.json#$id" 2> /dev/null | tail -n 1 | cut -d : -f 1,2
}

program never 'WORK(waits) { while (!done) { } return arg; }
int main(void) { START(waits); END(waits); return 0; }'
is "a flag that nobody sets" "$(ends never)" "True livelock"
is "it is replayed" "$(again never)" "livelock in thread 0.1 at never.c:11"

program two 'WORK(one) { while (!done) { if (other) done = 0; } return arg; }
WORK(two) { while (!other) { } return arg; }
int main(void) { START(one); START(two); END(one); END(two); return 0; }'
is "two of them" "$(ends two)" "True livelock"

program holding 'WORK(waits) { pthread_mutex_lock(&m); while (!done) { } pthread_mutex_unlock(&m); return arg; }
WORK(sets) { pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return arg; }
int main(void) { START(waits); START(sets); END(waits); END(sets); return 0; }'
is "with the lock that its setter needs" "$(ends holding)" "True exit 0 livelock"
is "it is replayed, too" "$(again holding)" "livelock in thread 0.1 at holding.c:11"

program counts 'WORK(waits) { for (unsigned i = 0; i < 30000000 && !done; i++) { } return arg; }
int main(void) { START(waits); END(waits); return 0; }'
is "one that counts and gives up" "$(ends counts)" "True exit 0"

program writes 'WORK(waits) { while (!done) { if (++rounds == 20000000) break; } return arg; }
int main(void) { START(waits); END(waits); return 0; }'
is "one that counts in memory" "$(ends writes)" "True exit 0"

program deep 'static int walk(int n) { return done ? 0 : n == 0 ? other : walk(n - 1) + other; }
WORK(waits) { int sum = 0; for (int i = 0; i < 20000; i++) sum += walk(i % 100); return sum ? arg : NULL; }
int main(void) { START(waits); END(waits); return 0; }'
is "one that calls itself" "$(ends deep)" "True exit 0"

program timed 'WORK(sleeps) { struct timespec nap = {1, 0}; nanosleep(&nap, NULL); done = 1; return arg; }
WORK(waits) { while (!done) { } return arg; }
int main(void) { START(sleeps); START(waits); END(sleeps); END(waits); return 0; }'
is "one that a sleeper will end" "$(ends timed | tr -d 0-9)" "True exit "
