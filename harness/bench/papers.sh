# papers.sh - what the tables of the papers share; read by bench.sh.
#
# Warnings are classified by heddle itself, at test size, with the papers' rule of
# what is meant to be atomic (--transactions functions): confirmed harmful is a bug,
# confirmed benign is benign, refuted is a false alarm; what was not decided within the
# budget, or confirmed without an impact, is counted apart, as "+N?". The budget is one of
# executions; --time is only there for a machine that is busy. Times are those of the
# processor, at bench size.
executions=${EXECUTIONS:-20000}
published=harness/bench/published

papers_build() { # once
    [ -z "${papers_built:-}" ] || return 0
    papers_built=yes
    export BUILD
    sh suites/tests/build_papers.sh "$BUILD/papers-bench" "$BUILD/bin/heddle-cc" -O2 -g
}
papers_build_fast() { # once: natively
    [ -z "${papers_built_fast:-}" ] || return 0
    papers_built_fast=yes
    sh suites/tests/build_papers.sh "$BUILD/papers-fast" gcc -std=gnu11 -O2 -pthread "-I$BUILD/include"
}

# The programs of Wang and Stoller: name in the paper, program, size of its input.
atomicity_programs='elevator elevator test
tsp(map4) tsp test
tsp(map14) tsp map14
sor sor test
hedc hedc test
moldyn moldyn test
montecarlo montecarlo test
raytracer raytracer test
jigsaw jigsaw test
StringBuffer string_buffer pairs
Vector vector pairs
Hashtable hashtable pairs
Stack stack pairs'

# published_field TABLE NAME COLUMN: a figure of a paper; - if there is none
published_field() {
    awk -F , -v name="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
        $1 == name { found = 1; print $at == "" ? "-" : $at; exit }
        END { if (!found) print "-" }' "$published/$1.csv"
}

