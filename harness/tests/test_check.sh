#!/bin/sh
# heddle check: from a trace to warnings, in words and as JSON.

heddle=$BUILD/bin/heddle
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; }
# same NAME WANTED IS
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected [$2], got [$3]"; fi; }
# has NAME TEXT PART
has() { case $2 in *"$3"*) ok "$1" ;; *) not_ok "$1" "no [$3] in [$2]" ;; esac; }

cat >"$dir/bank" <<'T'
T0 fork T1
T0 acq a @bank.c:10
T0 wr balance @bank.c:11
T0 rel a @bank.c:12
T1 acq b @bank.c:20
T1 rd balance @bank.c:21
T1 rel b @bank.c:22
T
cat >"$dir/quiet" <<'T'
T0 acq a
T0 wr balance
T0 rel a
T1 acq a
T1 wr balance
T1 rel a
T

out=$("$heddle" check --checkers races "$dir/bank"); status=$?
same "warnings alone are no failure" 0 "$status"
same "a warning in words" 'data race on balance (races): W-R
  T0 write balance  bank.c:11  event 2  holding a
  T1 read  balance  bank.c:21  event 5  holding b
  why      they hold different locks, and no start, join or barrier orders them
1 warning' "$out"

same "silence is said" "0 warnings" "$("$heddle" check --checkers races,deadlock,views "$dir/quiet")"
same "standard input" "0 warnings" "$("$heddle" check --checkers races - <"$dir/quiet")"

json=$("$heddle" check --json --checkers races:algorithm=hb,deadlock "$dir/bank")
got=$(printf '%s' "$json" | python3 -c '
import json, sys
d = json.load(sys.stdin)
w = d["warnings"][0]
print(list(d), len(d["warnings"]), w["kind"], w["checkers"], w["verdict"], w["impact"],
      w["witness"], w["instances"], w["transaction"],
      [(a["thread"], a["op"], a["variable"], a["file"], a["line"], a["locks"]) for a in w["accesses"]])')
same "a warning as JSON" "['warnings', 'notes'] 1 race ['races'] undecided None [2, 5] 1 None [('T0', 'write', 'balance', 'bank.c', 11, ['a']), ('T1', 'read', 'balance', 'bank.c', 21, ['b'])]" "$got"
same "the same bytes again" "$json" "$("$heddle" check --json --checkers races:algorithm=hb,deadlock "$dir/bank")"

"$heddle" trace --format binary -o "$dir/bank.trace" "$dir/bank" &&
    same "a binary trace says the same" "$json" \
        "$("$heddle" check --json --checkers races:algorithm=hb,deadlock "$dir/bank.trace")"

printf 'T1 rel m\nT1 end\nT1 rd x\n' >"$dir/odd"
out=$("$heddle" check "$dir/odd"); status=$?
same "an odd trace is checked all the same" 0 "$status"
has "and what is odd is noted" "$out" "note: thread T1 releases lock m, which it does not hold"
has "all of it" "$out" "note: thread T1 has an end without a begin"

# refuses NAME PART ARGS...
refuses() {
    name=$1 part=$2
    shift 2
    out=$("$heddle" check "$@" 2>&1 >/dev/null); status=$?
    if [ $status -eq 2 ]; then has "$name" "$out" "$part"; else not_ok "$name" "status $status"; fi
}
refuses "no such file" "$dir/none" "$dir/none"
refuses "no such checker" "no such checker" --checkers rces "$dir/bank"
refuses "no such switch" "races has no switch" --checkers races:x=1 "$dir/bank"
refuses "no such policy" "expected default, annotated" --transactions methods "$dir/bank"
refuses "no such file of names" "$dir/names" --transactions "@$dir/names" "$dir/bank"
refuses "no trace" "expected one TRACE"
refuses "two traces" "expected one TRACE" "$dir/bank" "$dir/quiet"
refuses "an option for programs" "no such option" --record random "$dir/bank"
refuses "known warnings of a program" "no such option" --baseline "$dir/none" "$dir/bank"
printf 'T1 frobnicate x\n' >"$dir/bad"
refuses "a line that is none" "frobnicate" "$dir/bad"
printf 'function f\nno g\n' >"$dir/names"
refuses "a line that names nothing" "names:2: expected" --transactions "@$dir/names" "$dir/bank"

cat >"$dir/calls" <<'T'
T1 enter deposit
T1 acq m
T1 rd balance
T1 rel m
T1 acq m
T1 wr balance
T1 rel m
T1 exit deposit
T2 enter deposit
T2 acq m
T2 rd balance
T2 rel m
T2 acq m
T2 wr balance
T2 rel m
T2 exit deposit
T
has "functions are transactions by default" "$("$heddle" check --checkers blocks "$dir/calls")" "deposit is not atomic on balance"
same "but not with regions" "0 warnings" "$("$heddle" check --checkers blocks --transactions regions "$dir/calls")"
echo "not deposit" >"$dir/names"
same "nor when a file says so" "0 warnings" "$("$heddle" check --checkers blocks --transactions "@$dir/names" "$dir/calls")"

# A writer that is interrupted between its two lock regions, after many accesses of
# which each thread has its own, or which both make: the judge's room is limited.
long_trace() { # OWN SHARED
    awk -v own="$1" -v shared="$2" 'BEGIN {
        print "T0 fork T1\nT0 fork T2"
        for (i = 0; i < own; i++) print "T1 wr a" i % 5000 "\nT2 wr b" i % 5000
        for (i = 0; i < shared; i++) print "T1 rd s\nT2 rd s"
        n = split("T2 begin motion,T2 acq l,T2 wr claimed,T2 rel l,T1 begin check,T1 acq l,T1 rd count,T1 rd claimed,T1 rel l,T1 end,T2 acq l,T2 wr count,T2 rel l,T2 end", rows, ",")
        for (i = 1; i <= n; i++) print rows[i]
    }' >"$dir/long"
    "$heddle" check --transactions annotated --checkers velodrome:lock-edges=boundary "$dir/long"
}
said=$(long_trace 50000 0)
has "what each has for himself does not matter" "$said" "motion is not atomic on claimed and count"
has "who was in the way is not blamed" "$said" "1 warning"
said=$(long_trace 0 40000)
has "too long a trace says so" "$said" "may go without blame"
has "and blames nobody by guess" "$said" "0 warnings"
