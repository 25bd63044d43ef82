# SingleTrack, Table 1: cost of the empty recorder, the determinism checker and
# velodrome, and what the two say.
papers_build
sheet papers-determinism 'SingleTrack, Table 1: in times of native, here and (in the paper); warnings of velodrome (functions atomic) and of determinism' \
    program lines native empty paper determinism paper velodrome paper 'velodrome warns' paper 'determinism warns' paper 'of them bug-benign-false'
: > "$work/plot"
: > "$work/ratios"
while read -r title name; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    bench_times "$name"
    deterministic=$(calc %.2f "($recorded+$(check_time determinism))/$native")
    velodrome=$(calc %.2f "($recorded+$(check_time velodrome:cut=off --transactions functions))/$native")
    empty=$(calc %.2f "$recorded/$native")
    rm -f "$work/bench.trace"
    classify "$work/class" "$name" test functions velodrome:cut=off,determinism
    warns() { awk -F '\t' -v c="$1" 'index(" " $4 " ", " " c " ") { n++ } END { print n + 0 }' "$work/class"; }
    line "$title" "$(cat "suites/papers/$name.c" $(sed -n "s|^#include \"\([a-z_]*\.h\)\"|suites/papers/${name%/*}/\1|p" "suites/papers/$name.c") | wc -l)" \
        "$(calc '%.4f s' "$native")" "$empty" "$(published_field determinism "$title" empty)" \
        "$deterministic" "$(published_field determinism "$title" singletrack)" "$velodrome" "$(published_field determinism "$title" velodrome)" \
        "$(warns velodrome)" "$(published_field determinism "$title" velodrome_warnings)" \
        "$(warns determinism)" "$(published_field determinism "$title" singletrack_warnings)" "$(tally "$work/class" determinism determinism)"
    echo "$empty $deterministic $velodrome" >> "$work/ratios"
    printf '%s\t%s\t%s\t%s\t%s\n' "$title" "$empty" "$(published_field determinism "$title" empty)" "$deterministic" "$(published_field determinism "$title" singletrack)" >> "$work/plot"
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
means=$(awk '{ for (i = 1; i <= 3; i++) s[i] += $i } END { printf "%.2f %.2f %.2f", s[1] / NR, s[2] / NR, s[3] / NR }' "$work/ratios")
read -r a b c <<END
$means
END
line mean - - "$a" 4.3 "$b" 10.4 "$c" 10.3 - 84 - 7 -
remark 'sor is the program with the defective barrier; its repaired versions are singletrack/sor and sor_spin'
remark 'velodrome runs with cut=off: as in the paper, a fork or join inside of a function counts against it'
end_sheet
plot papers-determinism log 'times the native program' 'Empty recorder and determinism checker (SingleTrack, Table 1)' \
    empty 'empty, paper' determinism 'determinism, paper' < "$work/plot"
