# lib.sh - what the tests of heddle-cc share: a heddle-cc with a stub runtime.
#
# Copies the built heddle-cc into a folder of its own with stub.c for libheddle.a, so
# that these tests ask about the compiler front end alone. Leaves the shell in an empty
# working folder. `check NAME COMMAND...` is a test that passes if the command does.
here=$(pwd)/harness/tests/cc
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/bin" "$tree/lib" "$tree/include" "$tree/work"
cp -P "$BUILD/bin/heddle-cc" "$BUILD/bin/heddle-c++" "$tree/bin"
cp "$BUILD/lib/heddle.specs" "$tree/lib"
gcc -O1 -g -fPIC -c "$here/stub.c" -o "$tree/stub.o" && ar rcs "$tree/lib/libheddle.a" "$tree/stub.o"
echo '#define HEDDLE_HEADER 1' > "$tree/include/heddle.h"
PATH=$tree/bin:$PATH
export PATH
unset HEDDLE_CC HEDDLE_CXX STUB_REPORT GCC_COLORS
LC_ALL=C
export LC_ALL
cd "$tree/work" || exit 1

check() {
    name=$1
    shift
    if "$@" > "$tree/log" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name: exit $?: $(tail -n 3 "$tree/log" | tr '\n' ' ')"
    fi
}

# The program runs, prints the line, and its accesses were seen.
prints() {
    [ "$(STUB_REPORT=1 timeout 10 "$1" 2> "$tree/report")" = "$2" ] &&
        grep -q 'entries [1-9]' "$tree/report"
}

# The same, for what has nothing instrumented.
prints_plain() { [ "$(timeout 10 "$1")" = "$2" ]; }

# Runs the rest; wants that exit status.
exits() {
    want=$1
    shift
    "$@" > "$tree/out" 2> "$tree/err"
    got=$?
    [ "$got" = "$want" ] || { echo "exit status $got, not $want"; cat "$tree/err"; return 1; }
}

# Does this object call the runtime?
instrumented() { nm "$1" | grep -q ' U __tsan_'; }
