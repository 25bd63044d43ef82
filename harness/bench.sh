#!/bin/sh
# bench.sh - how fast heddle is, against baselines measured in the same run.
#
# Tables go to standard output and to results/bench/PART.txt, the same as data to
# results/bench/PART.json. Everything is a ratio to something else on this
# machine; times are those of the processor, so that other work disturbs little. A
# figure that misses what it should reach says so.
#
# usage: bench.sh [PART...]      all parts without arguments; environment: BUILD
set -u
parts=${*:-switch record explore search threads units checkers power}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS HEDDLE_CC
PATH=$BUILD/bin:$PATH
bench=harness/bench
mkdir -p results/bench "$BUILD/bench"
. harness/bench/lib.sh

${CC:-cc} -O2 $bench/spend.c -o "$work/spend" || exit 3
for part in $parts; do
    if [ ! -f "$bench/$part.sh" ]; then
        echo "bench: there is no part $part; there are switch, record, explore, search, threads, units, checkers, power" >&2
        exit 2
    fi
    if [ "$part" = power ]; then # a table of its own shape
        . harness/bench/power.sh
        continue
    fi
    begin_table "$part"
    . "harness/bench/$part.sh"
    end_table "$part"
done
