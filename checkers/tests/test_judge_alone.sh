# test_judge_alone.sh - the judge asks nothing of anybody.
#
# It is linked into programs under test: no allocation, no stdio, no other part of
# heddle, no data of its own that a snapshot of the process would wipe.
all=$(nm "$BUILD"/obj/checkers/judge*.o | sed -n 's/^ *U \(.*\)/\1/p' | sort -u |
    grep -v -e '^hd_judge_' -e '^memcpy$' -e '^memset$')
if [ -z "$all" ]; then
    echo "ok the judge uses memcpy and memset, nothing else"
else
    echo "not ok the judge uses memcpy and memset, nothing else:" $all
fi
data=$(nm "$BUILD"/obj/checkers/judge*.o | sed -n 's/^[0-9a-f]* [bBdD] \(.*\)/\1/p')
if [ -z "$data" ]; then
    echo "ok the judge has no writable data"
else
    echo "not ok the judge has no writable data:" $data
fi

# Compiled for no library, linked into a program that heddle runs: it must say of each
# execution what its outcome says as well. One deposit lost, or none.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
built=yes
for part in checkers/judge*.c; do
    cc -std=gnu11 -O2 -ffreestanding -fno-stack-protector -I. -c "$part" \
        -o "$dir/$(basename "$part" .c).o" || built=no
done
size=$(size "$dir"/judge*.o | awk 'NR > 1 { all += $1 + $2 + $3 } END { print all + 0 }')
if [ "$built" = yes ] && [ "$size" -gt 0 ] && [ "$size" -lt 32768 ]; then
    echo "ok the judge is $size bytes"
else
    echo "not ok the judge is small: $size bytes, wanted less than 32768"
fi
outcomes=none
if "$BUILD/bin/heddle-cc" -std=gnu11 -O1 -g -I. checkers/tests/inside/judge.c "$dir"/judge*.o \
    -o "$dir/inside" 2> "$dir/said" &&
    "$BUILD/bin/heddle" explore --json --strategy dpor -o "$dir/out" "$dir/inside" \
        > "$dir/json" 2> "$dir/said"; then
    outcomes=$(python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["statistics"]["exhausted"], *sorted(
    "%d times %s" % (o["executions"], o["outcome"].split("\"")[1].split("\\")[0])
    for o in d["outcomes"]))
' < "$dir/json")
fi
wanted="True 2 times balance 2, 0 victims 4 times balance 1, 1 victims"
if [ "$outcomes" = "$wanted" ]; then
    echo "ok inside a program under test the judge accuses exactly the lost deposits"
else
    echo "not ok inside a program under test the judge accuses exactly the lost deposits:" \
        "$outcomes" "$(tail -n 3 "$dir/said")"
fi
