# Wang and Stoller, Table 4: what the algorithms keep.
papers_build
make -s BUILD="$BUILD" "${BUILD#"$PWD"/}/bench/storage" > "$work/log" 2>&1
sheet papers-storage 'Wang and Stoller, Table 4: storage at bench size, here and (in the paper)' \
    program events paper unescaped paper transactions tokens paper blocks paper 'lock sets' paper "Eraser's sets" paper
: > "$work/plot"
whole() { echo "$1" | awk '{ print /K$/ ? $1 * 1e3 : /M$/ ? $1 * 1e6 : /G$/ ? $1 * 1e9 : $1 }'; } # of "26K"
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    [ "$size" != pairs ] || continue
    input=bench
    [ "$title" != 'tsp(map4)' ] || input=test
    heddle run --quiet --steps 1000000000 --trace "$work/bench.trace" "$BUILD/papers-bench/atomicity/$name" $input > /dev/null 2>&1 < /dev/null
    read -r events _ unescaped transactions tokens blocks sets eraser <<END
$("$BUILD/bench/storage" "$work/bench.trace")
END
    rm -f "$work/bench.trace"
    line "$title" "$events" "$(published_field storage "$title" total_events)" \
        "$unescaped" "$(published_field storage "$title" fraction_unescaped)" \
        "$transactions" "$tokens" "$(published_field storage "$title" offline_reduction_storage)" \
        "$blocks" "$(published_field storage "$title" blocks)" "$sets" "$(published_field storage "$title" multilockset_size)" \
        "$eraser" "$(published_field storage "$title" eraser_lockset_size)"
    printf '%s\t%s\t%s\t%s\t%s\n' "$title" "$events" "$(whole "$(published_field storage "$title" total_events)")" \
        "$blocks" "$(published_field storage "$title" blocks)" >> "$work/plot"
done < "$work/list"
remark 'tsp(map4) is measured at test size: its map of 4 cities has no other'
remark 'events: heddle leaves out what no checker can tell apart from the event before; tokens: lock operations and variables in the strings of distinct transactions, of every element of an array; the paper records three elements (ten of the middle in sor) and not the particles of moldyn, and the sizes of its inputs are others'
remark 'unescaped: of these events, the share on objects that no second thread touches in the run. What is static counts as shared from the start, and in sor, moldyn and hedc that is nearly all; what the paper counts are accesses to objects before they escape, of Java programs that have no such storage for a grid or a particle'
remark 'blocks: of what two threads can reach for at the same time; sor and moldyn have none, since barriers keep all that they share in order: without them a few sweeps or steps make more than 400,000'
remark "lock sets: of the multilockset algorithm, read sets and write set of every variable; the paper counts sets of threads with them. Eraser's: locks in its sets, each when it was largest, which is when the second thread came. An element of an array is a variable"
end_sheet
plot papers-storage log 'number' 'Events and blocks (Wang and Stoller, Table 4)' events 'events, paper' blocks 'blocks, paper' < "$work/plot"
