#!/bin/sh
# Every function that stands in for one of libc, called right and wrong ways by
# programs that check the answers themselves (sched/tests/pthread/). Each is
# built by gcc at four levels and by clang, and run under several schedules: every
# check must hold in all of them.
cc=$BUILD/bin/heddle-cc
here=sched/tests/pthread
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS

# run LABEL WANTED-CHECKS PROGRAM: under each schedule
run() {
    label=$1 wanted=$2 program=$3
    for seed in $seeds; do
        case $seed in
        0) options= ;;
        *[05]) options="strategy=random:0.1 seed=$seed" ;;
        *) options="strategy=random seed=$seed" ;;
        esac
        HEDDLE_OPTIONS=$options timeout 20 "$program" >"$work/out" 2>"$work/err" </dev/null
        status=$?
        bad=$(grep -v '^ok ' "$work/out" | head -1)
        checks=$(grep -c '^ok ' "$work/out")
        if [ $status -ne 0 ] || [ -n "$bad" ] || [ "$checks" -ne "$wanted" ]; then
            echo "not ok $label [$options]: status $status, $checks of $wanted checks, $bad $(tail -1 "$work/err")"
            return
        fi
    done
    echo "ok $label"
}

# build NAME SOURCE FLAGS...: with every compiler and level, then run
build() {
    name=$1 source=$2
    shift 2
    wanted=
    for how in gcc-O0 gcc-O1 gcc-O2 gcc-O3 clang-O0 clang-O2; do
        compiler=${how%-*} level=-${how#*-}
        case $source in *.cc) driver=$BUILD/bin/heddle-c++ ;; *) driver=$cc ;; esac
        command -v "$compiler" >/dev/null 2>&1 || continue
        case $source-$compiler in *.cc-gcc) real=g++ ;; *.cc-clang) real=clang++ ;; *) real=$compiler ;; esac
        if ! HEDDLE_CC=$real "$driver" $level -g "$@" "$here/$source" -o "$work/$name" >"$work/log" 2>&1; then
            echo "not ok ${name}_$how: does not build: $(head -1 "$work/log")"
            continue
        fi
        if [ -z "$wanted" ]; then
            "$work/$name" >"$work/out" 2>/dev/null </dev/null
            wanted=$(grep -c '^ok ' "$work/out")
            [ "$wanted" -gt 0 ] || wanted=1
        fi
        run "${name}_$how" "$wanted" "$work/$name"
    done
}

# In any order
seeds="0 1 2 3 4 5"
build mutex mutex.c
build rwlock rwlock.c
build cond cond.c
build sem sem.c
build c11 c11.c
build exit_main exit_main.c
build early early.c
build names names.c
seeds="0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
build any_order any_order.c

# These sleep until another thread is where they want it, which the first
# schedule respects and others need not
seeds=0
build thread thread.c
build cancel cancel.c
build cancel_by_exceptions cancel.c -fexceptions
build signal signal.c
build time time.c
build futex futex.c
build cxx cxx.cc -std=c++20
