#!/bin/sh
# What depends on what: for each small program of search.c the complete search
# must find the same outcomes as trying every schedule, and the same classes of
# executions, each once.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS
if ! "$BUILD/bin/heddle-cc" -g sched/tests/pthread/search.c -o "$work/search" 2>"$work/log"; then
    echo "not ok search_builds: $(head -1 "$work/log")"
    exit 1
fi
"$work/search" >"$work/cases" 2>/dev/null
[ -s "$work/cases" ] || echo "not ok search_lists_its_cases: it does not"

# explore STRATEGY CASE: "outcomes... exhausted classes executions"
explore() {
    HEDDLE_OPTIONS="explore strategy=$1 executions=200000 result=3" \
        timeout 60 "$work/search" "$2" 3>"$work/$1" >/dev/null 2>&1 </dev/null
    awk '$1 == "classes" || $1 == "exhausted" || $1 == "executions" { value[$1] = $2 }
        $1 == "status" { outcome = $2 } $1 == "failure" { outcome = outcome $2 }
        $1 == "end" && outcome != "" { seen[outcome] = 1; outcome = "" }
        END { for (each in seen) print each | "sort"; close("sort")
              print value["exhausted"], value["classes"], value["executions"] }' "$work/$1" |
        tr '\n' ' ' | sed 's/ $//'
}
while read -r name; do
    reduced=$(explore dpor "$name")
    all=$(explore all "$name")
    executions=${reduced##* } less=${reduced% *} every=${all% *}
    why=
    [ "${less% *}" = "${every% *}" ] || why="other outcomes"
    case ${every% *} in *' 1') ;; *) why="not everything was tried" ;; esac
    [ "${less##* }" = "$executions" ] || why="a class came twice"
    [ "$less" = "$every" ] || why="${why:-other classes}"
    if [ -z "$why" ]; then echo "ok search_$name"
    else echo "not ok search_$name: $why: by reduction $reduced, all $all (outcomes, exhausted, classes, executions)"; fi
done <"$work/cases"
