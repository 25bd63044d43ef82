# test_large_trace.sh - a trace is written and read in pieces.
#
# Every access of a program that computes is kept: some hundred megabytes as text.
# Recording, converting and the one-pass checkers must not hold it in memory.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/mix.c" <<'C'
#include <pthread.h>
#include <stdint.h>
static int cells[4096];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *mix(void *arg) {
    uint32_t x = (uint32_t)(uintptr_t)arg;
    for (int i = 0; i < 1000000; i++) {
        x = x * 1664525u + 1013904223u;
        cells[(x >> 20 & 2047) + 2048 * (uintptr_t)arg] += 1;
    }
    pthread_mutex_lock(&guard);
    pthread_mutex_unlock(&guard);
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, mix, (void *)1);
    mix(0);
    pthread_join(id, 0);
    return 0;
}
C
heddle-cc -g -O1 "$work/mix.c" -o "$work/mix" || { echo "not ok it builds"; exit 1; }
cat > "$work/peak.py" <<'P'
import resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "w"), stderr=subprocess.PIPE)
sys.stderr.buffer.write(done.stderr)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
P
# below NAME MEGABYTES COMMAND...
below() {
    name=$1 most=$2
    shift 2
    answer=$(python3 "$work/peak.py" "$work/out" "$@" 2> "$work/err")
    status=${answer% *} peak=${answer#* }
    if [ "$status" = 0 ] && [ "$peak" -le "$most" ]; then
        echo "ok $name"
    else
        echo "not ok $name: exit $status, $peak MB, wanted at most $most: $(tail -n 1 "$work/err")"
    fi
}
below "recording" 64 heddle run --quiet --every-access --steps 100000000 --trace "$work/t" "$work/mix"
size=$(wc -c < "$work/t")
if [ "$size" -gt 5000000 ]; then echo "ok the trace is a large one"; else echo "not ok the trace has $size bytes"; fi
below "as text" 64 heddle trace --format text "$work/t"
size=$(wc -c < "$work/out")
if [ "$size" -gt 100000000 ]; then echo "ok its text is a larger one"; else echo "not ok the text has $size bytes"; fi
below "velodrome and happens-before" 96 heddle check --checkers velodrome,races:algorithm=hb "$work/t"
