#!/bin/sh
# test_names_messages.sh - locks on the heap and on a stack have the same names in the
# message of a deadlock as in the trace.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/p.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
struct account { int balance; pthread_mutex_t lock; };
struct pair { struct account *from, *to; };
static void move(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}
static void *there(void *arg) { struct pair *p = arg; move(p->from, p->to); return arg; }
static void *back(void *arg) { struct pair *p = arg; move(p->to, p->from); return arg; }
int main(void) {
    struct account here = {0};
    struct account *far = malloc(sizeof *far);
    pthread_mutex_init(&here.lock, NULL);
    pthread_mutex_init(&far->lock, NULL);
    struct pair pair = {&here, far};
    pthread_t t, u;
    pthread_create(&t, NULL, there, &pair);
    pthread_create(&u, NULL, back, &pair);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
END
check() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2"; fi
}
locks() { # PROGRAM: the locks in the message of its deadlock
    "$BUILD/bin/heddle" explore --strategy dpor --quiet --json -o "$work/e.json" "$1" |
        sed -n 's/.*"message": "\(thread 0.1 locks.*\)",*$/\1/p' | tr ';' '\n' |
        sed -n 's/.* locks mutex \(.*\) at .*, held.*/\1/p' | sort | tr '\n' ' '
}
"$BUILD/bin/heddle-cc" -g "$work/p.c" -o "$work/p" || exit 1
"$BUILD/bin/heddle-cc" -g0 "$work/p.c" -o "$work/bare" || exit 1
check "by_type_and_by_local" "$(locks "$work/p")" "account#0.lock main.here.lock "
check "without_debug_information_by_place" "$(locks "$work/bare" | sed 's/allocated at [^)]*/at/')" \
    "heap block 0#0 (48 bytes, at), offset 8 stack of thread 0 "
