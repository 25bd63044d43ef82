#!/bin/sh
# Four projects that know nothing of heddle (suites/examples), built as they are by
# the usual build systems with heddle-cc for a compiler, then tested.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS HEDDLE_CC MAKEFLAGS MFLAGS MAKELEVEL CFLAGS LDFLAGS CC
PATH=$BUILD/bin:$PATH
cp -r suites/examples/. "$work" && cd "$work" || exit 1

# build NAME WANTED-FILE COMMAND: in the folder NAME
build() {
    if (cd "$1" && sh -e -c "$3") > log 2>&1 && [ -x "$1/$2" ]; then echo "ok ${1}_builds"
    else echo "not ok ${1}_builds: $(tail -n 1 log)"; fi
}
# test NAME WANTED-STATUS WORDS PROGRAM
test_() {
    heddle test -o "$1.json" "$1/$4" > log 2>&1 < /dev/null
    status=$?
    if [ $status -ne "$2" ]; then echo "not ok ${1}_is_tested: status $status, $(tail -n 2 log | head -n 1)"
    elif ! grep -q "$3" log; then echo "not ok ${1}_is_tested: does not say '$3'"
    else echo "ok ${1}_is_tested"; fi
}

build make words 'make CC=heddle-cc'
test_ make 0 'search complete' words
build cmake out/door 'cmake -B out -DCMAKE_C_COMPILER=heddle-cc && cmake --build out'
test_ cmake 1 'confirmed harmful: limiter_enter' out/door
build meson out/post 'CC=heddle-cc meson setup out && ninja -C out'
test_ meson 0 'search complete' out/post
build autoconf writer 'autoreconf -i && ./configure CC=heddle-cc && make'
test_ autoconf 1 "written == 1" writer

# The binaries run by themselves too, as a plain compiler's would
if [ "$(make/words)" = '6 words' ]; then echo ok a_built_program_runs_by_itself
else echo "not ok a_built_program_runs_by_itself: $(make/words 2>&1 | head -n 1)"; fi
