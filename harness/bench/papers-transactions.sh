# Lourenço et al., Table 1: anomalies of fifteen programs, with locks and with memory
# transactions. An anomaly is found if the function that its comment names is confirmed
# as harmful; a warning that is refuted or benign is a false one.
papers_build
checkers=$(heddle list checkers | awk '{ print $1 }' | grep -v -e determinism -e deadlock -e guards)
sheet papers-transactions 'Lourenço et al., Table 1: here (with locks / with transactions) and in the paper' \
    test anomalies warnings paper found paper false paper missed paper 'found by'
: > "$work/plot"
: > "$work/sums"
while IFS=, read -r title _ anomalies warnings correct wrong lost; do
    name=$(echo "$title" | tr 'A-Z -' 'a-z__' | tr -d "'" | sed 's/stringbuffer/string_buffer/')
    [ -x "$BUILD/papers-bench/lourenco/$name" ] || continue
    for version in "$name" "${name}_tm"; do
        classify "$work/class.$version" "lourenco/$version" test functions "$(echo $checkers | tr ' ' , | sed s/stale/stale:flow=split/)"
        sed -n 's/^ \* anomaly: .* in \([a-z_0-9]*\)$/\1/p' "suites/papers/lourenco/$name.c" > "$work/wanted"
        awk -F '\t' -v wanted="$work/wanted" '
            BEGIN { while ((getline f < wanted) > 0) want[f]++ }
            { n++; if ($3 == "bug") bug[$2] = 1; if ($3 == "false" || $3 == "benign") wrong++
              if ($3 == "bug" && $2 in want) by = by $4 }
            END { for (f in want) { all += want[f]; if (f in bug) found += want[f] }
                  k = split(by, some, " ")
                  for (i = 1; i <= k; i++) if (!(some[i] in seen)) { seen[some[i]] = 1; text = text (text == "" ? "" : " ") some[i] }
                  printf "%d %d %d %d %d %s\n", all, n, found, wrong, all - found, text }' "$work/class.$version" > "$work/count.$version"
    done
    read -r all n found false missed by < "$work/count.$name"
    read -r _ n2 found2 false2 missed2 _ < "$work/count.${name}_tm"
    line "$title" "$all" "$n/$n2" "$warnings" "$found/$found2" "$correct" "$false/$false2" "$wrong" "$missed/$missed2" "${lost%% *}" "$by"
    echo "$all $n $n2 $found $found2 $false $false2 $missed $missed2" >> "$work/sums"
    printf '%s\t%s\t%s\t%s\t%s\n' "$title" "$found" "$correct" "$false" "$wrong" >> "$work/plot"
done < "$published/transactions.csv"
read -r all n n2 found found2 false false2 missed missed2 <<END
$(awk '{ for (i = 1; i <= NF; i++) s[i] += $i } END { for (i = 1; i <= 9; i++) printf "%d ", s[i] }' "$work/sums")
END
line Total "$all" "$n/$n2" 27 "$found/$found2" 15 "$false/$false2" 12 "$missed/$missed2" 1 -
end_sheet
plot papers-transactions bars 'warnings' 'Anomalies found and false warnings (Lourenço et al., Table 1), with locks' \
    found 'found, paper' false 'false, paper' < "$work/plot"
