# Artho, Havelund and Biere, Table 1: warnings of the different approaches; and their
# worked examples. All checkers at once, functions atomic.
papers_build
checkers=$(heddle list checkers | awk '{ print $1 }' | grep -v -e determinism -e deadlock -e guards -e transactions)
# shellcheck disable=SC2086
sheet papers-stale 'Artho, Havelund and Biere, Table 1: warnings, here as bug-benign-false of every checker, and in the paper' \
    program lines paper $checkers 'races:praun-gross' 'von Praun-Gross' Flanagan-Freund block-local
: > "$work/plot"
says() { # FILE CHECKER: bug-benign-false of whatever kind
    awk -F '\t' -v c="$2" 'index(" " $4 " ", " " c " ") { n[$3]++ }
        END { printf "%d-%d-%d%s", n["bug"], n["benign"], n["false"], n["undecided"] ? " +" n["undecided"] "?" : "" }' "$1"
}
number() { awk -F '\t' -v c="$2" 'index(" " $4 " ", " " c " ") { n++ } END { print n + 0 }' "$1"; }
while read -r title name; do
    [ -x "$BUILD/papers-bench/$name" ] || continue
    classify "$work/class" "$name" test functions "$(echo $checkers | tr ' ' , | sed s/stale/stale:flow=split/)"
    classify "$work/races" "$name" test functions races:algorithm=praun-gross
    set --
    for checker in $checkers; do set -- "$@" "$(says "$work/class" "$checker")"; done
    gross=$(published_field stale "$title" von_praun_gross)
    freund=$(published_field stale "$title" flanagan_freund)
    local=$(published_field stale "$title" block_local)
    line "$name" "$(lines_of "$name")" "$(published_field stale "$title" loc)" "$@" "$(says "$work/races" races)" "$gross" "$freund" "$local"
    tabbed "${name#*/}" "$(number "$work/races" races)" "$gross" "$(number "$work/class" reduction-online)" "$freund" \
        "$(number "$work/class" stale)" "$local" "$(number "$work/class" reduction)" "$(number "$work/class" blocks)" \
        "$(number "$work/class" velodrome)" "$(number "$work/class" views)" >> "$work/plot"
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
remark 'stale guesses the flow of data (flow=split), since a recorded trace has none: a value that is written in another lock region than it was read in. It is confirmed by nothing, since it is not known whether the store uses the copy, but refuted where no schedule lets another thread write in between'
remark 'elevator: the two of the paper are variables that are looked at twice, as in double_check. The guess takes those for fresh, since claim reads again what check has read; its one warning is another, a count that claim reads and get_people sets to zero. tsp: the paper warns inside of a constructor, the guess of a slot of the queue, which is refuted'
remark 'buffer_handover and double_check: block-local atomicity warns of both, and so does stale on a trace with data flow (AR-F5 and AR-F6 in checkers/tests/corpus/stale.txt). The guess is of neither: the result goes into another slot of the buffer, or the variable is read again before it is written'
remark 'von Praun-Gross: the paper means their static detection of atomicity violations, which heddle has not; beside it is their race detection, which is another claim. Its two of sor are refuted: lock sets know no barriers. Flanagan-Freund is Atomizer, reduction-online here: that of sor is refuted for the same reason, tsp has two functions to accuse and not seven'
remark 'the warnings that all approaches of the paper share are benign. Here those of blocks, reduction-online and velodrome on elevator and tsp are; stale does not share them. Races count with atomicity: tsp reads its bound without the lock'
remark 'worked examples: what is refuted there is due to main, which sets and reads the variables without the lock before the threads start and after they have ended; the loops of sensor_daemon are not atomic, as the paper says of reduction, and do no harm'
end_sheet
plot papers-stale bars 'warnings' 'Warnings on the programs of the stale-value paper (Artho et al., Table 1)' \
    'races:praun-gross' 'von Praun-Gross, paper' 'reduction-online' 'Flanagan-Freund, paper' 'stale' 'block-local, paper' reduction blocks velodrome views < "$work/plot"
