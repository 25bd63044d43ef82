# Wang and Stoller, Table 3: what escape and happen-before are worth to blocks.
papers_build
sheet papers-blocks 'Wang and Stoller, Table 3: blocks, options cumulative, here and (in the paper); methods: bug-benign-false; time of the check at bench size' \
    program none paper time escape paper time happen-before paper time
: > "$work/false"
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    if [ "$size" != pairs ] && [ "$title" != 'tsp(map4)' ]; then
        heddle run --quiet --steps 1000000000 --trace "$work/bench.trace" "$BUILD/papers-bench/atomicity/$name" bench > /dev/null 2>&1 < /dev/null
    fi
    set --
    for option in none escape hb; do
        case $option in
        none) switches=blocks:escape=off:happen-before=off ;;
        escape) switches=blocks:happen-before=off ;;
        hb) switches=blocks ;;
        esac
        classify "$work/class" "atomicity/$name" "$size" functions "$switches"
        says=$(tally "$work/class" blocks atomicity)
        was=$(published_field blocks "$title" ${option}_methods)
        took=-
        [ ! -f "$work/bench.trace" ] || took=$(calc '%.2f s' "$(check_time "$switches" --transactions functions)")
        set -- "$@" "$says" "$was" "$took"
        echo "$option $says $was" >> "$work/false"
    done
    rm -f "$work/bench.trace"
    line "$title" "$@"
done < "$work/list"
: > "$work/plot"
set --
for option in none escape hb; do
    sums=$(awk -v option=$option '$1 == option { split($2, a, "-"); here += a[3]; was = $NF; if (split(was, b, "-") == 3) there += b[3] } END { print here + 0, there + 0 }' "$work/false")
    set -- "$@" "${sums% *}" "${sums#* }" -
    printf '%s\t%s\t%s\n' "$option" "${sums% *}" "${sums#* }" >> "$work/plot"
done
line 'false alarms in all' "$@"
end_sheet
plot papers-blocks bars 'false alarms in all programs' 'Options of blocks (Wang and Stoller, Table 3)' heddle paper < "$work/plot"
