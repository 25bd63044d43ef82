# What watching costs on programs that compute: native, ThreadSanitizer, recorded; and
# whether checking for blocks costs more than the recording, of every program.
papers_build
sh suites/tests/build_papers.sh "$BUILD/papers-fast-tsan" gcc -std=gnu11 -O2 -g -pthread "-I$BUILD/include" -fsanitize=thread
# ThreadSanitizer watches what the optimiser leaves of a program, with its functions
# inlined. heddle keeps every access and every function that is written, unless it is
# told to leave that alone, too.
sh suites/tests/build_papers.sh "$BUILD/papers-compiled" "$BUILD/bin/heddle-cc" -O2 -g --heddle-as-compiled
sheet papers-speed 'Recording the compute-bound programs at bench size, in times of native processor time, and what checking for blocks costs beside recording' \
    program native recorded 'as compiled' TSan against 'trace' 'events a second' 'blocks check' 'against recording'
: > "$work/plot"
: > "$work/ratios"
: > "$work/checks"
measured() { # SET/NAME with|without: a line of the table, with ThreadSanitizer or without
    bench_times "$1"
    if [ "$native" = - ] || [ "$recorded" = - ]; then
        line "$1" - - - - - - - - -
        return
    fi
    tsan=- compiled=-
    if [ "$2" = with ]; then # the best of as many runs as of the native program, of each
        recorded=$(spend 5 heddle run --quiet --steps 1000000000 --trace "$work/bench.trace" "$BUILD/papers-bench/$1" bench < /dev/null)
        tsan=$(spend 5 setarch -R env TSAN_OPTIONS=report_bugs=0 "$BUILD/papers-fast-tsan/$1" bench)
        compiled=$(spend 5 heddle run --quiet --steps 1000000000 --trace "$work/compiled.trace" "$BUILD/papers-compiled/$1" bench < /dev/null)
        rm -f "$work/compiled.trace"
    fi
    events=$(heddle run --steps 1000000000 "$BUILD/papers-bench/$1" bench 2>&1 < /dev/null | sed -n 's/.* \([0-9]*\) events.*/\1/p')
    size=$(wc -c < "$work/bench.trace")
    blocks=$(check_time blocks)
    rm -f "$work/bench.trace"
    slower=- against=- alike=-
    [ "$tsan" = - ] || slower=$(calc %.2fx "$tsan/$native") against=$(calc %.2f "$tsan/$recorded") alike=$(calc %.2fx "$compiled/$native")
    line "$1" "$(calc '%.4f s' "$native")" "$(calc %.2fx "$recorded/$native")" "$alike" "$slower" "$against" \
        "$(calc '%.1f MB' "$size/1e6")" "$(calc '%.1f M' "$events/$recorded/1e6")" \
        "$(calc '%.2f s' "$blocks")" "$(calc %.2f "$blocks/$recorded")"
    echo "$(calc '%.2f' "$blocks/$recorded") $1" >> "$work/checks"
    [ "$tsan" = - ] || echo "$recorded $native $tsan $compiled" >> "$work/ratios"
    [ "$tsan" = - ] || printf '%s\t%s\t%s\t%s\n' "${1#*/}" "$(calc %.2f "$recorded/$native")" "$(calc %.2f "$compiled/$native")" "$(calc %.2f "$tsan/$native")" >> "$work/plot"
}
compute='atomicity/moldyn atomicity/montecarlo atomicity/raytracer singletrack/sor singletrack/crypt
singletrack/lufact singletrack/series singletrack/sparse singletrack/matrixmult'
for name in $compute; do measured "$name" with; done
means=$(awk '{ r += log($1 / $2); t += log($3 / $2); c += log($4 / $2) } END { printf "%.2f %.2f %.2f", exp(r / NR), exp(t / NR), exp(c / NR) }' "$work/ratios")
read -r ours theirs like <<END
$means
END
line 'geometric mean of these' - "${ours}x" "${like}x" "${theirs}x" "$(calc %.2f "$theirs/$ours")" - - - -
sh suites/tests/build_papers.sh --list > "$work/list"
while read -r name _; do
    case " $(echo $compute) " in *" $name "*) continue ;; esac
    measured "$name" without
done < "$work/list"
worst=$(sort -rn "$work/checks" | head -n 1)
over=$(awk '$1 > 1 { printf "%s%s (%.2f)", (n++ ? ", " : ""), $2, $1 }' "$work/checks")
line 'most of all' - - - - - - - - "${worst%% *}"
remark "wanted: below SingleTrack's 10.4x: $(met "$ours < 10.4"); below ThreadSanitizer: $(met "$ours < $theirs"); of code as it is compiled (--heddle-as-compiled), which is what ThreadSanitizer watches: $(met "$like < 10.4") and $(met "$like < $theirs"); blocks check at most the recording, of every program: $(met "${worst%% *} <= 1")${over:+; it is more for $over}"
remark 'the first two are about the programs above the mean; those below it are here for their last column'
end_sheet
printf 'geometric mean\t%s\t%s\t%s\n' "$ours" "$like" "$theirs" >> "$work/plot"
plot papers-speed log 'times the native program' 'Recording, and ThreadSanitizer' heddle 'heddle, as compiled' ThreadSanitizer < "$work/plot"