# files_of SET/PROGRAM: its source files, and the headers of its folder that these include or
# that such headers do; arguments.h is none of them
files_of() {
    if [ -d "suites/papers/$1" ]; then files_first=$(echo "suites/papers/$1"/*.c); else files_first=suites/papers/$1.c; fi
    awk -v first="$files_first" '
        function add(folder, file,    text, part) {
            if (file ~ /\// || (folder file) in seen) return
            seen[folder file] = 1
            print folder file
            while ((getline text < (folder file)) > 0) {
                if (text ~ /^#include "/) { split(text, part, "\""); add(folder, part[2]) }
                if (text ~ /^ \* sources: /) { split(text, part, ": "); add(folder, part[2]) }
            }
            close(folder file) }
        BEGIN {
            n = split(first, file, " ")
            for (i = 1; i <= n; i++) { at = match(file[i], /[^\/]*$/); add(substr(file[i], 1, at - 1), substr(file[i], at)) } }'
}
# lines_of SET/PROGRAM: of all these
lines_of() { files_of "$1" | xargs cat | wc -l; }

# judge FILE OPTIONS... PROGRAM ARGUMENTS: verdicts, added to FILE as verdicts.awk prints them
judge() {
    judge_file=$1
    shift
    rm -f "$work/v.json"
    heddle test --quiet --time 600 -o "$work/v.json" "$@" > /dev/null 2>&1 < /dev/null
    [ -f "$work/v.json" ] && awk -f harness/bench/verdicts.awk "$work/v.json" >> "$judge_file"
}

# pairs_of PROGRAM: numbers of the methods that can meet (collection.h), a pair a line; the
# same two exchanged are left out
pairs_of() {
    "$1" list > "$work/methods"
    awk '{ takes[NR - 1] = $2 } END { for (i = 0; i < NR; i++) for (j = 0; j < NR; j++)
           if (takes[i] && !takes[j]) print i, j }' "$work/methods"
}

# classify FILE SET/PROGRAM SIZE POLICY CHECKERS: "kind name class checkers", a line each.
# Size pairs: every pair of methods that can meet, each by itself (collection.h).
classify() {
    : > "$work/raw"
    prog=$BUILD/papers-bench/$2
    case $3 in
    pairs)
        pairs_of "$prog" > "$work/pairs"
        while read -r i j; do
            judge "$work/raw" --executions "$executions" --transactions "$4" --checkers "$5" "$prog" pair "$i" "$j"
        done < "$work/pairs" ;;
    map14) judge "$work/raw" --executions 40 --steps 100000000 --transactions "$4" --checkers "$5" "$prog" map14 ;;
    *) judge "$work/raw" --executions "$executions" --transactions "$4" --checkers "$5" "$prog" test ;;
    esac
    awk -F '\t' '
        { rank = $5 == "harmful" ? 5 : $4 == "confirmed" && $5 != "benign" ? 3 : $5 == "benign" ? 4 : $4 == "undecided" ? 2 : 1
          key = $1 "\t" $3
          if (!(key in best)) order[++n] = key
          if (rank > best[key]) best[key] = rank
          split($2, some, " ")
          for (i in some) if (index(" " who[key] " ", " " some[i] " ") == 0) who[key] = who[key] " " some[i] }
        END { split("false undecided undecided benign bug", class, " ")
              for (i = 1; i <= n; i++) printf "%s\t%s\t%s\n", order[i], class[best[order[i]]], who[order[i]] }' "$work/raw" > "$1"
}

# tally FILE CHECKER KIND: bug-benign-false, and what was not decided
tally() {
    awk -F '\t' -v checker="$2" -v kind="$3" '
        $1 == kind && index(" " $4 " ", " " checker " ") { c[$3]++ }
        END { printf "%d-%d-%d%s\n", c["bug"], c["benign"], c["false"], c["undecided"] ? " +" c["undecided"] "?" : "" }' "$1"
}

# missed FILE CHECKER OTHER KIND: said by the other checker, and not by this one
missed() {
    awk -F '\t' -v checker="$2" -v other="$3" -v kind="$4" '
        $1 == kind && index(" " $4 " ", " " other " ") && !index(" " $4 " ", " " checker " ") { n++ }
        END { print n + 0 }' "$1"
}

# named FILE KIND CHECKERS: which, by class and by those of the checkers that said it, on one line
named() {
    awk -F '\t' -v kind="$2" -v checkers="$3" '
        BEGIN { n = split(checkers, checker, ",") }
        $1 == kind {
            who = ""
            for (i = 1; i <= n; i++) if (index(" " $4 " ", " " checker[i] " ")) who = who (who == "" ? "" : " ") checker[i]
            if (who == "") next
            key = $3 " (" who ")"
            if (!(key in list)) order[++keys] = key
            list[key] = list[key] " " $2 }
        END { for (i = 1; i <= keys; i++) printf "%s%s:%s", (i > 1 ? "; " : ""), order[i], list[order[i]]
              print keys ? "" : "nothing" }' "$1"
}

# reason TABLE ROW: why it differs from the paper's (published/TABLE.why)
reason() {
    text=$(sed -n "s/^$2: //p" "$published/$1.why" 2> /dev/null)
    echo "${text:-why is not known.}"
}

# false_alarms FILE OPTION: of the lines "OPTION OURS PAPER'S" of an option, four figures: ours,
# the paper's, of how many programs the paper has some, and ours of those
false_alarms() {
    awk -v option="$2" '
        $1 == option { split($2, a, "-"); here += a[3]; if (split($NF, b, "-") == 3) { there += b[3]; same += a[3]; n++ } }
        END { print here + 0, there + 0, n + 0, same + 0 }' "$1"
}
# label_of OPTION PROGRAMS: for the picture; the paper may have no figures of some
label_of() { if [ "$2" = 13 ]; then echo "$1"; else echo "$1 (paper: $2 of 13 programs)"; fi; }

# A variable is counted by its field: whichever instance of a struct, whichever element of an array.
by_field() { sed -E 's/#[0-9]+(\.[0-9]+)*(:[0-9]+)?//g; s/\[[0-9.]+\]/[]/g; s/\+[0-9]+//g'; }

# seconds of "1m3.5s", "0.2s"; - for none
in_seconds() {
    echo "$1" | awk '{ s = 0; if (match($0, /[0-9.]+m/)) s += 60 * substr($0, RSTART, RLENGTH - 1)
                        if (match($0, /[0-9.]+s/)) s += substr($0, RSTART, RLENGTH - 1); print s ? s : "-" }'
}
# slower A B: A/B with x, or -
slower() { case "$1$2" in *-* | *'?'*) echo - ;; *) calc %.1fx "$1/$2" ;; esac; }

# bench_times PROGRAM: native, recorded (and the trace stays in $work/bench.trace); a program
# may fail, heddle may not
bench_times() {
    papers_build_fast
    native=$(spend 5 "$BUILD/papers-fast/$1" bench < /dev/null)
    recorded=$(spend 2 heddle run --quiet --steps 1000000000 --trace "$work/bench.trace" "$BUILD/papers-bench/$1" bench < /dev/null)
    [ $? -le 1 ] || recorded=-
}
# check_time CHECKERS [OPTIONS]: of an offline check of that trace
check_time() {
    wanted=$1
    shift
    spend 1 timeout 600 heddle check --checkers "$wanted" "$@" "$work/bench.trace" < /dev/null
}
