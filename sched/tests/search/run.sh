# run.sh - sourced by the tests of searches: build programs, run explorations.
#
# explore STRATEGY EXECUTIONS NAME PROGRAM [ARGS]: leaves in $work the totals as
# NAME.totals (word value) and the outcomes that were seen, sorted, as
# NAME.outcomes.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # build OUT SOURCE [FLAGS]
    out=$1 source=$2
    shift 2
    "$BUILD/bin/heddle-cc" -O1 -g "$@" "sched/tests/search/$source" -o "$work/$out" && return
    echo "not ok search_builds_$out: heddle-cc failed"
    exit 1
}

explore() {
    strategy=$1 most=$2 name=$3
    shift 3
    HEDDLE_OPTIONS="explore strategy=$strategy executions=$most result=7${MORE:+ $MORE}" \
        "$@" 7> "$work/$name.result" || echo "not ok search_runs: $strategy $*: status $?"
    # Nothing may pass because nothing happened.
    grep -q '^done$' "$work/$name.result" || echo "not ok search_ends: $strategy $*: no totals"
    awk '/^(executions|classes|endings|blocked|exhausted|cut) /' "$work/$name.result" > "$work/$name.totals"
    awk '/^finding/ { number = $2; text = "" }
         /^(status|failure|message|observed|output) / { text = text " " $0 }
         /^end$/ { seen[number] = text }
         /^count/ { if ($3 > 0) print seen[$2] }' "$work/$name.result" | sort > "$work/$name.outcomes"
}

total() { # total NAME WORD
    awk -v word="$2" '$1 == word { print $2 }' "$work/$1.totals"
}
