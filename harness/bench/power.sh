# How soon each strategy meets the failure of each suite program that has one: median
# number of executions over SEEDS seeds, and in how many of them it was found within
# 1,000. dpor and bounded do not depend on the seed. Why a strategy never finds what
# another finds stands in power-why.txt: "PROGRAM STRATEGY why", a line each.
seeds=${SEEDS:-20}
strategies='random pct:3 pos surw bounded:2 dpor portfolio'

# first STRATEGY SEED: number of the first failing execution, or nothing. Leaving
# early ends the program: nobody reads its results any more.
first() {
    HEDDLE_OPTIONS="explore quiet strategy=$1 seed=$2 executions=1000 steps=100000 milliseconds=60000 result=3" \
        HEDDLE_TEST=$test "$suspect" $argument 3>&1 > /dev/null 2>&1 < /dev/null |
        awk '$1 == "run" { run = $2 } $1 == "status" && $2 { print run + 1; exit }'
}

# median of numbers, a line each; those that were not found count as endless
median() {
    sort -n | awk -v seeds="$1" '{ v[NR] = $1 } END { m = int((seeds + 1) / 2); print (m <= NR ? v[m] : "-") }'
}

# one LABEL PROGRAM ARGUMENT TEST: a row of the table
one() {
    suspect=$2 argument=$3 test=$4
    printf '%s\n    {"program": "%s"' "$comma" "$1"
    printf '%-34s' "$1" >> "$work/text"
    for strategy in $strategies; do
        case $strategy in dpor | bounded:*) many=1 ;; *) many=$seeds ;; esac
        for seed in $(seq "$many"); do first "$strategy" "$seed"; done > "$work/firsts"
        found=$(wc -l < "$work/firsts")
        middle=$(median "$many" < "$work/firsts")
        printf '%15s' "$middle ($found/$many)" >> "$work/text"
        [ "$found" = 0 ] && echo "$1 $strategy" >> "$work/never"
        [ "$middle" = - ] && middle=null
        printf ', "%s": {"median": %s, "found": %s, "of": %s}' "$strategy" "$middle" "$found" "$many"
    done
    printf '}'
    echo >> "$work/text"
    comma=,
}

papers_build
printf 'power: executions to the first failure, median of %s seeds (found in how many)\n' "$seeds" > "$work/text"
printf '%-34s' program >> "$work/text"
for strategy in $strategies; do printf '%15s' "$strategy" >> "$work/text"; done
echo >> "$work/text"
: > "$work/never"
{
    printf '{\n  "part": "power",\n  "seeds": %s,\n  "rows": [' "$seeds"
    comma=
    for source in $(grep -l 'expect: failure' suites/litmus/*.c); do
        heddle-cc -g "$source" -o "$work/suspect" 2> /dev/null || continue
        one "$(basename "$source" .c)" "$work/suspect" '' ''
    done
    sh suites/tests/build_papers.sh --list | while read -r name file; do
        grep -q 'expect: failure' "$file" && one "$name" "$BUILD/papers-bench/$name" test ''
    done
    for readme in suites/modules/*/README.md; do
        folder=${readme%/README.md} name=$(basename "${readme%/README.md}")
        heddle-cc -g -DDEFECT "-I$UNITY" "$folder/$name.c" "$folder/test_$name.c" "$UNITY/unity.c" \
            -o "$work/suspect" 2> /dev/null || continue
        sed -n '/"failures"/,/"warnings"/s/.*"test": "\(.*\)".*/\1/p' "results/modules/${name}_defect.json" | sort -u | awk '{ print NR, $0 }' |
            while read -r nth test; do
                label=modules/$name
                [ "$nth" = 1 ] || label=$label:$nth
                one "$label" "$work/suspect" '' "$test"
            done
    done
    printf '\n  ]\n}\n'
} > "$results/power.json"
while read -r name strategy; do
    why=$(sed -n "s|^$name $strategy ||p" $bench/power-why.txt)
    echo "$name, $strategy: never within 1,000: ${why:-not explained}" >> "$work/text"
done < "$work/never"
cp "$work/text" "$results/power.txt"
cat "$work/text"
