#!/bin/sh
# bench.sh - how fast heddle is, against baselines measured in the same run.
#
# Tables go to standard output and to results/bench/PART.txt, the same as data to
# results/bench/PART.json. Everything is a ratio to something else on this
# machine; times are those of the processor, so that other work disturbs little. A
# figure that misses what it should reach says so.
#
# usage: bench.sh [PART...]      all parts without arguments; environment: BUILD, and RESULTS
#                                for another folder than results/bench
set -u
own='switch record explore search threads units checkers power directed'
papers='papers-speed papers-accuracy papers-reduction papers-blocks papers-storage papers-determinism papers-stale papers-transactions papers-anomalies papers-summary'
parts=${*:-$own $papers}
parts=$(for part in $parts; do if [ "$part" = papers ]; then echo "$papers"; else echo "$part"; fi; done)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS HEDDLE_CC
PATH=$BUILD/bin:$PATH
bench=harness/bench
results=${RESULTS:-results/bench}
mkdir -p "$results" "$BUILD/bench"
. harness/bench/lib.sh
. harness/bench/sheet.sh
. harness/bench/papers.sh

${CC:-cc} -O2 $bench/spend.c -o "$work/spend" || exit 3
for part in $parts; do
    if [ ! -f "$bench/$part.sh" ]; then
        echo "bench: there is no part $part; there are $own, papers (all of: $papers)" >&2
        exit 2
    fi
    case $part in
    power | papers-*) # tables of their own shape
        . "harness/bench/$part.sh"
        continue ;;
    esac
    begin_table "$part"
    . "harness/bench/$part.sh"
    end_table "$part"
done
