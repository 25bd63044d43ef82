# How soon each strategy meets the failure of each litmus program that has one:
# median number of executions over SEEDS seeds, and in how many of them it was found
# within 1,000. dpor and bounded do not depend on the seed.
seeds=${SEEDS:-20}
strategies='random pct:3 pos surw bounded:2 dpor'

# first STRATEGY SEED: number of the first failing execution, or nothing. Leaving
# early ends the program: nobody reads its results any more.
first() {
    HEDDLE_OPTIONS="explore quiet strategy=$1 seed=$2 executions=1000 steps=20000 milliseconds=5000 result=3" \
        "$work/suspect" 3>&1 > /dev/null 2>&1 < /dev/null |
        awk '$1 == "run" { run = $2 } $1 == "status" && $2 { print run + 1; exit }'
}

# median of numbers, a line each; those that were not found count as endless
median() {
    sort -n | awk -v seeds="$1" '{ v[NR] = $1 } END { m = int((seeds + 1) / 2); print (m <= NR ? v[m] : "-") }'
}

printf 'power: executions to the first failure, median of %s seeds (found in how many)\n' "$seeds" > "$work/text"
printf '%-26s' program >> "$work/text"
for strategy in $strategies; do printf '%15s' "$strategy" >> "$work/text"; done
echo >> "$work/text"
{
    printf '{\n  "part": "power",\n  "seeds": %s,\n  "rows": [' "$seeds"
    comma=
    for source in $(grep -l 'expect: failure' suites/litmus/*.c); do
        program=$(basename "$source" .c)
        heddle-cc -g "$source" -o "$work/suspect" 2> /dev/null || continue
        printf '%s\n    {"program": "%s"' "$comma" "$program"
        printf '%-26s' "$program" >> "$work/text"
        for strategy in $strategies; do
            case $strategy in dpor | bounded:*) many=1 ;; *) many=$seeds ;; esac
            for seed in $(seq "$many"); do first "$strategy" "$seed"; done > "$work/firsts"
            found=$(wc -l < "$work/firsts")
            middle=$(median "$many" < "$work/firsts")
            printf '%15s' "$middle ($found/$many)" >> "$work/text"
            [ "$middle" = - ] && middle=null
            printf ', "%s": {"median": %s, "found": %s, "of": %s}' "$strategy" "$middle" "$found" "$many"
        done
        printf '}'
        echo >> "$work/text"
        comma=,
    done
    printf '\n  ]\n}\n'
} > results/bench/power.json
cp "$work/text" results/bench/power.txt
cat "$work/text"
