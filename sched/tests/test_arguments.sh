# test_arguments.sh - an execution does not depend on how heddle was called.
#
# A program that reads all of argv and the environment passes the same events
# whatever the length of heddle's own options, and does not see them.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD
cd "$work" || exit 1
cat > words.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static size_t sum;
static void *reader(void *arg) {
    for (char **at = arg; *at; at++) {
        char copy[4096];
        snprintf(copy, sizeof copy, "%s", *at);
        pthread_mutex_lock(&guard);
        sum += strlen(copy);
        pthread_mutex_unlock(&guard);
    }
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t id;
    int changed = argc != 2 || argv[1][0] != 'a';
    pthread_create(&id, NULL, reader, environ);
    reader(argv);
    pthread_join(id, NULL);
    printf("%zu bytes, options %s\n", sum, getenv("HEDDLE_OPTIONS") ? "seen" : "not seen");
    argv[1][0] = 'X'; /* must be as it was in the next execution */
    return changed;
}
C
heddle-cc -g -O1 words.c -o words || { echo "not ok it builds"; exit 1; }

is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }

one=$(heddle run --strategy random ./words abc 2>&1)
two=$(heddle run --strategy random --trace a_rather_long_name_for_a_trace --schedule s ./words abc 2>&1)
is "the same events with other options" "$two" "$one"
case $one in *"options not seen"*) echo "ok heddle's options are not the program's" ;;
*) echo "not ok heddle's options are not the program's: $one" ;; esac
heddle replay s ./words abc > replayed 2>&1
is "a schedule replays under other options" $? 0
heddle explore --executions 300 --strategy random --json -o x.json ./words abc > x.out 2> /dev/null
is "arguments are put back between executions" $? 0
cd "$here" || exit 1
