# lib.sh - building and running a small program with heddle; for test_libc_*.sh.
#
# build NAME [FLAGS]   compiles sched/tests/libc/NAME.c to ./NAME
# check NAME COMMAND   one line of result; the command's output is shown when it fails
here=$PWD/sched/tests/libc
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-libc.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

build() {
    source=$1
    shift
    "$BUILD/bin/heddle-cc" -g -Wall -Wextra "$here/$source.c" "$@" -o "$source" > cc.out 2>&1 ||
        { echo "not ok $source builds: $(head -3 cc.out | tr '\n' ' ')"; return 1; }
}
check() {
    name=$1
    shift
    if "$@" > out 2> err; then
        echo "ok $name"
    else
        echo "not ok $name: $(cat out err | head -5 | tr '\n' ' ')"
    fi
}
# prints TEXT COMMAND: the command succeeds and its standard output is TEXT
prints() {
    wanted=$1
    shift
    got=$("$@") || { echo "status $?: $got"; return 1; }
    [ "$got" = "$wanted" ] || { echo "wanted '$wanted', got '$got'"; return 1; }
}
# traced PROGRAM: its trace as text, in ./trace.txt
traced() {
    HEDDLE_OPTIONS="trace=$work/trace.bin ${OPTIONS-}" "./$@" > traced.out 2> traced.err
    "$BUILD/bin/heddle" trace --format text trace.bin > trace.txt
}
# explored PROGRAM OPTIONS: result lines of many executions, in ./results
explored() {
    program=$1
    shift
    HEDDLE_OPTIONS="explore result=3 $*" "./$program" 3> results > explored.out 2> explored.err
}
