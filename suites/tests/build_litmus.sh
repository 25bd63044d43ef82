# build_litmus.sh - sourced: the litmus programs, built once for all tests.
#
# They go to $BUILD/litmus/NAME; what is newer than its source and the runtime
# is kept. A program that does not build is missing there, with NAME.err beside.
mkdir -p "$BUILD/litmus"
build_one='
name=$(basename "$1" .c)
out=$BUILD/litmus/$name
[ "$out" -nt "$1" ] && [ "$out" -nt "$BUILD/lib/libheddle.a" ] && exit 0
"$BUILD/bin/heddle-cc" -g -O1 "$1" -o "$out" 2> "$out.err" || rm -f "$out"
'
export BUILD
{
    flock 9 # two tests may want them at once
    ls suites/litmus/*.c | xargs -P 2 -n 1 sh -c "$build_one" build
} 9> "$BUILD/litmus.lock"
