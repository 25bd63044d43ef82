# Events a second, per checker, on traces made from a seed (checkers/tests/bench_checkers.c):
# all of them at 10^7 events; those with a number to reach also at 10^5, 10^6 and 10^8.

# wanted_speed CHECKER TRACE: million events a second that it must reach, or nothing
wanted_speed() {
    case $1:$2 in
    reading:*) echo 50 ;;
    velodrome:* | races:algorithm=hb:*) echo 10 ;;
    reduction:* | deadlock:* | determinism:*) echo 5 ;;
    blocks:theorem=4:usual) echo 1 ;;
    esac
}
# figure TRACE POWER CHECKER COLUMN: of what was measured; 4: seconds, 6: speed, 8: MB
figure() { awk -v t="$1" -v c="$3" -v k="$4" '$1 == t && $3 == c { print $k }' "$work/checkers.$2"; }

if [ -f checkers/tests/bench_checkers.c ] && make -s BUILD="$BUILD" "${BUILD#"$PWD"/}/bench/checkers" > "$work/log" 2>&1; then
    named='reading velodrome races:algorithm=hb reduction deadlock determinism blocks:theorem=4'
    "$BUILD/bench/checkers" 100000 $named > "$work/checkers.5"
    "$BUILD/bench/checkers" 1000000 $named > "$work/checkers.6"
    "$BUILD/bench/checkers" 10000000 > "$work/checkers.7"
    # blocks on the hard trace: its cost follows the distinct blocks, and there all are
    "$BUILD/bench/checkers" 100000000 ${named% *} > "$work/checkers.8"
    "$BUILD/bench/checkers" --only usual 100000000 blocks:theorem=4 >> "$work/checkers.8"
    for power in 5 6 7 8; do
        while read -r trace events checker seconds _ speed _ memory _; do
            wanted=$(wanted_speed "$checker" "$trace")
            row "$checker, $trace trace, 10^$power events" "$speed M/s" "$memory MB" - \
                "${wanted:--}${wanted:+ M/s}" "$([ -n "$wanted" ] && met "$speed >= $wanted" || echo -)"
        done < "$work/checkers.$power"
    done
    for trace in usual hard; do
        for checker in $named; do
            short=$(figure $trace 7 "$checker" 4)
            long=$(figure $trace 8 "$checker" 4)
            [ -n "$short" ] && [ -n "$long" ] || continue
            row "$checker, $trace trace, 10^8 events" "$long s" "10^7 events, $short s" \
                "$(calc %.1fx "$long/$short")" 'at most 12x' "$(met "$long/$short <= 12")"
        done
        for checker in reading velodrome races:algorithm=hb deadlock determinism; do
            short=$(figure $trace 7 "$checker" 8)
            long=$(figure $trace 8 "$checker" 8)
            row "memory of $checker, $trace trace, 10^8 events" "$long MB" "10^7 events, $short MB" \
                "$(calc %.2fx "$long/$short")" 'at most 1.1x' "$(met "$long <= $short * 1.1 + 1")"
        done
    done
else
    row 'checkers' 'not built' - - - -
fi
