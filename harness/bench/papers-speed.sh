# What watching costs on programs that compute: native, ThreadSanitizer, recorded; and
# whether checking for blocks costs more than the recording.
papers_build
sheet papers-speed 'Recording the compute-bound programs at bench size, in times of native processor time' \
    program native recorded TSan against 'trace' 'events a second' 'blocks check' 'against recording'
: > "$work/plot"
: > "$work/ratios"
for name in atomicity/moldyn atomicity/montecarlo atomicity/raytracer singletrack/sor singletrack/crypt \
    singletrack/lufact singletrack/series singletrack/sparse singletrack/matrixmult; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    bench_times "$name"
    tsan=$(spend 3 setarch -R env TSAN_OPTIONS=report_bugs=0 "$BUILD/papers-fast-tsan/$name" bench)
    events=$(heddle run --steps 1000000000 "$BUILD/papers-bench/$name" bench 2>&1 | sed -n 's/.* \([0-9]*\) events.*/\1/p')
    size=$(wc -c < "$work/bench.trace")
    blocks=$(check_time blocks)
    rm -f "$work/bench.trace"
    line "${name#*/}" "$(calc '%.4f s' "$native")" "$(calc %.2fx "$recorded/$native")" "$(calc %.2fx "$tsan/$native")" \
        "$(calc %.2f "$tsan/$recorded")" "$(calc '%.1f MB' "$size/1e6")" "$(calc '%.1f M' "$events/$recorded/1e6")" \
        "$(calc '%.2f s' "$blocks")" "$(calc %.2f "$blocks/$recorded")"
    echo "$recorded $native $tsan $blocks" >> "$work/ratios"
    printf '%s\t%s\t%s\n' "${name#*/}" "$(calc %.2f "$recorded/$native")" "$(calc %.2f "$tsan/$native")" >> "$work/plot"
done
means=$(awk '{ r += log($1 / $2); t += log($3 / $2); if ($4 / $1 > worst) worst = $4 / $1 }
    END { printf "%.2f %.2f %.2f", exp(r / NR), exp(t / NR), worst }' "$work/ratios")
read -r ours theirs worst <<END
$means
END
line 'geometric mean' - "${ours}x" "${theirs}x" "$(calc %.2f "$theirs/$ours")" - - - "$worst at most"
remark "wanted: below SingleTrack's 10.4x: $(met "$ours < 10.4"); below ThreadSanitizer: $(met "$ours < $theirs"); blocks check at most the recording: $(met "$worst <= 1")"
end_sheet
printf 'geometric mean\t%s\t%s\n' "$ours" "$theirs" >> "$work/plot"
plot papers-speed log 'times the native program' 'Recording, and ThreadSanitizer' heddle ThreadSanitizer < "$work/plot"
