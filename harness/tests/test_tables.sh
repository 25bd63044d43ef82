#!/bin/sh
# test_tables.sh - the papers' tables in which no time is measured are those of today.
#
# Whatever changes a verdict of the papers' programs changes a table, too: text, data and
# pictures are compared with results/bench, byte for byte. `heddle bench PART` writes them
# anew; whoever commits a change says why.
unset HEDDLE_OPTIONS HEDDLE_CC EXECUTIONS
RESULTS=$(mktemp -d) || exit 3
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
for part in papers-stale papers-transactions papers-anomalies; do
    sh harness/bench.sh $part > "$RESULTS/log" 2>&1 || tail -n 3 "$RESULTS/log"
    for file in $(ls "$RESULTS" results/bench | grep "^$part[.-]" | sort -u); do
        if cmp -s "$RESULTS/$file" "results/bench/$file"; then
            echo "ok $file"
        else
            echo "not ok $file: $(diff "results/bench/$file" "$RESULTS/$file" 2>&1 | sed -n 2,3p)"
        fi
    done
done
