#!/bin/sh
# Every strategy: known to the command by the same names, and the same runs for
# the same seed. Goals: held as they say, let go where they ask too much.
. sched/tests/search/run.sh

sed -n 's/^ *\.name = "\([^"]*\)".*/\1/p' sched/strategies/*.c | sort > "$work/names"
"$BUILD/bin/heddle" list strategies | awk '{ print $1 }' | sort > "$work/listed"
if [ -s "$work/names" ] && cmp -s "$work/names" "$work/listed"; then
    echo "ok listed_strategies_are_those_of_the_runtime"
else
    echo "not ok listed_strategies_are_those_of_the_runtime: $(diff "$work/names" "$work/listed" | tr '\n' ' ')"
fi

build data data.c
build cond cond.c
build spin spin.c
build goal goal.c
for strategy in dpor bounded:2 random random:0.1 pct pct:5 pos surw portfolio all; do
    why=
    for each in data:increments_three cond:cond_who spin:tas_lock data:late_race; do
        file=${each%:*} case=${each#*:}
        MORE="each seed=7" explore "$strategy" 300 first "$work/$file" "$case"
        MORE="each seed=7" explore "$strategy" 300 second "$work/$file" "$case"
        grep -v '^nanoseconds' "$work/first.result" > "$work/first.same"
        grep -v '^nanoseconds' "$work/second.result" > "$work/second.same"
        cmp -s "$work/first.same" "$work/second.same" || why="$why; $case differs"
        [ "$(total first classes)" -gt 1 ] || why="$why; $case: $(total first classes) classes"
    done
    if [ -z "$why" ]; then echo "ok same_seed_same_runs_$strategy"
    else echo "not ok same_seed_same_runs_$strategy: $why"; fi
done

# Another seed, other runs.
MORE="each seed=7" explore random 50 first "$work/data" increments_three
MORE="each seed=8" explore random 50 second "$work/data" increments_three
if cmp -s "$work/first.result" "$work/second.result"; then
    echo "not ok another_seed_other_runs: they are the same"
else
    echo "ok another_seed_other_runs"
fi

# site FUNCTION CALLED: where in the function that call is, as a trace would say.
site() {
    objdump -d --no-show-raw-insn "$work/goal" | awk -v function_="<$1>:" -v called="$2>" '
        $2 == function_ { inside = 1 } /^$/ { inside = 0 }
        found { sub(":", "", $1); printf "goal+0x%x\n", hex($1) - 1; exit }
        inside && /call/ && index($0, called) { found = 1 }
        function hex(text, i, value) {
            for (i = 1; i <= length(text); i++)
                value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
            return value
        }'
}
one=$(site note_one pthread_mutex_lock) two=$(site note_two pthread_mutex_lock)
two_leaves=$(site note_two pthread_mutex_unlock) one_leaves=$(site note_one pthread_mutex_unlock)

goal() { # goal NAME WANTED RULE...: the first run's order
    what=$1 wanted=$2
    shift 2
    printf '%s\n' "$@" > "$work/rules"
    explore "goal:$work/rules" 1 goal "$work/goal" notes
    got=$(sed -n 's/.*order=\([0-9]*\);.*/\1/p' "$work/goal.outcomes")
    if [ "$got" = "$wanted" ]; then echo "ok goal_$what"
    else echo "not ok goal_$what: order $got, wanted $wanted"; fi
}
explore bounded:0 1 plain "$work/goal" notes
got=$(sed -n 's/.*order=\([0-9]*\);.*/\1/p' "$work/plain.outcomes")
if [ "$got" = 1122 ] || [ "$got" = 2211 ]; then echo "ok without_a_goal_one_after_the_other"
else echo "not ok without_a_goal_one_after_the_other: $got"; fi
goal second_first 2211 "hold 0.1 $one 1 until 0.2 $two_leaves 2"
goal first_first 1122 "hold 0.2 $two 1 until 0.1 $one_leaves 2"
goal in_between 1221 "hold 0.1 $one 2 until 0.2 $two_leaves 2" "hold 0.2 $two 1 until 0.1 $one_leaves 1"
goal in_turn 1212 "# in turn" "hold 0.2 $two 1 until 0.1 $one_leaves 1" \
    "hold 0.1 $one 2 until 0.2 $two_leaves 1" "hold 0.2 $two 2 until 0.1 $one_leaves 2"

# What cannot be is let go, and every run ends.
printf '%s\n' "hold 0.1 $one 1 until 0.2 $two 1" "hold 0.2 $two 1 until 0.1 $one 1" > "$work/rules"
explore "goal:$work/rules" 1000 goal "$work/goal" notes
if [ "$(total goal executions)" -gt 1 ] && ! grep -q failure "$work/goal.outcomes"; then
    echo "ok goal_that_cannot_be_is_let_go"
else
    echo "not ok goal_that_cannot_be_is_let_go: $(tr '\n' ' ' < "$work/goal.totals")"
fi
# The rest is tried systematically: only orders that the rule allows.
printf '%s\n' "hold 0.1 $one 1 until 0.2 $two_leaves 1" > "$work/rules"
explore "goal:$work/rules" 100000 goal "$work/goal" notes
got=$(sed -n 's/.*order=\([0-9]*\);.*/\1/p' "$work/goal.outcomes" | sort | tr '\n' ' ')
if [ "$got" = "2112 2121 2211 " ]; then echo "ok goal_leaves_the_rest_open"
else echo "not ok goal_leaves_the_rest_open: $got"; fi
# Several goals: one run each, in their order, and then it is over.
printf '%s\n' goal "hold 0.1 $one 1 until 0.2 $two_leaves 2" goal "hold 0.2 $two 1 until 0.1 $one_leaves 2" \
    goal "hold 0.1 $one 2 until 0.2 $two_leaves 2" "hold 0.2 $two 1 until 0.1 $one_leaves 1" > "$work/rules"
explore "goal:$work/rules" 1000 goal "$work/goal" notes
got=$(sed -n 's/.*order=\([0-9]*\);.*/\1/p' "$work/goal.outcomes" | sort | tr '\n' ' ')
if [ "$got" = "1122 1221 2211 " ] && [ "$(total goal executions)" = 3 ] && [ "$(total goal exhausted)" = 0 ]; then
    echo "ok several_goals_one_run_each"
else
    echo "not ok several_goals_one_run_each: $got $(tr '\n' ' ' < "$work/goal.totals")"
fi
# Standing there is enough: the second goes on only when the first has come to its place.
printf '%s\n' goal "hold 0.1 $one 2 until 0.2 $two 2 stands" "hold 0.2 $two 2 until 0.1 $one_leaves 2" > "$work/rules"
explore "goal:$work/rules" 1 goal "$work/goal" notes
got=$(sed -n 's/.*order=\([0-9]*\);.*/\1/p' "$work/goal.outcomes")
if [ "$got" = 1212 ] || [ "$got" = 2112 ]; then echo "ok goal_to_stand_somewhere"
else echo "not ok goal_to_stand_somewhere: $got"; fi
printf 'hold 0.1 x until\n' > "$work/rules"
if HEDDLE_OPTIONS="strategy=goal:$work/rules" "$work/goal" notes 2> "$work/message"; then
    echo "not ok bad_goals_are_refused: it ran"
elif grep -q 'rules:1: expected "hold THREAD' "$work/message"; then
    echo "ok bad_goals_are_refused"
else
    echo "not ok bad_goals_are_refused: $(cat "$work/message")"
fi
