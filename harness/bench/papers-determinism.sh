# SingleTrack, Table 1: cost of the empty recorder, the determinism checker and
# velodrome, and what the two say.
papers_build
sheet papers-determinism 'SingleTrack, Table 1: native time in seconds, cost in times of it, here and (in the paper); warnings of velodrome (functions atomic) and of determinism' \
    program lines paper threads paper native paper empty paper determinism paper velodrome paper 'velodrome warns' paper 'determinism warns' paper 'of them bug-benign-false'
: > "$work/plot"
: > "$work/warnings"
: > "$work/ratios"
while read -r title name; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    bench_times "$name"
    deterministic=$(calc %.2f "($recorded+$(check_time determinism))/$native")
    velodrome=$(calc %.2f "($recorded+$(check_time velodrome:cut=off --transactions functions))/$native")
    empty=$(calc %.2f "$recorded/$native")
    rm -f "$work/bench.trace"
    threads=$(heddle run --steps 1000000000 "$BUILD/papers-bench/$name" bench 2>&1 < /dev/null | sed -n 's/^heddle: \([0-9]*\) threads.*/\1/p')
    classify "$work/class" "$name" test functions velodrome:cut=off,determinism
    warns() { awk -F '\t' -v c="$1" 'index(" " $4 " ", " " c " ") { n++ } END { print n + 0 }' "$work/class"; }
    # without a block that is annotated there is nothing to warn of
    determinism_warns=- determinism_tally=-
    if files_of "$name" | xargs grep -q 'HEDDLE_DETERMINISTIC("'; then
        determinism_warns=$(warns determinism)
        determinism_tally=$(tally "$work/class" determinism determinism)
    fi
    line "$title" "$(lines_of "$name")" "$(published_field determinism "$title" lines)" \
        "$threads" "$(published_field determinism "$title" threads)" "$(calc %.4f "$native")" "$(published_field determinism "$title" base_sec)" \
        "$empty" "$(published_field determinism "$title" empty)" \
        "$deterministic" "$(published_field determinism "$title" singletrack)" "$velodrome" "$(published_field determinism "$title" velodrome)" \
        "$(warns velodrome)" "$(published_field determinism "$title" velodrome_warnings)" \
        "$determinism_warns" "$(published_field determinism "$title" singletrack_warnings)" "$determinism_tally"
    echo "$empty $deterministic $velodrome $(warns velodrome) $determinism_warns" >> "$work/ratios"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$title" "$empty" "$(published_field determinism "$title" empty)" "$deterministic" "$(published_field determinism "$title" singletrack)" \
        "$velodrome" "$(published_field determinism "$title" velodrome)" >> "$work/plot"
    printf '%s\t%s\t%s\t%s\t%s\n' "$title" "$(warns velodrome)" "$(published_field determinism "$title" velodrome_warnings)" \
        "$determinism_warns" "$(published_field determinism "$title" singletrack_warnings)" >> "$work/warnings"
done <<END
crypt singletrack/crypt
lufact singletrack/lufact
series singletrack/series
sor singletrack/sor_torn
sparse singletrack/sparse
moldyn atomicity/moldyn
montecarlo atomicity/montecarlo
raytracer atomicity/raytracer
matrixmult singletrack/matrixmult
quicksort singletrack/quicksort
hedc atomicity/hedc
queue-jg singletrack/queue_jg
queue-mm singletrack/queue_mm
END
sums=$(awk '{ for (i = 1; i <= 5; i++) s[i] += $i } END { printf "%.2f %.2f %.2f %d %d", s[1] / NR, s[2] / NR, s[3] / NR, s[4], s[5] }' "$work/ratios")
read -r a b c v d <<END
$sums
END
line 'mean; warnings in all' - - - - - - "$a" 4.3 "$b" 10.4 "$c" 10.3 "$v" 84 "$d" 7 -
remark 'sor is the program with the defective barrier; its repaired versions are singletrack/sor and sor_spin. hedc has three workers, as for Wang and Stoller, where the paper has four'
remark 'velodrome runs with cut=off: as in the paper, a fork or join inside of a function counts against it. It warns once where the paper has four to seven warnings (28 of queue-jg), since of functions that call each other only the outermost is meant to be atomic here, and the paper has all methods; sor and raytracer have one more, where what other threads do comes in between. hedc: the task is interrupted while it adds what it finds, in some schedule, and it does no harm'
remark 'cost of determinism: it looks at every access; the paper looks at synchronisation only, behind a filter of races. With such a filter (filter=races) it is not faster here, since looking for races costs as much; of crypt most of the time is spent by the system, on memory'
remark 'determinism: the blocks that are annotated. sor: two of them enclose the barrier, heddle check tells both and heddle test makes one of them, since they are about the same accesses; the six of the paper are probably the six methods of which it says that they involve the barrier. montecarlo: results go into one table under its lock, in any order, and are sorted in the end: a conflict, and benign; with a place of its own for each, and no lock, there is no warning. hedc: no block is annotated, so that there is nothing to warn of; the paper annotates the tasks, but here a task adds what it finds to the request itself, and annotated it has warnings, all benign'
end_sheet
plot papers-determinism log 'times the native program' 'Empty recorder, determinism, velodrome (SingleTrack, Table 1)' \
    empty 'empty, paper' determinism 'determinism, paper' velodrome 'velodrome, paper' < "$work/plot"
plot papers-determinism-warnings bars 'warnings' 'Warnings of velodrome and determinism (SingleTrack, Table 1)' \
    velodrome 'velodrome, paper' determinism 'determinism, paper' < "$work/warnings"
