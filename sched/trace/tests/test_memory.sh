#!/bin/sh
# Every allocation fails once: a message, no crash, no leak.
out=$BUILD/sanitize/memory
mkdir -p "$out"
name="every allocation may fail"
wrap="-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup"
if ! gcc -std=gnu11 -O1 -g -w -I. -fsanitize=address,undefined -fno-sanitize-recover=all $wrap \
    sched/trace/tests/chaos.c sched/trace/*.c -o "$out/chaos" 2>"$out/log"; then
    echo "not ok $name: $(head -1 "$out/log")"
elif "$out/chaos" >"$out/log" 2>&1; then
    echo "ok $name"
else
    echo "not ok $name: $(grep -m1 -E 'ERROR|runtime error|allocation|form' "$out/log")"
fi
