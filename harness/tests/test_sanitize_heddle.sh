# test_sanitize_heddle.sh - the heddle command under ASan and UBSan, and under valgrind.
#
# The command, checkers and trace layer are built once more with sanitizers and do
# every kind of work on a few programs; the plain command does some of it under
# valgrind. Nothing may be reported, and the verdicts must be those of the plain one.
out=$BUILD/sanitize/heddle
litmus=$BUILD/litmus
. suites/tests/build_litmus.sh
mkdir -p "$out/bin" "$out/obj"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -P "$BUILD/bin/heddle-cc" "$out/bin/"
[ -e "$out/lib" ] || ln -s "$BUILD/lib" "$out/lib"
export out
compile='gcc -std=gnu11 -O1 -g -w -I. -DHD_VERSION="\"test\"" -fsanitize=address,undefined \
    -fno-sanitize-recover=all -c "$1" -o "$out/obj/$(echo "$1" | tr / _).o"'
ls harness/*.c checkers/*.c sched/trace/*.c | grep -v '^harness/cc' |
    xargs -P 2 -n 1 sh -c "$compile" compile
if ! gcc -fsanitize=address,undefined "$out"/obj/*.o -ljansson -ldw -lelf -lm -o "$out/bin/heddle" 2> "$work/log"; then
    echo "not ok heddle is built with sanitizers: $(tail -n 1 "$work/log")"
    exit 0
fi

# quiet NAME COMMAND...: no report, and an exit status that is heddle's own
quiet() {
    what=$1
    shift
    "$@" > "$work/out" 2> "$work/err"
    status=$?
    if [ $status -le 1 ] && ! grep -qE 'Sanitizer|runtime error|^==[0-9]*== (Invalid|Cond|Use|[0-9,]* bytes)' "$work/err"; then
        echo "ok $what"
    else
        echo "not ok $what: exit $status: $(grep -m 1 -E 'ERROR|runtime error|==' "$work/err")"
    fi
}
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
sane=$out/bin/heddle
cd "$work" || exit 1
for name in aba string_buffer_append philosophers det_sem_compete views_harmless timedwait_trusted; do
    program=$litmus/$name
    quiet "test $name" "$sane" test --executions 300 --time 120 -o "$name.json" "$program"
    "$BUILD/bin/heddle" test -q --executions 300 --time 120 -o plain.json "$program"
    for file in "$name.json" plain.json; do
        sed -e '/"seconds"/d' -e '/executions_per_second/d' -e '/"version"/d' "$file" > "$file.kept"
    done
    if cmp -s "$name.json.kept" plain.json.kept; then echo "ok verdicts of $name"; else echo "not ok verdicts of $name differ"; fi
    id=$(sed -n 's/.*"id": "\(F[0-9a-f]*\)".*/\1/p' "$name.json" | head -n 1)
    [ -z "$id" ] || quiet "replay $name" "$sane" replay "$name.json#$id"
    quiet "run $name" "$sane" run --values --trace t --schedule s "$program"
    quiet "trace $name" "$sane" trace --format text t
    quiet "check $name" "$sane" check --json t
done
quiet "explore" "$sane" explore --strategy dpor --observe globals --executions 300 -o x.json "$litmus/aba"
valgrind="valgrind -q --error-exitcode=99 --leak-check=no"
quiet "check under valgrind" $valgrind "$BUILD/bin/heddle" check t
quiet "trace under valgrind" $valgrind "$BUILD/bin/heddle" trace --format json t
quiet "trace to std under valgrind" $valgrind "$BUILD/bin/heddle" trace --format std t
