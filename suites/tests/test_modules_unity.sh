#!/bin/sh
# test_modules_unity.sh - the modules' unit tests, explored.
#
# As a user runs them: built by heddle-cc, started by themselves. Correct modules
# pass every test; with its defect each module fails the test that its README
# names, and the line after the failure is a command that shows it again.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_TEST

ok() { echo "ok $1"; }
no() { echo "not ok $1: $2"; }

cd "$work" || exit 1
for readme in "$root"/suites/modules/*/README.md; do
    folder=${readme%/README.md}
    m=${folder##*/}
    for defect in '' -DDEFECT; do
        name="$m${defect:+ with its defect}"
        if ! heddle-cc -O1 -g $defect -I"$UNITY" "$folder/$m.c" "$folder/test_$m.c" \
            "$UNITY/unity.c" -o "test_$m$defect" 2> err; then
            no "$name builds" "$(head -n 1 err)"
            continue
        fi
        timeout 60 "./test_$m$defect" > out 2> err
        status=$?
        tests=$(grep -c 'RUN_TEST(' "$folder/test_$m.c")
        counts=$(sed -n 's/ Tests.*//p' out)
        if [ "$counts" = "$tests" ]; then
            ok "$name: Unity counts every test"
        else
            no "$name: Unity counts every test" "$counts of $tests"
        fi
        if [ -z "$defect" ]; then
            if [ $status -eq 0 ] && ! grep -q ':FAIL' out; then
                ok "$name passes whatever the schedule"
            else
                no "$name passes whatever the schedule" "$(grep -m 1 ':FAIL' out) status $status"
            fi
            continue
        fi
        culprit=$(sed -n 's/^Explored, `\([a-z_]*\)`.*/\1/p' "$readme")
        failure=$(grep -m 1 ":$culprit:FAIL" out)
        if [ -n "$failure" ] && [ $status -ne 0 ]; then
            ok "$name fails $culprit"
        else
            no "$name fails $culprit" "status $status: $(grep -m 1 ':FAIL' out)"
            continue
        fi
        command=$(grep -A 1 ":$culprit:FAIL" out | sed -n 2p)
        eval "$command" > again 2>&1
        status=$?
        said=${failure#*:FAIL}
        case $failure in
        *Expected*) grep -q "^assertion .*:FAIL$said" again ;;
        *) grep -q -e '^deadlock ' -e '^misuse ' again ;;
        esac
        if [ $? -eq 0 ] && [ $status -eq 1 ]; then
            ok "$name: the failure comes again on command"
        else
            no "$name: the failure comes again on command" "$command: $(tail -n 1 again)"
        fi
    done
done

# The same binary under `heddle test`: every test is an entry by its name.
culprit=$(sed -n 's/^Explored, `\([a-z_]*\)`.*/\1/p' "$root/suites/modules/cache/README.md")
heddle test --quiet -o cache.json ./test_cache-DDEFECT 2> err
status=$?
id=$(python3 - "$culprit" <<'PY'
import json, sys
doc = json.load(open("cache.json"))
for failure in doc["failures"]:
    if failure["test"] == sys.argv[1]:
        print(failure["id"])
        break
PY
)
if [ $status -eq 1 ] && [ -n "$id" ]; then
    ok "heddle test names the test that fails"
else
    no "heddle test names the test that fails" "status $status: $(head -n 1 err)"
fi
heddle replay "cache.json#$id" > again 2>&1
if [ $? -eq 1 ] && grep -q "^assertion .*:$culprit:FAIL: Expected 300 Was 30" again; then
    ok "its entry is replayed as that test"
else
    no "its entry is replayed as that test" "$(tail -n 1 again)"
fi
if python3 "$root/harness/tests/validate.py" "$root/docs/verdict.schema.json" cache.json > err 2>&1; then
    ok "the verdicts of a unit test follow the schema"
else
    no "the verdicts of a unit test follow the schema" "$(head -n 1 err)"
fi
heddle test --quiet --filter least_recently -o least.json ./test_cache-DDEFECT 2> err
if [ $? -eq 0 ] && ! grep -q "$culprit" least.json; then
    ok "--filter chooses tests"
else
    no "--filter chooses tests" "$(head -n 1 err)"
fi
heddle test --quiet --filter no_such_test -o none.json ./test_cache-DDEFECT 2> err
if [ $? -eq 2 ] && grep -q no_such_test err; then
    ok "--filter that leaves no test is refused"
else
    no "--filter that leaves no test is refused" "$(head -n 1 err)"
fi
echo 'int main(void) { return 0; }' > none.c && heddle-cc none.c -o none
heddle test --quiet --filter any -o none.json ./none 2> err
if [ $? -eq 2 ] && grep -q 'has no unit tests' err; then
    ok "--filter for a program without unit tests is refused"
else
    no "--filter for a program without unit tests is refused" "$(head -n 1 err)"
fi

# What docs/unit-tests.md shows, up to the message of the failure: which one is
# found first is the strategy's business.
mkdir doc && cp "$root"/suites/modules/stack/*.[ch] doc && cd doc || exit 1
heddle-cc -g -DDEFECT -I"$UNITY" stack.c test_stack.c "$UNITY/unity.c" -o test_stack
./test_stack 2> /dev/null | sed 's/:FAIL:.*/:FAIL/' > real
sed -n '/^\$ .\/test_stack$/,/^```$/p' "$root/docs/unit-tests.md" | sed -e 1d -e '/^```$/d' \
    -e 's/:FAIL:.*/:FAIL/' > shown
if [ -s shown ] && cmp -s real shown; then
    ok "the documents show what happens"
else
    no "the documents show what happens" "$(diff shown real | head -n 2)"
fi
