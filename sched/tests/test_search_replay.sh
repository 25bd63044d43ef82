#!/bin/sh
# A schedule means the same in a process that knows nothing yet: what the complete search
# found, with all that it had learned of what is shared, comes again in a fresh one.
. sched/tests/search/run.sh

for file in points prefer woken life cond strings; do
    build "$file" "$file.c"
    case $file in woken) MORE=spurious-wakeups ;; *) MORE= ;; esac
    for case in $(HEDDLE_OPTIONS= "$work/$file"); do
        why= again=0
        explore dpor 20000 found "$work/$file" "$case"
        awk -v to="$work/schedule" '
            /^finding/ { file = to "." $2; text = ""; printf "" > file }
            /^choice/ { print $2, $3 > file }
            /^value/ { print > file }
            /^(status|failure|message|observed|output) / { text = text $0 "\n" }
            /^end$/ { printf "%s", text > (file ".wanted"); close(file); close(file ".wanted") }
        ' "$work/found.result"
        for wanted in "$work"/schedule.*.wanted; do
            again=$((again + 1))
            explore "replay:${wanted%.wanted}" 1 replayed "$work/$file" "$case"
            sed -n '/^\(status\|failure\|message\|observed\|output\) /p' "$work/replayed.result" |
                cmp -s - "$wanted" || why="$why; $(tr '\n' ' ' < "$wanted")"
        done
        rm -f "$work"/schedule.*
        if [ "$again" -gt 0 ] && [ -z "$why" ]; then echo "ok again_$case"
        else echo "not ok again_$case: $again schedules$why"; fi
    done
done
