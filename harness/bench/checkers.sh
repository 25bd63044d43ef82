# Events a second, per checker, on traces made from a seed (checkers/tests/bench_checkers.c).
if [ -f checkers/tests/bench_checkers.c ] && make -s BUILD="$BUILD" "$BUILD/bench/checkers" > "$work/log" 2>&1; then
    "$BUILD/bench/checkers" 1000000 > "$work/checkers"
    fastest=$(awk '{ if ($6 + 0 > best) best = $6 + 0 } END { print best }' "$work/checkers")
    while read -r trace events checker seconds _ speed _; do
        row "$checker, $trace trace" "$speed M/s" "the fastest, $fastest M/s" "$(calc %.2fx "$speed/$fastest")" - -
    done < "$work/checkers"
else
    row 'checkers' 'not built' - - - -
fi
