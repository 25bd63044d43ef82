# Wang and Stoller, Table 2: what each improvement of offline reduction is worth.
papers_build
sheet papers-reduction 'Wang and Stoller, Table 2: offline reduction, options cumulative, here and (in the paper); methods: bug-benign-false' \
    program none paper escape paper happen-before paper multilockset paper 'AcqA*Rel' paper
: > "$work/false"
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    set --
    for option in none escape happen-before multilockset acqrel; do
        column=$option
        [ $option = acqrel ] && column='AcqA*Rel'
        classify "$work/class" "atomicity/$name" "$size" functions "reduction:options=$option"
        says=$(tally "$work/class" reduction atomicity)
        was=$(published_field reduction "$title" "$column")
        set -- "$@" "$says" "$was"
        echo "$option $says $was" >> "$work/false"
    done
    line "$title" "$@"
done < "$work/list"
# false alarms in all, here and there
: > "$work/plot"
set --
for option in none escape happen-before multilockset acqrel; do
    sums=$(awk -v option=$option '$1 == option { split($2, a, "-"); here += a[3]; was = $NF; if (split(was, b, "-") == 3) there += b[3] } END { print here + 0, there + 0 }' "$work/false")
    set -- "$@" "${sums% *}" "${sums#* }"
    printf '%s\t%s\t%s\n' "$option" "${sums% *}" "${sums#* }" >> "$work/plot"
done
line 'false alarms in all' "$@"
remark 'sor and moldyn: what their threads run is no function that counts as a transaction, so nothing can be accused'
end_sheet
plot papers-reduction bars 'false alarms in all programs' 'Options of offline reduction (Wang and Stoller, Table 2)' heddle paper < "$work/plot"
