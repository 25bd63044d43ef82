# lib.sh - rows of a table, and arithmetic; read by bench.sh.
#
# row WHAT MEASURED AGAINST RATIO WANTED MET: one line, as text at once, as JSON at
# the end. AGAINST names the baseline and its own figure; MET is yes, no or -.

begin_table() {
    : > "$work/rows"
    printf '%s\n' "$1" > "$work/text"
    printf '%-48s %19s  %-36s %13s  %-12s %s\n' what measured against ratio wanted met | tee -a "$work/text"
}

row() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >> "$work/rows"
    printf '%-48s %19s  %-36s %13s  %-12s %s\n' "$@" | tee -a "$work/text"
}

end_table() {
    echo
    cp "$work/text" "$results/$1.txt"
    awk -F '\t' -v part="$1" '
        function quoted(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); return "\"" s "\"" }
        BEGIN { printf "{\n  \"part\": %s,\n  \"rows\": [", quoted(part) }
        { printf "%s\n    {\"what\": %s, \"measured\": %s, \"against\": %s, \"ratio\": %s, \"wanted\": %s, \"met\": %s}",
              (NR > 1 ? "," : ""), quoted($1), quoted($2), quoted($3), quoted($4), quoted($5), quoted($6) }
        END { printf "\n  ]\n}\n" }' "$work/rows" > "$results/$1.json"
}

# calc FORMAT EXPRESSION: arithmetic of awk
calc() { awk "BEGIN { printf \"$1\", $2 }" 2> /dev/null || echo '?'; }
# met CONDITION: yes or no
met() { calc %s "($1) ? \"yes\" : \"no\""; }
# spend N COMMAND: least processor time in seconds; the command's own words are lost
spend() { "$work/spend" "$@" 2> /dev/null; }
# field FILE NAME: a number of the statistics in a verdict file
field() { sed -n "/\"statistics\"/,\$s/^ *\"$2\": \([^,]*\),*\$/\1/p" "$1" | head -n 1; }
