#!/bin/sh
# The tests of this folder once more, under ASan and UBSan.
out=$BUILD/sanitize/trace
flags="-std=gnu11 -O1 -g -w -I. -I$UNITY -fsanitize=address,undefined -fno-sanitize-recover=all"
rm -rf "$out"
mkdir -p "$out"
for source in sched/trace/*.c "$UNITY/unity.c"; do
    gcc $flags -c "$source" -o "$out/$(basename "$source" .c).o" || exit 1
done
for test in sched/trace/tests/test_*.c; do
    name=$(basename "$test" .c)
    if ! gcc $flags "$test" "$out"/*.o -ljansson -lm -o "$out/$name" 2>"$out/$name.log"; then
        echo "not ok $name under ASan and UBSan: $(head -1 "$out/$name.log")"
        continue
    fi
    if "$out/$name" >"$out/$name.log" 2>&1; then
        echo "ok $name under ASan and UBSan"
    else
        echo "not ok $name under ASan and UBSan: $(grep -m1 -E 'ERROR|runtime error|FAIL' "$out/$name.log")"
    fi
done
