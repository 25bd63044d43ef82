# Artho, Havelund and Biere, Table 1: warnings of the different approaches; and their
# worked examples. All checkers at once, functions atomic.
papers_build
checkers=$(heddle list checkers | awk '{ print $1 }' | grep -v -e determinism -e deadlock -e guards -e transactions)
# shellcheck disable=SC2086
sheet papers-stale 'Artho, Havelund and Biere, Table 1: warnings, here as bug-benign-false of every checker, and in the paper' \
    program $checkers 'von Praun-Gross' Flanagan-Freund block-local
: > "$work/plot"
while read -r title name; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    classify "$work/class" "$name" test functions "$(echo $checkers | tr ' ' , | sed s/stale/stale:flow=split/)"
    set --
    all=
    for checker in $checkers; do
        says=$(awk -F '\t' -v c="$checker" 'index(" " $4 " ", " " c " ") { n[$3]++; all++ }
            END { printf "%d-%d-%d%s", n["bug"], n["benign"], n["false"], n["undecided"] ? " +" n["undecided"] "?" : "" }' "$work/class")
        set -- "$@" "$says"
        all="$all	$(awk -F '\t' -v c="$checker" 'index(" " $4 " ", " " c " ") { all++ } END { print all + 0 }' "$work/class")"
    done
    line "$name" "$@" "$(published_field stale "$title" von_praun_gross)" "$(published_field stale "$title" flanagan_freund)" "$(published_field stale "$title" block_local)"
    printf '%s%s\n' "${name#*/}" "$all" >> "$work/plot"
done <<END
Elevator atomicity/elevator
SOR atomicity/sor
TSP atomicity/tsp
- stale/swap_reset
- stale/split_increment
- stale/sensor_daemon
- stale/buffer_handover
- stale/double_check
END
remark 'stale guesses the flow of data (flow=split), since a recorded trace has none: a value that is written in another lock region than it was read in'
remark 'the warnings that all approaches of the paper share are benign; so are they here. Races count with atomicity: an unlocked read of the bound in tsp'
end_sheet
# shellcheck disable=SC2086
plot papers-stale stacked 'warnings' 'Warnings on the programs of the stale-value paper' $checkers < "$work/plot"
