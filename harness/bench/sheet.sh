# sheet.sh - tables with columns of their own, and their pictures; read by bench.sh.
#
#   sheet PART TITLE COLUMN...   begins one; `paper` is the column before it as a paper has it,
#                                `time` and `fields` belong to the last column of another name
#   line VALUE...                a row; - is a value that there is not
#   remark TEXT                  a line below the table
#   end_sheet                    to standard output, results/bench/PART.txt and PART.json; what
#                                is a number with words about it is there as a number, too
#   plot PICTURE MODE UNIT TITLE SERIES...   results/bench/PICTURE.svg of the lines
#                                "LABEL TAB VALUE..." on standard input; MODE: see plot.awk

tabbed() { # VALUE...
    printf '%s' "$1"
    shift
    for value in "$@"; do printf '\t%s' "$value"; done
    echo
}

sheet() {
    sheet_part=$1 sheet_title=$2
    shift 2
    tabbed "$@" > "$work/sheet"
    : > "$work/remarks"
}
line() { tabbed "$@" >> "$work/sheet"; }
remark() { echo "$1" >> "$work/remarks"; }

end_sheet() {
    {
        echo "$sheet_title"
        awk -F '\t' '
            { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > wide[i]) wide[i] = length($i) } if (NF > most) most = NF }
            END { for (r = 1; r <= NR; r++) {
                text = sprintf("%-" wide[1] "s", cell[r, 1])
                for (i = 2; i <= most; i++) text = text sprintf("  %" wide[i] "s", cell[r, i])
                sub(/ +$/, "", text)
                print text } }' "$work/sheet"
        cat "$work/remarks"
    } > "$results/$sheet_part.txt"
    cat "$results/$sheet_part.txt"
    echo
    awk -F '\t' -v part="$sheet_part" -v title="$sheet_title" -v remarks="$work/remarks" \
        -f harness/bench/sheet_json.awk "$work/sheet" > "$results/$sheet_part.json"
}

plot() {
    plot_part=$1 plot_mode=$2 plot_unit=$3 plot_title=$4
    shift 4
    plot_series=$(tabbed "$@")
    awk -F '\t' -v mode="$plot_mode" -v unit="$plot_unit" -v title="$plot_title" -v series="$plot_series" \
        -f harness/bench/plot.awk > "$results/$plot_part.svg"
}
