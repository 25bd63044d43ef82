#!/bin/sh
# test_tables.sh - the papers' tables in which no time is measured are those of today.
#
# Whatever changes a verdict of the papers' programs changes a table, too: text, data and
# picture are compared with results/bench, byte for byte. `heddle bench PART` writes them
# anew; whoever commits a change says why.
unset HEDDLE_OPTIONS HEDDLE_CC EXECUTIONS
RESULTS=$(mktemp -d) || exit 3
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
for part in papers-stale papers-transactions papers-anomalies; do
    sh harness/bench.sh $part > "$RESULTS/log" 2>&1 || tail -n 3 "$RESULTS/log"
    for kind in txt json svg; do
        if cmp -s "$RESULTS/$part.$kind" "results/bench/$part.$kind"; then
            echo "ok $part.$kind"
        else
            echo "not ok $part.$kind: $(diff "results/bench/$part.$kind" "$RESULTS/$part.$kind" 2>&1 | sed -n 2,3p)"
        fi
    done
done
