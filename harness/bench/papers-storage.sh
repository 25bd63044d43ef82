# Wang and Stoller, Table 4: what the algorithms keep.
papers_build
make -s BUILD="$BUILD" "${BUILD#"$PWD"/}/bench/storage" > "$work/log" 2>&1
sheet papers-storage 'Wang and Stoller, Table 4: storage at bench size, here and (in the paper)' \
    program events paper unescaped paper transactions tokens paper blocks paper 'lock sets' paper
: > "$work/plot"
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    [ "$size" != pairs ] || continue
    input=bench
    [ "$title" != 'tsp(map4)' ] || input=test
    heddle run --quiet --steps 1000000000 --trace "$work/bench.trace" "$BUILD/papers-bench/atomicity/$name" $input > /dev/null 2>&1 < /dev/null
    read -r events _ unescaped transactions tokens blocks sets <<END
$("$BUILD/bench/storage" "$work/bench.trace")
END
    rm -f "$work/bench.trace"
    line "$title" "$events" "$(published_field storage "$title" total_events)" \
        "$unescaped" "$(published_field storage "$title" fraction_unescaped)" \
        "$transactions" "$tokens" "$(published_field storage "$title" offline_reduction_storage)" \
        "$blocks" "$(published_field storage "$title" blocks)" "$sets" "$(published_field storage "$title" multilockset_size)"
    printf '%s\t%s\t%s\t%s\n' "$title" "$events" "$blocks" "$(published_field storage "$title" blocks)" >> "$work/plot"
done < "$work/list"
remark 'events: heddle leaves out what no checker can tell apart from the event before; tokens: lock operations and variables in the strings of distinct transactions'
remark 'the paper records three elements of an array (ten of its middle in sor) and not the particles of moldyn; here it is every element'
remark 'blocks: of what two threads can reach for at the same time; sor and moldyn have nothing of the kind, their barriers keep all of it in order'
end_sheet
plot papers-storage log 'number' 'Events and blocks (Wang and Stoller, Table 4)' events blocks 'blocks, paper' < "$work/plot"
