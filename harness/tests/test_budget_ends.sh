#!/bin/sh
# test_budget_ends.sh - each budget ends each kind of search with what was found so far.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$BUILD/bin:$PATH
cat > "$work/wide.c" << 'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last;
static void *worker(void *arg) {
    for (int i = 0; i < 12; i++) {
        pthread_mutex_lock(&lock);
        last = *(int *)arg;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
int main(void) {
    pthread_t threads[3];
    int who[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &who[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(last == 2);
    return 0;
}
C
heddle-cc -g -O1 "$work/wide.c" -o "$work/wide" || exit 1
ends() { # BY WHAT OPTION...
    by=$1 what=$2
    shift 2
    heddle explore --quiet "$@" -o "$work/v.json" "$work/wide" < /dev/null
    status=$?
    got=$(python3 -c 'import json, sys
doc = json.load(open(sys.argv[1]))
print(doc["statistics"]["ended_by"], doc["statistics"]["exhausted"], len(doc["failures"]))' "$work/v.json")
    python3 harness/tests/validate.py docs/verdict.schema.json "$work/v.json" > /dev/null 2>&1 || got="$got, not as the schema says"
    if [ "$status $got" = "1 $by False 1" ]; then echo "ok $what: $*"; else echo "not ok $what: $*: exit $status, $got"; fi
}
for strategy in dpor random; do
    for jobs in 1 2; do
        set -- --strategy $strategy --jobs $jobs
        ends executions '--executions ends it' "$@" --executions 200
        ends time '--time ends it' "$@" --executions 100000000 --time 0.5
        ends memory '--memory ends it' "$@" --executions 100000000 --time 100 --memory 2M
    done
done
# Executions that are cut are none that ended: nothing is complete then.
for jobs in 1 2; do
    heddle explore --quiet --strategy dpor --jobs $jobs --steps 40 --executions 200 -o "$work/v.json" "$work/wide" < /dev/null
    got="$? $(grep -c '"exhausted": false' "$work/v.json") $(grep -c 'cut at 40 visible operations' "$work/v.json")"
    if [ "$got" = '0 1 1' ]; then echo "ok --steps cuts them, --jobs $jobs"; else echo "not ok --steps, --jobs $jobs: $got"; fi
done
