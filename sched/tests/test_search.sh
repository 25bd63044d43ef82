#!/bin/sh
# The complete search against plain enumeration, program by program.
#
# search/counts.txt names each case with the number of its classes of executions
# and of its outcomes. Enumerating every schedule must come to these; executions
# of one class must all have one outcome (endings = classes: otherwise something
# that two operations share is not known as shared); the complete search must run
# each class exactly once and see the same outcomes.
. sched/tests/search/run.sh

for file in $(awk '!/^#/ { print $1 }' sched/tests/search/counts.txt | sort -u); do
    build "$file" "$file.c"
    HEDDLE_OPTIONS= "$work/$file" | sed "s/^/$file /" >> "$work/cases"
done
sort "$work/cases" > "$work/written"
awk '!/^#/ { print $1, $2 }' sched/tests/search/counts.txt | sort > "$work/pinned"
if cmp -s "$work/written" "$work/pinned"; then echo "ok every_case_is_pinned"
else echo "not ok every_case_is_pinned: $(diff "$work/written" "$work/pinned" | tr '\n' ' ')"; fi

grep -v '^#' sched/tests/search/counts.txt > "$work/table"
while read -r file case by classes outcomes; do
    why=
    explore "$by" 1000000 all "$work/$file" "$case"
    explore dpor 1000000 dpor "$work/$file" "$case"
    [ "$(total all exhausted)" = 1 ] || why="enumeration did not end"
    [ "$(total all classes)" = "$classes" ] || why="$why; enumeration: $(total all classes) classes"
    [ "$(total all endings)" = "$classes" ] || why="$why; enumeration: $(total all endings) endings"
    [ "$(wc -l < "$work/all.outcomes")" = "$outcomes" ] ||
        why="$why; enumeration: $(wc -l < "$work/all.outcomes") outcomes"
    [ "$(total dpor exhausted)" = 1 ] || why="$why; the search did not end"
    [ "$(total dpor executions)" = "$classes" ] || why="$why; search: $(total dpor executions) executions"
    [ "$(total dpor classes)" = "$classes" ] || why="$why; search: $(total dpor classes) classes"
    cmp -s "$work/all.outcomes" "$work/dpor.outcomes" || why="$why; the outcomes differ"
    cp "$work/dpor.outcomes" "$work/$case.outcomes"
    if [ -z "$why" ]; then echo "ok $case"; else echo "not ok $case: $why"; fi
done < "$work/table"

# What a thread that was parked would have seen and shown: its twin that counts.
for counted in "$work"/*_counted.outcomes; do
    case=$(basename "${counted%_counted.outcomes}")
    for each in "$work/$case.outcomes" "$counted"; do sed -i "s/\[[^]]*\]//g" "$each"; done
    if cmp -s "$work/$case.outcomes" "$counted"; then echo "ok parked_$case"
    else echo "not ok parked_$case: other outcomes than one who counts"; fi
done
