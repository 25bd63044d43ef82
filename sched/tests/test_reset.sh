#!/bin/sh
# Nothing of an execution is left for the next: a program that says how it finds its
# process and leaves it in disorder says the same every time, with both isolations.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$BUILD/bin/heddle-cc" -O1 -g sched/tests/libc/reset.c -lm -o "$work/reset" || {
    echo "not ok reset_builds: heddle-cc failed"
    exit 1
}
for isolate in snapshot fork; do
    echo input > "$work/input"
    "$BUILD/bin/heddle" explore --quiet --isolate "$isolate" --strategy random --executions 5 \
        --json -o "$work/$isolate.json" "$work/reset" -a < "$work/input" > /dev/null 2> "$work/message"
    sed -n '/"outcomes": \[/,/\]/p' "$work/$isolate.json" > "$work/$isolate.outcomes"
    seen=$(grep -c '"outcome":' "$work/$isolate.outcomes")
    if [ "$seen" = 1 ] && grep -q '"executions": 5' "$work/$isolate.outcomes"; then
        echo "ok reset_$isolate"
    else
        echo "not ok reset_$isolate: $seen outcomes: $(tr '\n' ' ' < "$work/$isolate.outcomes") $(cat "$work/message")"
    fi
done
if [ -s "$work/fork.outcomes" ] && cmp -s "$work/snapshot.outcomes" "$work/fork.outcomes"; then
    echo "ok reset_both_the_same"
else
    echo "not ok reset_both_the_same: $(diff "$work/snapshot.outcomes" "$work/fork.outcomes")"
fi

# One thing at a time, as in a process of its own.
"$BUILD/bin/heddle-cc" -O1 -g -w sched/tests/libc/left.c -o "$work/left" || {
    echo "not ok left_builds: heddle-cc failed"
    exit 1
}
for thing in $("$work/left" | grep -v '^$'); do
    for isolate in snapshot fork; do
        echo input > "$work/input"
        timeout 60 "$BUILD/bin/heddle" explore --quiet --isolate "$isolate" --strategy random --executions 6 \
            --jobs 1 -o "$work/left.json" "$work/left" "$thing" < "$work/input" 3< "$work/input" > /dev/null \
            2> "$work/$isolate.said"
        sed -n '/"outcomes": \[/,/\]/p' "$work/left.json" > "$work/$isolate.outcomes"
        rm -f "$work/left.json"
    done
    if [ ! -s "$work/fork.outcomes" ] || ! grep -q '"executions": 6' "$work/fork.outcomes"; then
        echo "not ok left_$thing: in processes of their own: $(tr '\n' ' ' < "$work/fork.outcomes")"
    elif [ "$(grep -c '"outcome":' "$work/fork.outcomes")" != 1 ] && [ "$thing" != child ]; then
        echo "not ok left_$thing: several outcomes: $(tr '\n' ' ' < "$work/fork.outcomes")"
    elif cmp -s "$work/snapshot.outcomes" "$work/fork.outcomes"; then
        echo "ok left_$thing"
    else
        echo "not ok left_$thing: $(diff "$work/snapshot.outcomes" "$work/fork.outcomes" | tr '\n' ' ')"
    fi
done
if grep -q 'cannot be put back' "$work/snapshot.said"; then # the last of them was waited for
    echo "not ok left_nothing: $(cat "$work/snapshot.said")"
else
    echo "ok left_nothing"
fi

# A pipe has no position to go back to: nothing is claimed, and it is said.
cat > "$work/piped.c" <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char some[4] = "";
    printf("%d %s\n", (int)read(3, some, 3), some);
}
C
"$BUILD/bin/heddle-cc" -g "$work/piped.c" -o "$work/piped" && echo something | {
    "$BUILD/bin/heddle" explore --executions 3 --strategy random -o "$work/piped.json" "$work/piped" 3<&0 < /dev/null 2> "$work/said"
}
if grep -q 'note: what an execution reads from descriptor 3, a pipe' "$work/said"; then
    echo "ok left_pipe_is_told"
else
    echo "not ok left_pipe_is_told: $(cat "$work/said")"
fi

# Those who share the work share no positions.
cat > "$work/shared.c" <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static _Atomic int n;
static char text[2000];
static void *add(void *argument) { n++; return argument; }
int main(void) {
    pthread_t thread;
    int got = 0;
    unsigned hash = 0;
    pthread_create(&thread, NULL, add, NULL);
    n++;
    for (int fd = 0; fd <= 3; fd += 3) {
        for (int i = 0; i < 1000; i++) got += (int)read(fd, text + i, 1);
        for (int i = 0; i < 1000; i++) hash = hash * 31 + (unsigned char)text[i];
    }
    pthread_join(thread, NULL);
    printf("%d %u\n", got, hash);
}
C
seq 2000 > "$work/input"
"$BUILD/bin/heddle-cc" -g -w "$work/shared.c" -o "$work/shared" &&
    "$BUILD/bin/heddle" explore --quiet --jobs 4 --strategy random --executions 400 -o "$work/shared.json" \
        "$work/shared" < "$work/input" 3< "$work/input"
if grep -q '"executions": 400' "$work/shared.json" && [ "$(grep -c '"outcome":' "$work/shared.json")" = 1 ]; then
    echo "ok left_shared_positions"
else
    echo "not ok left_shared_positions: $(sed -n '/"outcomes": \[/,/\]/p' "$work/shared.json" | tr '\n' ' ')"
fi

# Shared memory of System V does not stay behind.
cat > "$work/segment.c" <<'C'
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/shm.h>
int main(void) { return shmget(IPC_PRIVATE, 77777, 0600 | IPC_CREAT) < 0; }
C
"$BUILD/bin/heddle-cc" -g "$work/segment.c" -o "$work/segment"
for isolate in snapshot fork; do
    "$BUILD/bin/heddle" explore --quiet --isolate $isolate --executions 5 --strategy random -o "$work/segment.json" "$work/segment"
    if grep -q '"executions": 5' "$work/segment.json" && ! grep -q ' 77777 ' /proc/sysvipc/shm; then
        echo "ok left_no_segment_$isolate"
    else
        echo "not ok left_no_segment_$isolate: $(grep -c ' 77777 ' /proc/sysvipc/shm) are left"
    fi
done
