# How soon `heddle test` confirms: executions until the first one that shows a
# confirmed atomicity violation of a litmus program, the recorded one included, by its
# plans and by random schedules; and how long the whole job takes.
. suites/tests/build_litmus.sh
export SEEDS="${SEEDS:-5}"
python3 harness/bench/directed.py "$BUILD" > "$work/directed" || exit 3
figure() { sed -n "s/^$1 //p" "$work/directed"; }
violations=$(figure violations) programs=$(figure programs)
plans=$(figure plans) plans_most=$(figure plans_most)
row "violations in the corpus" "$violations" "" "" "" -
row "shown by a plan, not by the search" "$(figure by_plan) of $violations" "" "" "" -
row "executions to a violation, plans: median" "$plans" "10" "-" "<= 10" "$(met "$plans <= 10")"
for strategy in random pct:3 surw pos; do
    other=$(figure "$strategy")
    row "the same by $strategy (median of $SEEDS seeds)" "$other" "plans $plans" "$(calc %.1fx "$other / $plans")" "more" "$(met "$other > $plans")"
done
row "executions to a violation, plans: mean" "$(figure plans_mean)" "random $(figure random_mean)" "-" "fewer" "$(met "$(figure plans_mean) < $(figure random_mean)")"
row "heddle test, $programs programs, CPU s: median" "$(figure seconds)" "1" "-" "< 1" "$(met "$(figure seconds) < 1")"
row "heddle test, worst of them ($(figure worst))" "$(figure seconds_most)" "10" "-" "< 10" "$(met "$(figure seconds_most) < 10")"
