#!/bin/sh
# test_shown.sh - the accesses of each confirmed entry occur in that order, by those threads,
# in the execution whose schedule it keeps: all references of the litmus programs.
. suites/tests/build_litmus.sh
set --
for reference in results/litmus/*.json; do
    program=$BUILD/litmus/$(basename "$reference" .json)
    [ -x "$program" ] && set -- "$@" "$reference" "$program"
done
said=$(python3 harness/tests/shown.py "$BUILD" "$@")
status=$? entries=$(echo "$said" | tail -1)
if [ "$status" = 0 ] && [ "$entries" -gt 100 ]; then echo "ok shown_accesses_occur"
else echo "not ok shown_accesses_occur: of $entries entries$(echo "$said" | head -n -1 | head -20)"; fi
