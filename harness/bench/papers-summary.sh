# All programs of the papers at test size, all checkers, the default rule of what is
# atomic: what became of each checker's warnings, and how fast it reads a trace.
papers_build
: > "$work/all"
sh suites/tests/build_papers.sh --list > "$work/list"
while read -r name _; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    classify "$work/class" "$name" test default "$(heddle list checkers | awk '{ print $1 }' | paste -s -d , | sed s/stale/stale:flow=split/)"
    sed "s|^|$name	|" "$work/class" >> "$work/all"
done < "$work/list"
# events a second: three programs of different kinds, at bench size
for name in atomicity/tsp atomicity/jigsaw singletrack/lufact; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    heddle run --quiet --steps 1000000000 --trace "$work/$(basename $name).trace" "$BUILD/papers-bench/$name" bench > /dev/null 2>&1 < /dev/null
done
sheet papers-summary "All checkers on the $(wc -l < "$work/list") programs of the papers: what became of their warnings" \
    checker warnings harmful benign refuted undecided precision 'events a second'
: > "$work/plot"
for checker in $(heddle list checkers | awk '{ print $1 }'); do
    counts=$(awk -F '\t' -v c="$checker" 'index(" " $5 " ", " " c " ") { n[$4]++; all++ }
        END { s = n["bug"] + n["benign"]; t = s + n["false"]
              printf "%d %d %d %d %d %s", all, n["bug"], n["benign"], n["false"], n["undecided"], t ? sprintf("%.2f", s / t) : "-" }' "$work/all")
    took=0 handled=0
    for trace in "$work"/tsp.trace "$work"/jigsaw.trace "$work"/lufact.trace; do
        [ -f "$trace" ] || continue
        seconds=$(spend 1 heddle check --checkers "$checker" "$trace")
        events=$("$BUILD/bin/heddle" trace "$trace" 2> /dev/null | sed -n '1s/.*events=//p;1q')
        took=$(calc %.4f "$took+$seconds")
        handled=$(calc %d "$handled+$events")
    done
    # shellcheck disable=SC2086
    set -- $counts
    line "$checker" "$@" "$(calc '%.1f M' "$handled/$took/1e6")"
    printf '%s\t%s\t%s\t%s\t%s\n' "$checker" "$2" "$3" "$4" "$5" >> "$work/plot"
done
rm -f "$work"/*.trace
remark 'precision: confirmed of confirmed and refuted; a warning is a function (atomicity, determinism) or a variable; several checkers may raise the same one; undecided are those, too, that were confirmed without its being known whether they do harm, as that on sor of sor_spin'
end_sheet
plot papers-summary stacked 'warnings' 'What became of the warnings' 'confirmed harmful' 'confirmed benign' refuted undecided < "$work/plot"
