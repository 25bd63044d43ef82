# Wang and Stoller, Table 3: what escape and happen-before are worth to blocks.
papers_build
make -s BUILD="$BUILD" "${BUILD#"$PWD"/}/bench/fields" > "$work/log" 2>&1
sheet papers-blocks 'Wang and Stoller, Table 3: blocks, options cumulative, here and (in the paper); functions: bug-benign-false; fields: of one variable-pairs of two; time: recording and check at bench size' \
    program none paper fields paper time paper escape paper fields paper time paper happen-before paper fields paper time paper
: > "$work/false"
options='none escape hb'
switches_of() {
    case $1 in
    none) echo blocks:escape=off:happen-before=off ;;
    escape) echo blocks:happen-before=off ;;
    hb) echo blocks ;;
    esac
}
# record_fields NAME SIZE: traces in $work/fields.*.trace; one run of each pair of methods, else two runs
record_fields() {
    rm -f "$work"/fields.*.trace
    prog=$BUILD/papers-bench/atomicity/$1
    if [ "$2" = pairs ]; then
        pairs_of "$prog" | while read -r i j; do
            heddle run --quiet --trace "$work/fields.$i.$j.trace" "$prog" pair "$i" "$j" > /dev/null 2>&1 < /dev/null
        done
    else
        heddle run --quiet --steps 100000000 --trace "$work/fields.1.trace" "$prog" "$2" > /dev/null 2>&1 < /dev/null
        heddle run --quiet --steps 100000000 --strategy random --trace "$work/fields.2.trace" "$prog" "$2" > /dev/null 2>&1 < /dev/null
    fi
}
count_fields() { # SWITCHES: "1v-2v", with + if there are more than were kept
    for trace in "$work"/fields.*.trace; do "$BUILD/bench/fields" "$1" "$trace"; done | by_field | sort -u | awk '
        $1 == 1 { one++ } $1 == 2 { two++ } $1 == "more" { more = "+" } END { printf "%d-%d%s\n", one, two, more }'
}
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    rm -f "$work/bench.trace"
    if [ "$size" != pairs ] && [ "$title" != 'tsp(map4)' ]; then bench_times "atomicity/$name"; fi
    record_fields "$name" "$size"
    set --
    same=yes
    for option in $options; do
        classify "$work/class" "atomicity/$name" "$size" functions "$(switches_of $option)"
        says=$(tally "$work/class" blocks atomicity)
        paper=$(published_field blocks "$title" ${option}_methods)
        took=-
        [ ! -f "$work/bench.trace" ] || took=$(calc '%.2f s' "$recorded+$(check_time "$(switches_of $option)" --transactions functions)")
        set -- "$@" "$says" "$paper" "$(count_fields "$(switches_of $option)")" "$(published_field blocks "$title" ${option}_fields)" \
            "$took" "$(published_field blocks "$title" ${option}_time)"
        echo "$option $says $paper" >> "$work/false"
        [ "$paper" = - ] || [ "$says" = "$paper" ] || same=no
    done
    line "$title" "$@"
    [ $same = yes ] || remark "$title differs: $(reason blocks "$title")"
done < "$work/list"
rm -f "$work/bench.trace" "$work"/fields.*.trace
: > "$work/plot"
set --
for option in $options; do
    read -r here there programs same <<END
$(false_alarms "$work/false" $option)
END
    set -- "$@" "$here" "$there" - - - -
    [ "$programs" = 13 ] || remark "false alarms in all, $option: the paper has figures of $programs programs, which have $same here"
    printf '%s\t%s\t%s\n' "$(label_of "$(echo $option | sed 's/^hb$/happen-before/')" "$programs")" "$here" "$there" >> "$work/plot"
done
line 'false alarms in all' "$@"
remark 'where the paper says >13hrs or >20hrs it has no other figures of that option, and of the collections no times'
remark 'fields: of one or two runs; an array counts once, and so does a field of whatever instances, where the paper seems to count elements (sor); a pair may be two elements of one array; +: there may be more, of a function 32 findings are kept'
remark 'escape takes time away, but no warning: a recorded trace has no moment at which an object escapes, so that one which two threads touch counts as shared from its allocation, and what no second thread touches is accused by none of the columns'
end_sheet
plot papers-blocks bars 'false alarms in all programs' 'Options of blocks (Wang and Stoller, Table 3)' heddle paper < "$work/plot"
