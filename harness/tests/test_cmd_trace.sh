#!/bin/sh
# heddle trace: conversions, exit status, messages.
heddle=$BUILD/bin/heddle
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# check NAME: the status of the command before decides
check() {
    if [ $? -eq 0 ]; then echo "ok $1"; else echo "not ok $1: $(head -c 200 "$dir/err" 2>/dev/null)"; fi
}
# ends STATUS NAME COMMAND...: it ends with that status, and says why if not 0
ends() {
    wanted=$1 name=$2
    shift 2
    "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    if [ $status -ne "$wanted" ]; then
        echo "not ok $name: status $status, expected $wanted"
    elif [ "$wanted" -ne 0 ] && ! grep -q '^heddle: ' "$dir/err"; then
        echo "not ok $name: no message"
    else
        echo "ok $name"
    fi
}

cat >"$dir/a.text" <<'END'
T1 acq guard @bank.c:19
T1 rd balance
T2 vrd flag acquire
T1 rel guard @bank.c:21
END
"$heddle" trace "$dir/a.text" 2>"$dir/err" | cmp -s - "$dir/a.text"
check "a text is printed as it is"
"$heddle" trace --format binary -o "$dir/a.trace" "$dir/a.text" 2>"$dir/err" &&
    "$heddle" trace "$dir/a.trace" | cmp -s - "$dir/a.text"
check "text to binary to text"
"$heddle" trace --format std "$dir/a.trace" >"$dir/a.std" 2>"$dir/err" &&
    grep -qx 'T1|acq(guard)|bank.c:19' "$dir/a.std" && [ "$(wc -l <"$dir/a.std")" -eq 4 ]
check "binary to std"
"$heddle" trace --import std "$dir/a.std" -o "$dir/b.trace" 2>"$dir/err" &&
    "$heddle" trace "$dir/b.trace" | cmp -s - "$dir/a.text"
check "std is imported"
"$heddle" trace --format json "$dir/a.trace" 2>"$dir/err" |
    grep -q '^{"index": 2, "thread": "T2", "op": "vrd", "variable": "flag", "order": "acquire"}$'
check "json has names"
"$heddle" trace - <"$dir/a.trace" 2>"$dir/err" | cmp -s - "$dir/a.text"
check "standard input, a file"
cat "$dir/a.trace" | "$heddle" trace - 2>"$dir/err" | cmp -s - "$dir/a.text"
check "standard input, a pipe"
"$heddle" trace --format text -o "$dir/a.trace" "$dir/a.trace" 2>"$dir/err" &&
    cmp -s "$dir/a.trace" "$dir/a.text"
check "a file is converted in place"

ends 2 "no file" "$heddle" trace
ends 2 "two files" "$heddle" trace "$dir/a.text" "$dir/a.std"
ends 2 "a file that is not there" "$heddle" trace "$dir/none"
ends 2 "a folder" "$heddle" trace "$dir"
ends 2 "no such format" "$heddle" trace --format yaml "$dir/a.text"
ends 2 "an import without a target" "$heddle" trace --import std "$dir/a.std"
ends 2 "text imported as std" "$heddle" trace --import std "$dir/a.text" -o "$dir/c.trace"
grep -q "^heddle: $dir/a.text:1: expected three fields" "$dir/err"
check "the message names file, line and what was expected"
[ ! -e "$dir/c.trace" ]
check "nothing is written when the input is bad"
head -c 100 "$dir/b.trace" >"$dir/cut.trace"
ends 2 "a trace that was cut short" "$heddle" trace "$dir/cut.trace"
head -c 3000 "$heddle" >"$dir/junk"
ends 2 "a file that is no trace" "$heddle" trace "$dir/junk"
ends 3 "a full disk" "$heddle" trace "$dir/a.text" -o /dev/full
ends 3 "a full disk, binary" "$heddle" trace "$dir/a.text" --format binary -o /dev/full
"$heddle" trace "$dir/a.text" >/dev/full 2>"$dir/err"
[ $? -eq 3 ]
check "a full disk behind standard output"
